import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { hashPassword } from '#server/users/sign-in/passwords.ts'
import { makeAccounts, openSessions, password } from '../access/world/people.ts'
import { defineScenario } from '../support/scenario.ts'
import { startTwoPrograms, type TwoPrograms } from './two-programs.ts'

interface Environment extends TwoPrograms {
  /** Of the password, as slow to compare as any. */
  hashed: string
}

interface Seen {
  guesses: number
  tooMany: string[]
  letIn: string[]
  ended: string[]
  people: number
  keptOut: string[]
}

const login = (username: string, given: string, address: string) => ({
  method: 'POST' as const,
  path: '/api/auth/login',
  address,
  body: { username, password: given },
})

const guesses = 200
let given = 0
/** An address that was not used before, or one that is shared. */
const newAddress = () => {
  given++
  return `10.${given >> 16}.${(given >> 8) & 255}.${given & 255}`
}

/** How many wrong passwords were compared: only their rows tell the attempt. */
async function compared(at: Environment, userId: number): Promise<number> {
  const found = await rows(
    at.database,
    sql`select 1 from audit_logs where action = 'auth.login_failed' and resource_type = 'user'
           and resource_id = ${String(userId)} and details ? 'attempt'`,
  )
  return found.length
}

/** Two hundred wrong passwords and the right one at once, on two programs, while the person works. */
async function guess(at: Environment, role: 'operator' | 'admin', address: string | null, seen: Seen) {
  const username = `alvo-${++given}`
  const [id = 0] = await makeAccounts(at.database, [{ username, role }], at.hashed)
  const [token = ''] = await openSessions(at.database, [id])
  const what = `${role}, from ${address === null ? 'everywhere' : 'one address'}`
  const isAtWork = async (when: string) => {
    for (const program of [0, 1]) {
      const call = { method: 'GET' as const, path: '/api/auth/me', address: newAddress(), token }
      const { status } = await at.call(program, call)
      if (status !== 200) seen.ended.push(`${what}: ${status} ${when}`)
    }
  }
  await isAtWork('before')
  const wrong = Array.from({ length: guesses }, (_, n) =>
    at.call(n, login(username, `errada-${n}`, address ?? newAddress())),
  )
  const right = at.call(0, login(username, password, newAddress()))
  const [statuses, { status: rightStatus }] = await Promise.all([Promise.all(wrong), right])
  seen.guesses += guesses
  const count = await compared(at, id)
  // A right password in between begins the count anew.
  const most = rightStatus === 200 ? 6 : 3
  if (count > most) seen.tooMany.push(`${what}: ${count} compared, the right one ${rightStatus}`)
  const isIn = statuses.filter(({ status }) => status === 200).length
  if (isIn > 0) seen.letIn.push(`${what}: ${isIn} wrong passwords`)
  await isAtWork('afterwards')
  for (const program of [0, 1]) {
    const { status } = await at.call(program, login(username, password, newAddress()))
    // Locked for good, or for a while.
    if (status !== (role === 'admin' ? 423 : 403))
      seen.letIn.push(`${what}: ${status} for the right one later`)
  }
}

/** The people of an office sign in at the same moment; some of them mistype twice. */
async function openOffice(
  at: Environment,
  size: number,
  mistaken: number,
  isOneProgram: boolean,
  seen: Seen,
) {
  const address = newAddress()
  const usernames = Array.from({ length: size }, () => `gente-${++given}`)
  await makeAccounts(
    at.database,
    usernames.map((username) => ({ username, role: 'operator' as const })),
    at.hashed,
  )
  await Promise.all(
    usernames.map(async (username, n) => {
      const program = isOneProgram ? 0 : n
      const typed = n < mistaken ? ['erada', 'erradaa', password] : [password]
      const answers: number[] = []
      for (const text of typed) answers.push((await at.call(program, login(username, text, address))).status)
      seen.people++
      const wanted = typed.map((text) => (text === password ? 200 : 401))
      if (answers.join() === wanted.join()) return
      seen.keptOut.push(
        `${isOneProgram ? 'one program' : 'two programs'}, ${username}: ${answers.join(', ')}`,
      )
    }),
  )
}

/**
 * Guesses passwords of an account at once through two programs, each with a memory of its own; and lets the
 * people of an office sign in behind one address.
 */
export const passwords = defineScenario({
  options: { rounds: 4, people: 30, mistaken: 5 },
  nightly: {},

  async arrange({ defer }): Promise<Environment> {
    const at = await startTwoPrograms(defer)
    return { ...at, hashed: await hashPassword(password) }
  },

  async act(at, { options: { rounds, people, mistaken }, print, seconds }) {
    const seen: Seen = { guesses: 0, tooMany: [], letIn: [], ended: [], people: 0, keptOut: [] }
    for (let n = 0; n < rounds; n++) {
      await openOffice(at, people, mistaken, n % 2 === 0, seen)
      for (const role of ['operator', 'admin'] as const)
        for (const address of [null, newAddress()]) await guess(at, role, address, seen)
      print(`  ${n + 1} rounds in ${seconds()} s`)
    }
    return seen
  },

  check: ({ guesses: made, tooMany, letIn, ended, people, keptOut }) => [
    { property: 'at most three of the guesses are compared', checked: made, faults: tooMany },
    { property: 'no wrong password lets in, and the right one no more', checked: made, faults: letIn },
    { property: 'who works already goes on working', checked: made, faults: ended },
    { property: 'everybody of an office gets in', checked: people, faults: keptOut },
  ],
})
