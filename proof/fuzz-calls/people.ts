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

/** Retries, since the queue of password checks may be full. @throws Error after half a minute */
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
