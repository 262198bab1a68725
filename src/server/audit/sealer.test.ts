import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { inTransaction } from '#server/platform/database/db.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { type Break, record, recordRepeated, sealRows, verifyChain } from './audit.ts'
import { block, faultsOf, marina, sealAll, source } from './test-rows.ts'

const t = forAllTests(testDatabase)
const clock = forAllTests(() => movableClock(t.database))

async function verify() {
  const breaks: Break[] = []
  const { head, ...found } = await verifyChain(t.database, (one) => void breaks.push(one))
  return { ...found, head: head ?? { position: -1, hash: '' }, faults: faultsOf(breaks) }
}

test('the sealer gives rows their places in the order in which they are committed', async () => {
  const late = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<number>()
  const slow = inTransaction(t.database, async (db) => {
    begun.resolve(await block(db, 1))
    await late.promise
  })
  const first = await begun.promise
  const second = await block(t.database, 2)
  expect(second).toBeGreaterThan(first)
  expect(await sealAll(t.database)).toBe(1)
  late.resolve()
  await slow
  expect(await sealAll(t.database)).toBe(1)
  const places =
    await t.sql`select id, position from audit_logs where id in (${first}, ${second}) order by position`
  expect(places.map(({ id }) => id)).toEqual([second, first])
  expect(await verify()).toMatchObject({ unsealed: 0, faults: [] })
})

test('the sealer makes one chain of what two instances write and seal at once', async () => {
  const other = t.openAgain()
  let isWriting = true
  const sealers = [t.database, other].map(async (database) => {
    let sealed = 0
    while (isWriting) sealed += await sealRows(database)
    return sealed
  })
  const before = await verify()
  await Promise.all(
    [t.database, other].flatMap((database) =>
      Array.from({ length: 4 }, async (_, writer) => {
        for (let n = 0; n < 40; n++) await block(database, writer * 100 + n)
      }),
    ),
  )
  isWriting = false
  const [one = 0, two = 0] = await Promise.all(sealers)
  const rest = await sealAll(t.database)
  expect(one + two + rest).toBe(320)
  expect(await verify()).toMatchObject({ sealed: before.sealed + 320, unsealed: 0, faults: [] })
})

test('the sealer loses and doubles no place when whoever seals is cut off', async () => {
  const sealer = t.openAgain()
  let isWriting = true
  let cut = 0
  const sealing = (async () => {
    while (isWriting) await sealRows(sealer).catch(() => 0)
  })()
  const cutting = (async () => {
    while (isWriting) {
      const gone = await t.sql`select pg_terminate_backend(pid) from pg_locks
             where locktype = 'advisory' and granted
               -- The other tests have databases on the same server.
               and database = (select oid from pg_database where datname = current_database())
               and (classid::bigint << 32) + objid::bigint = hashtextextended('audit', 0)`
      cut += gone.length
    }
  })()
  const before = await verify()
  for (let n = 0; n < 200; n++) await block(t.database, n)
  isWriting = false
  await Promise.all([sealing, cutting])
  await sealAll(t.database)
  expect(cut).toBeGreaterThan(0)
  expect(await verify()).toMatchObject({ sealed: before.sealed + 200, unsealed: 0, faults: [] })
})

test('the sealer counts repetitions in one row, and seals it when its minute is over', async () => {
  const deny = () =>
    recordRepeated(
      t.database,
      marina,
      { action: 'access.denied', details: { call: 'GET /api/users', reason: 'auth.forbidden' } },
      'GET /api/users',
    )
  await Promise.all(Array.from({ length: 30 }, deny))
  await deny()
  expect(await sealAll(t.database)).toBe(0)
  const counted = () =>
    t.sql`select repeats, position is not null as "isSealed" from audit_logs
           where action = 'access.denied' order by id`
  expect(await counted()).toEqual([{ repeats: 31, isSealed: false }])
  await clock.forward(61_000)
  expect(await sealAll(t.database)).toBe(1)
  await deny()
  expect(await counted()).toEqual([
    { repeats: 31, isSealed: true },
    { repeats: 1, isSealed: false },
  ])
  expect(await verify()).toMatchObject({ unsealed: 1, faults: [] })
})

test('the sealer leaves a row alone whose repetition is being counted', async () => {
  await clock.forward(61_000)
  await inTransaction(t.database, async (db) => {
    await db.execute(sql`update audit_logs set repeats = repeats + 1 where repeat_key is not null`)
    expect(await sealAll(t.database)).toBe(0)
  })
  expect(await sealAll(t.database)).toBe(1)
  expect(await verify()).toMatchObject({ unsealed: 0, faults: [] })
})

test('the sealer goes no further when the head is gone', async () => {
  await block(t.database, 1)
  const { head } = await verify()
  await t.sql`delete from audit_head`
  await expect(sealRows(t.database)).rejects.toThrow('head')
  await t.sql`insert into audit_head (position, hash) values (${head.position}, ${head.hash})`
  expect(await sealAll(t.database)).toBe(1)
})

test('an audit row is neither changed nor deleted, sealed or not', async () => {
  await block(t.database, 1)
  for (const attempt of [
    sql`update audit_logs set details = '{}' where position = 1`,
    sql`update audit_logs set user_id = 2 where position is null`,
    sql`update audit_logs set position = null, hash = null where position = 1`,
    sql`delete from audit_logs where position = 1`,
    sql`delete from audit_logs where position is null`,
    sql`truncate audit_logs cascade`,
  ])
    await expect(t.database.execute(attempt)).rejects.toMatchObject({
      cause: { message: 'audit_logs: rows are only added' },
    })
  await sealAll(t.database)
})

test('an audit row has the values of persons apart', async () => {
  const id = await record(
    t.database,
    { source },
    {
      action: 'auth.login_failed',
      outcome: 'refused',
      details: { reason: 'auth.invalid_credentials' },
      personal: { typed: 'ana' },
    },
  )
  const [row] = await t.sql`select l.user_id as "userId", l.origin, l.details, p.values
          from audit_logs l join audit_personal p on p.log_id = l.id where l.id = ${id}`
  expect(row).toEqual({
    userId: null,
    origin: 'request',
    details: { reason: 'auth.invalid_credentials' },
    values: { typed: 'ana', address: '203.0.113.7', device: 'Prova/1.0' },
  })
  await sealAll(t.database)
})
