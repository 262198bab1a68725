import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { eventually, forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { createLog } from '../log.ts'
import { createWorker, type NextPass, type Pass, type Worker, type WorkerOptions } from './worker.ts'

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
