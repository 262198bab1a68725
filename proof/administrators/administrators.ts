import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { makeAccounts, openSessions } from '../access/world/people.ts'
import { startWorld, type World } from '../access/world/world.ts'
import { defineScenario } from '../support/scenario.ts'

/** How one administrator ends the rights of another. */
const acts = {
  demote: (id: number) => ({ method: 'PUT', path: `/api/users/${id}`, body: { role: 'operator' } }),
  supervise: (id: number) => ({ method: 'PUT', path: `/api/users/${id}`, body: { role: 'supervisor' } }),
  deactivate: (id: number) => ({ method: 'PUT', path: `/api/users/${id}`, body: { isActive: false } }),
  block: (id: number) => ({ method: 'POST', path: `/api/users/${id}/toggle-block` }),
  delete: (id: number) => ({ method: 'DELETE', path: `/api/users/${id}` }),
} as const
type Act = keyof typeof acts
const names = Object.keys(acts) as Act[]

interface Admin {
  id: number
  token: string
}

/** The only two administrators who may sign in. */
async function onlyAdmins(world: World): Promise<[Admin, Admin]> {
  const { database } = world
  await database.execute(
    sql`update users set deleted_at = app_now() where role = 'admin' and deleted_at is null`,
  )
  const ids = await makeAccounts(
    database,
    [1, 2].map(() => ({ username: `chefe-${world.next()}`, role: 'admin' as const })),
  )
  const tokens = await openSessions(database, ids)
  return ids.map((id, n) => ({ id, token: tokens[n] ?? '' })) as [Admin, Admin]
}

async function usableAdmins(database: Database): Promise<number> {
  const found = await rows(
    database,
    sql`select 1 from users where role = 'admin' and is_active and not is_blocked and deleted_at is null`,
  )
  return found.length
}

interface Seen {
  rounds: number
  /** How often each pair of answers came. */
  answers: Map<string, number>
  without: string[]
  both: string[]
  self: { tried: number; faults: string[] }
}

async function playRound(world: World, pair: [Act, Act], random: Random, seen: Seen): Promise<void> {
  const [ana, bia] = await onlyAdmins(world)
  const [one, two] = random() < 0.5 ? [0, 1] : [1, 0]
  const answers = await Promise.all([
    world.send(one, { ...acts[pair[0]](bia.id), token: ana.token }),
    world.send(two, { ...acts[pair[1]](ana.id), token: bia.token }),
  ])
  seen.rounds++
  const statuses = answers.map(({ status }) => status)
  const key = statuses.toSorted((a, b) => a - b).join(' and ')
  seen.answers.set(key, (seen.answers.get(key) ?? 0) + 1)
  const left = await usableAdmins(world.database)
  const what = `${pair.join(' against ')}: ${statuses.join(' and ')}, ${left} left`
  if (left === 0) seen.without.push(what)
  const done = statuses.filter((status) => status < 300).length
  const isRefused = statuses.every((status) => status < 300 || [401, 403, 409].includes(status))
  if (done !== 1 || left !== 1 || !isRefused) seen.both.push(what)
}

/** Whoever is alone, or not, ends nothing of his own. */
async function tryOneself(world: World, seen: Seen): Promise<void> {
  for (const isAlone of [false, true])
    for (const name of names) {
      const [ana, bia] = await onlyAdmins(world)
      if (isAlone) await world.database.execute(sql`update users set is_blocked = true where id = ${bia.id}`)
      const { status } = await world.send(0, { ...acts[name](ana.id), token: ana.token })
      seen.self.tried++
      const left = await usableAdmins(world.database)
      if (status !== 403 || left !== (isAlone ? 1 : 2))
        seen.self.faults.push(`${name}: ${status}, ${left} left`)
    }
}

/**
 * Two administrators, the only ones, end each other's rights at the same moment, each by another instance: by
 * another role, deactivation, a block or deletion, in all pairs. One of them must remain.
 */
export const administrators = defineScenario({
  options: { rounds: 1000 },
  nightly: {},

  arrange({ defer }): Promise<World> {
    return startWorld([], defer)
  },

  async act(world, { options: { rounds }, random, print, seconds }) {
    const seen: Seen = {
      rounds: 0,
      answers: new Map(),
      without: [],
      both: [],
      self: { tried: 0, faults: [] },
    }
    const pairs = names.flatMap((first) => names.map((second): [Act, Act] => [first, second]))
    for (let n = 0; n < rounds; n++) {
      await playRound(world, pairs[n % pairs.length] as [Act, Act], random, seen)
      if ((n + 1) % 250 === 0) print(`  ${n + 1} rounds in ${seconds()} s`)
    }
    await tryOneself(world, seen)
    return seen
  },

  check(seen, { at }, { print }) {
    print([...seen.answers].map(([key, n]) => `${n} × ${key}`).join(', '))
    return [
      { property: 'an administrator is left', checked: seen.rounds, faults: seen.without },
      { property: 'one of the two acts is done, the other refused', checked: seen.rounds, faults: seen.both },
      { property: 'nobody ends his own rights', checked: seen.self.tried, faults: seen.self.faults },
      { property: 'no two transactions wait for each other', checked: 1, faults: at.deadlocks() },
    ]
  },
})
