import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { seededRandom } from '#server/testing/inputs/seeded-random.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import type { Database } from '#server/platform/database/db.ts'
import { type PeriodicTask, runIfDue, startPeriodicTasks } from './periodic.ts'
import { createLog } from '../log.ts'

const t = forAllTests(testDatabase)

beforeAll(() => t.sql`create table ticks (n serial, instance text)`)

const ticking = (database: Database, instance: string, everyMs = 0): PeriodicTask => ({
  name: 'tick',
  everyMs,
  work: async () => void (await database.execute(sql`insert into ticks (instance) values (${instance})`)),
})
const countTicks = async () => (await t.sql<{ n: number }>`select count(*)::int as n from ticks`)[0]?.n ?? 0

test('a due task runs on one of two instances, a thousand times, even after one died', async () => {
  const other = t.openAgain()
  const jobs = [ticking(t.database, 'a', 60_000), ticking(other, 'b', 60_000)] as const
  const both = async () => {
    const done = await Promise.all([runIfDue(t.database, jobs[0]), runIfDue(other, jobs[1])])
    return done.filter(Boolean).length
  }
  const first = await countTicks()
  let deaths = 0
  const random = seededRandom('periodic tasks')
  for (let n = 1; n <= 1000; n++) {
    await t.sql`update jobs set done_at = now() - interval '1 hour' where name = 'tick'`
    if (n > 1 && random() < 0.1) {
      deaths += 1
      // Its instance died: no other runs it before the lease has ended.
      await t.sql`update jobs set lease_until = now() + interval '1 hour' where name = 'tick'`
      expect(await both()).toBe(0)
      await t.sql`update jobs set lease_until = now() where name = 'tick'`
    }
    expect(await both()).toBe(1)
    expect((await countTicks()) - first).toBe(n)
  }
  expect(deaths).toBeGreaterThan(0)
}, 120_000)

test('what is not due yet is not done again', async () => {
  const job = { ...ticking(t.database, 'c', 60_000), name: 'rare' }
  expect(await runIfDue(t.database, job)).toBe(true)
  expect(await runIfDue(t.database, job)).toBe(false)
})

test('only one instance runs a task, and a dead one blocks it no longer than its lease', async () => {
  let release = () => undefined as void
  const begun = Promise.withResolvers<void>()
  const held = runIfDue(t.database, {
    name: 'held',
    everyMs: 0,
    work: () =>
      new Promise<void>((resolve) => {
        release = resolve
        begun.resolve()
      }),
  })
  const again = { ...ticking(t.database, 'd'), name: 'held' }
  await begun.promise
  expect(await runIfDue(t.database, again)).toBe(false)
  release()
  await held
  expect(await runIfDue(t.database, again)).toBe(true)
  await t.sql`update jobs set lease_until = now() + interval '1 second' where name = 'held'`
  expect(await runIfDue(t.database, again)).toBe(false)
  await t.sql`update jobs set lease_until = now() - interval '1 second' where name = 'held'`
  expect(await runIfDue(t.database, again)).toBe(true)
})

test('a failed task is tried again, and receives the time since its last success', async () => {
  const failing: PeriodicTask = { name: 'failing', everyMs: 0, work: () => Promise.reject(new Error('no')) }
  await expect(runIfDue(t.database, failing)).rejects.toThrow('no')
  const reported: (number | undefined)[] = []
  const good: PeriodicTask = { ...failing, work: async (idleMs) => void reported.push(idleMs) }
  await runIfDue(t.database, good)
  await t.sql`update jobs set done_at = now() - interval '5 minutes' where name = 'failing'`
  await runIfDue(t.database, good)
  expect(reported[0]).toBeUndefined()
  expect(Math.round((reported[1] ?? 0) / 1000)).toBe(300)
})

test('a periodic task stops on request, after the current run', async () => {
  const jobs = startPeriodicTasks(t.database, createLog('silent'), [ticking(t.database, 'e', 5)])
  await expect.poll(countTicks).toBeGreaterThan(2)
  await jobs.stop()
  const before = await countTicks()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await countTicks()).toBe(before)
})
