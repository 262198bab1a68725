import { openConfiguredDatabase } from '#server/open-database.ts'
import type { Config } from '#server/platform/config.ts'
import { createLog } from '#server/platform/log.ts'
import { createUser } from '#server/users/users.ts'
import type { Role } from '#shared/permissions.ts'
import type { Principal } from './calls.ts'

/** Sessions of every kind of person; one that ended is opened again by the next who needs it. */
export interface People {
  /** undefined: without a session. */
  tokenOf(principal: Principal, seat: number): Promise<string | undefined>
  /** The session was ended by a call of ours: the next one signs in again. */
  forget(token: string): void
  /** Ids of the people, an operator's first. */
  readonly ids: number[]
}

const roles: readonly Role[] = ['operator', 'supervisor', 'admin']
const seats = 4
const password = 'alface-roxa-de-prova'

/** Makes the people in the program's database, beside the program. */
export async function makePeople(url: string, config: Config): Promise<People> {
  const { database, close } = await openConfiguredDatabase(config, createLog('silent'), { attachOnly: true })
  const ids: number[] = []
  try {
    for (const role of roles)
      for (let seat = 0; seat < seats; seat++) {
        const username = nameOf(role, seat)
        ids.push(
          await createUser(database, {
            username,
            email: `${username}@prova.example`,
            name: username,
            password,
            role,
          }),
        )
      }
  } finally {
    await close()
  }
  const tokens = new Map<string, Promise<string>>()
  return {
    ids,
    async tokenOf(principal, seat) {
      if (principal === 'none') return undefined
      const username = nameOf(principal, seat % seats)
      const known = tokens.get(username)
      if (known) return known
      const signing = signIn(url, username)
      tokens.set(username, signing)
      return signing
    },
    forget(token) {
      for (const [username, known] of tokens)
        void known.then((one) => {
          if (one === token && tokens.get(username) === known) tokens.delete(username)
        })
    },
  }
}

const nameOf = (role: Role, seat: number) => `prova-${role}-${seat}`

/**
 * @throws Error when the person does not get in within half a minute; a full queue of passwords passes sooner
 */
async function signIn(url: string, username: string): Promise<string> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
      signal: AbortSignal.timeout(20_000),
    })
    if (answer.ok) return ((await answer.json()) as { token: string }).token
    if (performance.now() > deadline) throw new Error(`${username} could not sign in: ${answer.status}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
