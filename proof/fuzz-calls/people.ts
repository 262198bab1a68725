import { openConfiguredDatabase } from '#server/open-database.ts'
import type { Config } from '#server/platform/config.ts'
import { createLog } from '#server/platform/log.ts'
import { createUser } from '#server/users/users.ts'
import type { Role } from '#shared/permissions.ts'
import type { Principal } from './calls.ts'

/** Sessions of users of every role. An ended session is replaced when it is needed again. */
export interface People {
  /** @returns undefined for the principal without a session */
  tokenOf(principal: Principal, seat: number): Promise<string | undefined>
  /** To be called when a call has ended the session. */
  forget(token: string): void
  /** The ids of the users, an operator's first. */
  readonly ids: number[]
}

const roles: readonly Role[] = ['operator', 'supervisor', 'admin']
const seats = 4
const password = 'alface-roxa-de-prova'

/** Creates the users, directly in the program's database. */
export async function makePeople(
  url: string,
  config: Config,
  defer: (end: () => Promise<void>) => void,
): Promise<People> {
  const { database, close } = await openConfiguredDatabase(config, createLog('silent'), { attachOnly: true })
  defer(close)
  const ids: number[] = []
  /** How often the person of a seat was replaced. */
  const turns = new Map<string, number>()
  const nameOf = (role: Role, seat: number) => {
    const name = `prova-${role}-${seat}`
    const turn = turns.get(name) ?? 0
    return turn === 0 ? name : `${name}-${turn}`
  }
  const create = async (role: Role, seat: number) => {
    const username = nameOf(role, seat)
    const email = `${username}@prova.example`
    ids.push(await createUser(database, { username, email, name: username, password, role }))
  }
  for (const role of roles) for (let seat = 0; seat < seats; seat++) await create(role, seat)

  const tokens = new Map<string, Promise<string>>()
  /** Somebody else takes the seat of a person whom a call has blocked, renamed or deleted. */
  const enter = async (role: Role, seat: number): Promise<string> => {
    const token = await signIn(url, nameOf(role, seat))
    if (token !== undefined) return token
    const name = `prova-${role}-${seat}`
    turns.set(name, (turns.get(name) ?? 0) + 1)
    await create(role, seat)
    return enter(role, seat)
  }
  return {
    ids,
    async tokenOf(principal, seat) {
      if (principal === 'none') return undefined
      const place = `${principal} ${seat % seats}`
      const known = tokens.get(place)
      if (known) return known
      const entering = enter(principal, seat % seats)
      tokens.set(place, entering)
      return entering
    },
    forget(token) {
      for (const [place, known] of tokens)
        void known.then((one) => {
          if (one === token && tokens.get(place) === known) tokens.delete(place)
        })
    },
  }
}

/**
 * Retries, since the queue of password checks may be full.
 * @returns undefined for an account that may not sign in
 * @throws Error after half a minute
 */
async function signIn(url: string, username: string): Promise<string | undefined> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
      signal: AbortSignal.timeout(20_000),
    })
    if (answer.ok) return ((await answer.json()) as { token: string }).token
    if (answer.status === 401 || answer.status === 403 || answer.status === 423) return undefined
    if (performance.now() > deadline) throw new Error(`${username} could not sign in: ${answer.status}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
