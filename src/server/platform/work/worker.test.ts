import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { eventually, forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { seededRandom } from '#server/testing/inputs/seeded-random.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '../log.ts'
import { createWorker, type NextPass, type Pass, type Worker, type WorkerOptions } from './worker.ts'
import { createWorkerSleep } from './worker-sleep.ts'
import { type PeriodicTask, runIfDue, startPeriodicTasks } from './periodic.ts'

const t = forAllTests(testDatabase)

beforeAll(async () => {
  // A new listening session signals every listener once.
  await eventually(
    () =>
      t.database.pool.query(
        `select from pg_stat_activity where datname = current_database() and query = 'listen balcao'
                                                       and state = 'idle'`,
      ),
    { rowCount: 1 },
  )
})

const started: Worker[] = []
afterEach(() => Promise.all(started.splice(0).map((worker) => worker.stop())))

const long = 60_000
function start(work: WorkerOptions['work'], options: Partial<WorkerOptions> = {}): Worker {
  const worker = createWorker({
    name: 'test',
    database: t.database,
    log: createLog('silent'),
    channel: 'media',
    pollMs: long,
    work,
    ...options,
  })
  started.push(worker)
  return worker
}

/** Work that lasts until it is released, and counts how much of it is in progress. */
function heldWork(next: NextPass = 'idle') {
  const passes: { pass: Pass; end: () => void }[] = []
  let underWay = 0
  let most = 0
  const work = async (pass: Pass) => {
    most = Math.max(most, ++underWay)
    await new Promise<void>((resolve) => passes.push({ pass, end: resolve }))
    underWay--
    return next
  }
  return { work, passes, most: () => most }
}

test('a worker makes a pass at once, with each signal, and while there is more', async () => {
  let left = 3
  const reasons: string[] = []
  start(({ reason }) => {
    reasons.push(reason)
    return Promise.resolve(--left > 0 ? 'more' : 'idle')
  })
  await eventually(() => reasons, { length: 3 })
  left = 2
  t.database.signals.send('media')
  await eventually(() => reasons, { length: 5 })
  expect(reasons).toEqual(['poll', 'poll', 'poll', 'signal', 'signal'])
})

test('a worker is woken by a signal of another instance', async () => {
  let passes = 0
  start(() => Promise.resolve((passes++, 'idle')))
  await eventually(() => passes, 1)
  t.openAgain().signals.send('media')
  await eventually(() => passes, 2)
})

test('a worker polls without a signal, and waits as long as a pass said', async () => {
  const at: number[] = []
  start(() => Promise.resolve((at.push(performance.now()), at.length < 3 ? 'idle' : long)), { pollMs: 20 })
  await eventually(() => at.length, 3)
  await wait(100)
  expect(at).toHaveLength(3)
  expect((at[2] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(38)
})

test('a worker never makes two passes at once; signals that came meanwhile make one more', async () => {
  const held = heldWork()
  start(held.work)
  for (let n = 0; n < 5; n++) t.database.signals.send('media')
  held.passes[0]?.end()
  await eventually(() => held.passes, { length: 2 })
  held.passes[1]?.end()
  await wait(50)
  expect(held.passes).toHaveLength(2)
  expect(held.most()).toBe(1)
})

test('a worker with lanes makes as many at once as it has, one a signal', async () => {
  const held = heldWork()
  start(held.work, { concurrency: 3 })
  for (let n = 0; n < 8; n++) t.database.signals.send('media')
  await eventually(() => held.passes, { length: 3 })
  await wait(50)
  expect(held.passes).toHaveLength(3)
  expect(held.most()).toBe(3)
  // The first lane to end runs once more, for the signals that no lane was free for.
  for (const { end } of held.passes.splice(0)) end()
  await eventually(() => held.passes, { length: 1 })
  held.passes[0]?.end()
})

test('a worker wakes further lanes when a poll finds more than one lane can do', async () => {
  let left = 40
  let underWay = 0
  let most = 0
  start(
    async () => {
      most = Math.max(most, ++underWay)
      await wait(5)
      underWay--
      return --left > 0 ? 'more' : 'idle'
    },
    { concurrency: 4 },
  )
  await eventually(
    () => left,
    (count) => count <= 0,
  )
  expect(most).toBe(4)
})

test('a worker goes on polling while one lane is busy for long', async () => {
  const held = heldWork()
  start(held.work, { concurrency: 2, pollMs: 10 })
  await eventually(() => held.passes, { length: 2 })
  for (const { end } of held.passes) end()
})

test('a worker backs off after failures, further with each, and shows it', async () => {
  const at: number[] = []
  const worker = start(
    () => {
      at.push(performance.now())
      return at.length < 5 ? Promise.reject(new Error('no')) : Promise.resolve('idle')
    },
    { retryMs: 20 },
  )
  await eventually(() => at, { length: 4 })
  expect(worker.health()).toMatchObject([{ name: 'test', failures: 4, running: 0 }])
  await eventually(() => worker.health(), { 0: { failures: 0 } })
  const pauses = at.slice(1).map((ms, n) => Math.round(ms - (at[n] ?? 0)))
  for (const [n, ms] of [20, 40, 80, 160].entries()) expect(pauses[n]).toBeGreaterThanOrEqual(ms - 2)
  expect(worker.health()[0]?.sincePassMs).toBeLessThan(1000)
})

test('a worker stops with what is under way, says so to it, and begins nothing more', async () => {
  const held = heldWork('more')
  const worker = start(held.work, { concurrency: 2 })
  t.database.signals.send('media')
  await eventually(() => held.passes, { length: 2 })
  let isStopped = false
  const stopped = worker.stop().then(() => (isStopped = true))
  expect(held.passes.every(({ pass }) => pass.stopping.aborted)).toBe(true)
  held.passes[0]?.end()
  await wait(20)
  expect(isStopped).toBe(false)
  held.passes[1]?.end()
  await stopped
  t.database.signals.send('media')
  await wait(20)
  expect(held.passes).toHaveLength(2)
})

test('one signal wakes one lane, and the end wakes all of them', async () => {
  const lanes = createWorkerSleep()
  const ended: number[] = []
  const all = [1, 2, 3].map((n) => lanes.sleep(60_000).then(() => ended.push(n)))
  lanes.signal()
  await all[0]
  expect(ended).toEqual([1])
  lanes.wakeAll()
  await Promise.all(all)
  expect(ended).toHaveLength(3)
})

test('a signal sent while nobody slept is not lost', async () => {
  const lanes = createWorkerSleep()
  lanes.signal()
  expect(await lanes.sleep(60_000)).toBe('signal')
})

test('lanes share one poll: it wakes one of them, and the next poll another', async () => {
  const lanes = createWorkerSleep()
  const ended: string[] = []
  const startedAtMs = performance.now()
  const all = ['a', 'b'].map((name) => lanes.sleep(40).then((reason) => ended.push(`${name} ${reason}`)))
  await all[0]
  expect(ended).toEqual(['a poll'])
  await all[1]
  expect(ended).toEqual(['a poll', 'b poll'])
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(75)
})

test('a shorter wait brings the shared poll forward', async () => {
  const lanes = createWorkerSleep()
  const first = lanes.sleep(60_000)
  void lanes.sleep(1)
  expect(await first).toBe('poll')
  lanes.wakeAll()
})

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
