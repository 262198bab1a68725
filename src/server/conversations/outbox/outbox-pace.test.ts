import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { testDatabase, type TestDatabase, testNumber } from '#server/testing/test-app.ts'
import { noteHealth, takeTurn, type Turn } from './outbox-pace.ts'

let t: TestDatabase
let instanceId: number

beforeAll(async () => {
  t = await testDatabase()
  instanceId = await testNumber(t.database)
})
beforeEach(() =>
  gateway(`failures = 0, breaker_until = null, next_send_at = now(), next_automatic_at = now()`),
)
afterAll(() => t.close())

const gateway = (change: string) => t.database.execute(sql.raw(`update evolution_api_config set ${change}`))
const breaker = async () =>
  (
    await rows<{ failures: number; seconds: number | null }>(
      t.database,
      sql`select failures, extract(epoch from breaker_until - now())::float8 as seconds from evolution_api_config`,
    )
  )[0]

/** So many ask at the same moment. @returns the turns that were given */
async function ask(times: number, priority: number): Promise<Turn[]> {
  const asked = Array.from({ length: times }, () =>
    inTransaction(t.database, (db) => takeTurn(db, { instanceId, priority }, 90_000)),
  )
  return (await Promise.all(asked)).filter((turn) => turn !== undefined)
}

test('what people write gets a moment each, one after the other at the pace', async () => {
  const turns = await ask(6, 0)
  expect(turns).toHaveLength(6)
  const waits = turns.map((turn) => turn.waitMs).toSorted((a, b) => a - b)
  const [first = 0, ...others] = waits
  expect(first).toBeLessThanOrEqual(0)
  // A tenth of a second each, less what passed while they waited for each other.
  for (const [n, wait] of others.entries()) expect(wait).toBeLessThanOrEqual(100 * (n + 1))
})

test('of automatic texts that ask at the same moment one goes', async () => {
  expect(await ask(6, 10)).toHaveLength(1)
  expect(await ask(3, 10)).toHaveLength(0)
  expect(await ask(1, 0)).toHaveLength(1)
})

test('while the breaker is open nobody goes, and then one goes as the probe', async () => {
  await gateway(`failures = 5, breaker_until = now() + interval '15 seconds'`)
  expect(await ask(4, 0)).toEqual([])
  await gateway(`breaker_until = now()`)
  expect(await ask(6, 0)).toMatchObject([{ isProbe: true }])
  expect(await ask(6, 0)).toEqual([])
})

test('the probe closes the breaker, or opens it for another fifteen seconds', async () => {
  await gateway(`failures = 5, breaker_until = now()`)
  await ask(1, 0)
  expect((await breaker())?.seconds).toBeGreaterThan(60)
  await noteHealth(t.database, { instanceId, isProbe: true }, false, 15_000)
  expect((await breaker())?.seconds).toBeLessThanOrEqual(18)
  await noteHealth(t.database, { instanceId, isProbe: true }, true, 15_000)
  expect(await breaker()).toEqual({ failures: 0, seconds: null })
})

test('what was sent before it opened and fails while the probe is under way lets no second one through', async () => {
  await gateway(`failures = 5, breaker_until = now()`)
  await ask(1, 0)
  await noteHealth(t.database, { instanceId, isProbe: false }, false, 15_000)
  expect((await breaker())?.seconds).toBeGreaterThan(60)
})
