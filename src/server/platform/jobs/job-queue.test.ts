import { fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { testAtNight } from '#server/testing/nightly.ts'
import { above, eventually, forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { createLog } from '../log.ts'
import { migrateDatabase } from '#server/platform/database/migrate.ts'
import { defineJob, type JobContext, type JobDefinition } from './job-definition.ts'
import { type JobQueue, startJobQueue } from './job-queue.ts'

let other: Database
const t = forAllTests(testDatabase)

beforeAll(async () => {
  other = t.openAgain()
})

const queues: JobQueue[] = []
const stopQueues = () => Promise.all(queues.splice(0).map((queue) => queue.stop()))

const log = createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent')
async function instance(jobs: readonly JobDefinition<never>[], database = t.database): Promise<JobQueue> {
  const queue = startJobQueue({ database, log }, jobs)
  queues.push(queue)
  await queue.ready()
  return queue
}

let names = 0
/** A job whose name no other test uses. */
const job = (
  work: (context: JobContext<{ n: number }>) => Promise<void>,
  options: Partial<JobDefinition<{ n: number }>> = {},
) => defineJob<{ n: number }>({ name: `test-${++names}`, afterCrash: 'again', work, ...options })

const start = (queue: JobQueue, one: JobDefinition<{ n: number }>, n = 1, startedBy?: number) =>
  inTransaction(t.database, (db) => queue.start(db, one, { data: { n }, ...(startedBy && { startedBy }) }))

interface Run extends Record<string, unknown> {
  name: string
  state: string
  attempt: number
  step: string | null
  done: number
  total: number | null
  error: string | null
  isFinished: boolean
}
const runOf = async (id: string | undefined) =>
  (
    await t.sql<Run>`select name, state, attempt, step, done::int, total::int, error,
           finished_at is not null as "isFinished"
            from job_runs where id = ${id}`
  )[0]
const became = (id: string | undefined, state: string) => eventually(() => runOf(id), { state })

/** Work that waits until it is released. */
function gate() {
  const opened = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  return {
    open: () => opened.resolve(),
    entered: entered.promise,
    pass: () => {
      entered.resolve()
      return opened.promise
    },
  }
}

describe('a job', () => {
  afterEach(stopQueues)

  test('a job that was started ten times runs ten times over two instances, with its data', async () => {
    const ran: string[] = []
    const one = (where: string) => ({ ...counted, work: (c: JobContext<{ n: number }>) => note(where, c) })
    const note = async (where: string, { data }: JobContext<{ n: number }>) => {
      ran.push(`${where}${data.n}`)
      await wait(20)
    }
    const counted = job(() => Promise.resolve())
    const here = await instance([one('a')])
    await instance([one('b')], other)
    const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => start(here, counted, n)))
    for (const id of ids) await became(id, 'done')
    expect(new Set(ran.map((entry) => Number(entry.slice(1))))).toEqual(new Set(ids.keys()))
    expect(ran).toHaveLength(10)
    expect(await runOf(ids[0])).toMatchObject({
      name: counted.name,
      attempt: 1,
      isFinished: true,
      error: null,
    })
  })

  test('a job of a transaction that was rolled back never runs', async () => {
    let ran = 0
    const one = job(() => Promise.resolve(void ran++))
    const queue = await instance([one])
    let id: string | undefined
    const failing = inTransaction(t.database, async (db) => {
      id = await queue.start(db, one, { data: { n: 1 } })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(id).toBeDefined()
    await became(await start(queue, one), 'done')
    expect(await runOf(id)).toBeUndefined()
    expect(ran).toBe(1)
  })

  test('a job that was started is signalled with the commit, so no instance waits for a poll', async () => {
    const one = job(() => Promise.resolve())
    const queue = await instance([one])
    const send = vi.spyOn(t.database.signals, 'send')
    await inTransaction(t.database, async (db) => {
      await queue.start(db, one, { data: { n: 1 } })
      expect(send).not.toHaveBeenCalled()
    })
    expect(send.mock.calls).toEqual([['jobs']])
    send.mockRestore()
  })

  test('a job shows how far it is', async () => {
    const held = gate()
    const one = job(async ({ progress }) => {
      await progress(40, 100, 'contacts')
      await held.pass()
      await progress(100, 100, 'messages')
    })
    const id = await start(await instance([one]), one)
    await held.entered
    expect(await runOf(id)).toMatchObject({ state: 'running', done: 40, total: 100, step: 'contacts' })
    held.open()
    expect(await became(id, 'done')).toMatchObject({ done: 100, step: 'messages' })
  })

  test('a job that is cancelled stops with its next progress; one that waits never begins', async () => {
    let steps = 0
    let ended: boolean | undefined
    const one = job(async ({ progress, isCancelled }) => {
      try {
        for (;;) {
          await progress(++steps)
          await wait(10)
        }
      } finally {
        ended = isCancelled()
      }
    })
    const queue = await instance([one])
    const id = await start(queue, one)
    const waiting = await start(queue, one, 2)
    await eventually(() => steps, above(3))
    const cancel = (run: string | undefined) => inTransaction(t.database, (db) => queue.cancel(db, run ?? ''))
    expect(await cancel(waiting)).toBe(true)
    expect(await runOf(waiting)).toMatchObject({ state: 'cancelled', attempt: 0 })
    expect(await cancel(id)).toBe(true)
    await became(id, 'cancelled')
    expect(ended).toBe(true)
    const stoppedAt = steps
    await wait(100)
    expect(steps).toBe(stoppedAt)
    expect(await cancel(id)).toBe(false)
  })

  test('a job that is a singleton is refused while one waits or runs', async () => {
    const held = gate()
    const one = job(held.pass, { singleton: true })
    const queue = await instance([one])
    const id = await start(queue, one)
    await held.entered
    expect(await start(queue, one)).toBeUndefined()
    held.open()
    await became(id, 'done')
    await became(await eventually(() => start(queue, one), Boolean), 'done')
  })

  test('a job that throws has failed, with its words; with retries it is tried again', async () => {
    const failing = job(() => Promise.reject(new Error('no disk')))
    const flaky = job(
      ({ attempt }) => (attempt < 2 ? Promise.reject(new Error('not yet')) : Promise.resolve()),
      { retries: 2 },
    )
    const queue = await instance([failing, flaky])
    const [bad, good] = [await start(queue, failing), await start(queue, flaky)]
    expect(await became(bad, 'failed')).toMatchObject({
      attempt: 1,
      error: 'Error: no disk',
      isFinished: true,
    })
    expect(await became(good, 'done')).toMatchObject({ attempt: 2, error: null })
    expect(await runOf(bad)).toMatchObject({ state: 'failed', attempt: 1 })
  })

  test('a stop of the job queue waits for what ends, and hands over what was interrupted', async () => {
    const seen: string[] = []
    const deaf = gate()
    const quick = job(async () => {
      await deaf.pass()
      seen.push('quick ended')
    })
    const long = (where: string) => ({
      ...loop,
      work: async ({ progress, attempt }: JobContext<{ n: number }>) => {
        seen.push(`${where} ${attempt}`)
        while (where === 'first') {
          await progress(1)
          await wait(10)
        }
      },
    })
    const loop = job(() => Promise.resolve())
    const first = await instance([quick, long('first')])
    const [ends, moves] = [await start(first, quick), await start(first, loop)]
    await deaf.entered
    await became(moves, 'running')
    await instance([long('second')], other)
    const stopped = first.stop().then(() => seen.push('stopped'))
    await wait(50)
    deaf.open()
    await stopped
    expect(await runOf(ends)).toMatchObject({ state: 'done' })
    await became(moves, 'done')
    // The second instance may take the interrupted run over before the other one has ended.
    expect(seen.filter((entry) => entry !== 'second 2')).toEqual(['first 1', 'quick ended', 'stopped'])
    expect(seen.filter((entry) => entry === 'second 2')).toHaveLength(1)
  })
})

test('instances that start together on an empty database make the tables of the queue once', async () => {
  const empty = await testDatabase()
  await empty.sql`drop schema pgboss cascade`
  const databases = [empty.database, empty.openAgain(), empty.openAgain()]
  await Promise.all(databases.map((database) => migrateDatabase(database)))
  const [row] = await empty.sql`select count(*)::int as versions from pgboss.version`
  expect(row).toEqual({ versions: 1 })
  await empty.close()
})

// Both wait for the timers of the queue.
describe.concurrent('by time', () => {
  afterAll(stopQueues)

  testAtNight('a scheduled job runs once each minute over two instances', async () => {
    let ran = 0
    const one = defineJob({
      name: 'test-scheduled',
      schedule: '* * * * *',
      afterCrash: 'again',
      work: () => Promise.resolve(void ran++),
    })
    const minute = () => Math.floor(Date.now() / 60_000)
    const first = minute()
    await Promise.all([instance([one]), instance([one], other)])
    // Due at any second, since the current minute has begun.
    await eventually(() => ran, above(0), 40_000)
    await wait(500)
    expect(ran).toBeLessThanOrEqual(1 + minute() - first)
    const runs = await t.sql`select state, started_by from job_runs where name = 'test-scheduled'`
    expect(runs[0]).toEqual({ state: 'done', started_by: null })
    expect(runs).toHaveLength(ran)
  })

  testAtNight('the run of a killed process starts again within 20 seconds, or fails', async () => {
    const ran: number[] = []
    const jobs = (['again', 'fail'] as const).map((afterCrash) =>
      defineJob<{ n: number }>({
        name: `crash-${afterCrash}`,
        afterCrash,
        work: ({ attempt }) => Promise.resolve(void ran.push(attempt)),
      }),
    )
    const [again, fail] = jobs
    if (!again || !fail) throw new Error('no jobs')
    const { host, port, user } = inject('postgres')
    const connection = { host, port, user, database: t.name }
    const child = fork(new URL('./test-job-process.ts', import.meta.url).pathname, [
      JSON.stringify(connection),
    ])
    const taken: unknown[] = []
    child.on('message', (message) => taken.push(message))
    // Knows the queues, and works on none of them.
    const starter = await instance([])
    await eventually(() => t.sql`select 1 from pgboss.queue where name like 'crash-%'`, { length: 2 }, 40_000)
    const [repeated, failed] = [await start(starter, again), await start(starter, fail)]
    await eventually(() => taken, { length: 2 }, 40_000)
    child.kill('SIGKILL')
    const killedAtMs = performance.now()
    await instance(jobs, other)
    await eventually(() => runOf(repeated), { state: 'done' }, 40_000)
    expect(await runOf(repeated)).toMatchObject({ attempt: 2 })
    const seconds = (performance.now() - killedAtMs) / 1000
    expect(await became(failed, 'failed')).toMatchObject({ attempt: 1, error: 'interrupted' })
    expect(ran).toEqual([2])
    expect(seconds).toBeLessThan(20)
  })
})
