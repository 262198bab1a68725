import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Db, inTransaction } from '#server/platform/database/db.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { countUp, takeNobodysAttempt } from './attempts.ts'

const t = forAllTests(() => testDatabase())

/** Counts once in a transaction that began first, and before it elsewhere. */
const inOtherOrder = (once: (db: Db) => Promise<number | undefined>) =>
  inTransaction(t.database, async (db) => {
    await db.execute(sql`select now()`)
    const first = await once(t.database)
    return [first, await once(db)]
  })

test('who counts after somebody who began later counts on', async () => {
  expect(await inOtherOrder((db) => countUp(db, 'k', 15))).toEqual([1, 2])
  expect(await countUp(t.database, 'k', 15)).toBe(3)
})

test('who guesses after somebody who began later has an attempt, too', async () => {
  expect(await inOtherOrder((db) => takeNobodysAttempt(db, 'nobody:k'))).toEqual([1, 2])
  expect(await takeNobodysAttempt(t.database, 'nobody:k')).toBe(3)
  expect(await takeNobodysAttempt(t.database, 'nobody:k')).toBeUndefined()
})

test('a window that was begun while the clock was wrong is begun again', async () => {
  await t.sql`insert into rate_limits (key, count, window_ends_at) values
    ('ahead', 50, app_now() + interval '16 minutes'), ('over', 50, app_now() - interval '1 second')`
  for (const key of ['ahead', 'over']) {
    expect(await countUp(t.database, key, 15)).toBe(1)
    expect(await countUp(t.database, key, 15)).toBe(2)
  }
})
