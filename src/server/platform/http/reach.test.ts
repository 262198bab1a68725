import { drizzle } from 'drizzle-orm/pg-proxy'
import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '#server/platform/database/db.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import {
  isInReach,
  isInReachOfParams,
  reachColumns,
  type ReachFacts,
  reachOf,
  reachParams,
  type Reader,
} from './reach.ts'

const t = forAllTests(testDatabase)

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
let state = seed
/** A whole number below `n`. */
function dice(n: number): number {
  state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
  return Math.floor((state / 2 ** 32) * n)
}
const one = <Value>(...values: Value[]): Value => values[dice(values.length)] as Value
const some = (most: number) => Array.from({ length: dice(most + 1) }, () => 1 + dice(4))

const reader = (): Reader => ({
  id: 1 + dice(4),
  numberIds: one(null, null, [1 + dice(3)], [1 + dice(3), 1 + dice(3)], []),
  scope: one('own' as const, 'sector' as const, 'all' as const),
  sectors: [...new Set(some(3))].map((id) => ({ id, isLead: dice(4) === 0 })),
})

const conversation = (): ReachFacts => {
  const status = one('waiting', 'active', 'completed', 'completed')
  const assignedUserId = one(null, 1 + dice(4))
  return {
    instanceId: 1 + dice(3),
    sectorId: one(null, 1 + dice(4), 1 + dice(4)),
    assignedUserId,
    status,
    subStatus: one('FILA', 'OPERADOR'),
    waitingFor: one('operator', 'client'),
    peopleIds:
      status === 'completed' ? [...new Set([...some(2), ...(assignedUserId ? [assignedUserId] : [])])] : [],
  }
}

/** A temporary table in place of the real ones, whose names it has: `pg_temp` comes first. */
async function isFoundBy(readers: readonly Reader[], facts: readonly ReachFacts[], by: (who: Reader) => SQL) {
  return t.database.transaction(async (db) => {
    await db.execute(
      sql`create temp table v (id int, instance_id int, sector_id int, assigned_user_id int, status text)
            on commit drop`,
    )
    await db.execute(
      sql`create temp table conversation_people (conversation_id int, user_id int) on commit drop`,
    )
    const json = JSON.stringify(facts.map((fact, id) => ({ ...fact, id })))
    await db.execute(
      sql`insert into v select x.id, x."instanceId", x."sectorId", x."assignedUserId", x.status
            from jsonb_to_recordset(${json}::jsonb)
              as x(id int, "instanceId" int, "sectorId" int, "assignedUserId" int, status text)`,
    )
    await db.execute(
      sql`insert into conversation_people select x.id, p::int
            from jsonb_to_recordset(${json}::jsonb) as x(id int, "peopleIds" jsonb),
                 jsonb_array_elements_text(x."peopleIds") p`,
    )
    const found: Set<number>[] = []
    for (const who of readers)
      found.push(
        new Set(
          (await rows<{ id: number }>(db as never, sql`select id from v where ${by(who)}`)).map(
            ({ id }) => id,
          ),
        ),
      )
    return found
  })
}

/** The prepared form, with the values in place of its placeholders. */
function withValues(who: Reader): SQL {
  const params: Record<string, unknown> = { ...reachParams(who) }
  const query = drizzle(async () => ({ rows: [] }))
    .select({ one: sql`1` })
    .from(sql`v`)
    .where(isInReachOfParams(reachColumns('v')))
    .toSQL()
  const text = query.sql.slice(query.sql.indexOf('where') + 'where'.length)
  const parts = text.split(/\$\d+/)
  return sql.join(
    parts.flatMap((part, n) => {
      const name = (query.params[n] as { name?: string } | undefined)?.name
      return name === undefined ? [sql.raw(part)] : [sql.raw(part), sql`${sql.param(params[name])}`]
    }),
    sql``,
  )
}

test(`the function and both conditions of SQL agree on 100,000 random facts (SEED=${seed})`, async () => {
  const readers = Array.from({ length: 100 }, reader)
  const facts = Array.from({ length: 1000 }, conversation)
  const expected = readers.map(
    (who) => new Set(facts.flatMap((fact, id) => (reachOf(who, fact) === 'whole' ? id : []))),
  )
  expect(await isFoundBy(readers, facts, (who) => isInReach(who, reachColumns('v')) ?? sql`true`)).toEqual(
    expected,
  )
  expect(await isFoundBy(readers, facts, withValues)).toEqual(expected)
  // Of each kind there are many, or nothing is compared.
  const sizes = expected.map(({ size }) => size)
  expect(sizes.filter((size) => size > 0 && size < facts.length).length).toBeGreaterThan(50)
})

const clara = { id: 1, numberIds: null, sectors: [{ id: 7, isLead: false }] }
const open: ReachFacts = {
  instanceId: 1,
  sectorId: 7,
  assignedUserId: 2,
  status: 'active',
  subStatus: 'OPERADOR',
  waitingFor: 'operator',
  peopleIds: [],
}
const queued = { ...open, assignedUserId: null, status: 'waiting', subStatus: 'FILA' }
const completed = { ...open, status: 'completed' }

test.each([
  ['own', 'an open one of a colleague in the same sector', open, 'none'],
  ['own', 'one that waits in the queue of the sector', queued, 'card'],
  ['own', 'one that waits in the queue of another sector', { ...queued, sectorId: 8 }, 'none'],
  ['own', 'one without a sector that waits', { ...queued, sectorId: null }, 'none'],
  ['own', 'an open one of their own in any sector', { ...open, sectorId: 8, assignedUserId: 1 }, 'whole'],
  ['own', 'a completed one in which they wrote', { ...completed, peopleIds: [1, 2] }, 'whole'],
  ['own', 'a completed one of the sector alone', { ...completed, peopleIds: [2] }, 'none'],
  ['sector', 'an open one of a colleague in the same sector', open, 'whole'],
  ['sector', 'a completed one of the sector', { ...completed, peopleIds: [2] }, 'whole'],
  ['sector', 'an open one of another sector', { ...open, sectorId: 8 }, 'none'],
  [
    'sector',
    'a completed one of another sector that they once had',
    { ...completed, sectorId: 8, peopleIds: [1] },
    'whole',
  ],
  ['sector', 'one without a sector that waits', { ...queued, sectorId: null }, 'none'],
  ['all', 'one without a sector that waits', { ...queued, sectorId: null }, 'whole'],
] as const)("with the scope '%s', of %s a person sees: %j", (scope, _what, facts, reach) => {
  expect(reachOf({ ...clara, scope }, facts)).toBe(reach)
})

test('whoever leads a sector sees all of their sectors, and what has none', () => {
  const sectors = [
    { id: 7, isLead: true },
    { id: 9, isLead: false },
  ]
  const lead: Reader = { ...clara, scope: 'sector', sectors }
  expect([7, 9, null, 8].map((sectorId) => reachOf(lead, { ...queued, sectorId }))).toEqual([
    'whole',
    'whole',
    'whole',
    'none',
  ])
})
