import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { eventually, forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { toDatabaseData } from '#server/platform/database/database-data.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { createLog } from '../log.ts'
import { attemptJob } from './job-attempt.ts'
import { defineJob } from './job-definition.ts'
import { createJobThreads, type JobThreads } from './job-threads.ts'
import { beginRun, saveProgress } from './job-runs.ts'

const t = forAllTests(testDatabase)

let threads: JobThreads
const stopping = new AbortController()
afterEach(() => threads.stop())

const given: unknown[] = []
/** As the program knows it; what it does stands in `test-job-thread.ts`. */
const job = defineJob<{ end: string }>({
  name: 'in-a-thread',
  afterCrash: 'again',
  apart: true,
  work: () => Promise.reject(new Error('not in a thread')),
  onGivenUp: async (_db, run) => void given.push(run),
})

/** Begins a run that ends in this way. */
function attempt(end: string, signal = stopping.signal) {
  const id = randomUUID()
  const program = new URL('test-job-thread.ts', import.meta.url)
  threads = createJobThreads(program, { database: toDatabaseData(t.database) }, 64)
  const parts = { database: t.database, log: createLog('silent'), threads }
  const outcome = attemptJob(parts, job as never, { id, data: { end } }, signal)
  // It may be read later.
  outcome.catch(() => undefined)
  return { id, outcome }
}

const runOf = async (id: string) =>
  (await t.sql`select state, step, done::int, error from job_runs where id = ${id}`)[0]
const isAtWork = (id: string) => eventually(() => runOf(id), { done: 1 })

test('a run in a thread reports its progress, and ends as one here does', async () => {
  const { id, outcome } = attempt('well')
  expect(await outcome).toBe('over')
  expect(await runOf(id)).toEqual({ state: 'done', step: 'well', done: 1, error: null })
  const failed = attempt('sql')
  expect(await failed.outcome).toBe('failed')
  expect(await runOf(failed.id)).toMatchObject({
    state: 'failed',
    error: 'error: relation "nowhere" does not exist',
  })
  expect(given).toEqual([])
})

test('an outage of the database in a thread is reported as such, and the run repeated', async () => {
  const { id, outcome } = attempt('down')
  await expect(outcome).rejects.toMatchObject({ code: '57P01', message: 'terminating connection' })
  expect(await runOf(id)).toMatchObject({ state: 'running' })
})

test.each([
  ['uncaught', 'crash', 'ThreadDied: TypeError: nobody catches this'],
  [
    'memory',
    'memory',
    'ThreadDied: Error: Worker terminated due to reaching memory limit: JS heap out of memory',
  ],
  ['exit', 'crash', 'ThreadDied: the thread has ended'],
])('a thread that dies (%s) fails its run alone, and the job learns why', async (end, death, error) => {
  const { id, outcome } = attempt(end)
  expect(await outcome).toBe('failed')
  expect(await runOf(id)).toMatchObject({ state: 'failed', error })
  expect(given.splice(0)).toEqual([{ runId: id, data: { end }, death }])
})

test('a run that another attempt has taken over is left to that when its thread dies', async () => {
  const { id, outcome } = attempt('exit once taken over')
  await isAtWork(id)
  await t.sql`update job_runs set attempt = attempt + 1 where id = ${id}`
  await outcome
  expect(await runOf(id)).toMatchObject({ state: 'running' })
  expect(given).toEqual([])
})

test('a stop reaches the thread, and the run goes on elsewhere', async () => {
  const stop = new AbortController()
  const { id, outcome } = attempt('obedient', stop.signal)
  await isAtWork(id)
  stop.abort()
  expect(await outcome).toBe('again')
  expect(await runOf(id)).toMatchObject({ state: 'queued', error: 'interrupted' })
})

test('a thread that does not end on its own is ended, and its run goes on elsewhere', async () => {
  const { id, outcome } = attempt('deaf')
  await isAtWork(id)
  await threads.stop()
  expect(await outcome).toBe('again')
  expect(await runOf(id)).toMatchObject({ state: 'queued' })
})

/** Attempts a run here, without a thread. */
const attemptHere = (job: object, id: string, data?: unknown) =>
  attemptJob(
    { database: t.database, log: createLog('silent') },
    job as never,
    { id, data },
    new AbortController().signal,
  )
/** An attempt whose process dies after it has reported how far it is. */
async function die(id: string, done?: number): Promise<void> {
  const run = await inTransaction(t.database, (db) => beginRun(db, { id, name: 'fatal' }, true))
  if (run.kind !== 'run') throw new Error(`the run is ${run.kind}`)
  if (done !== undefined) await saveProgress(t.database, { runId: id, attempt: run.attempt }, { done })
}

test('a run goes on however often its process dies, as long as it gets further', async () => {
  const id = randomUUID()
  for (let done = 1; done <= 30; done++) await die(id, done)
  const left: number[] = []
  const job = defineJob<{ n: number }>({
    name: 'fatal',
    afterCrash: 'again',
    work: async ({ data: { n } }) => void left.push(n),
  })
  expect(await attemptHere(job, id, { n: 7 })).toBe('over')
  expect(left).toEqual([7])
})

test('a run whose process dies ten times without any progress is given up, and says so', async () => {
  const id = randomUUID()
  for (let n = 0; n < 10; n++) await die(id, 0)
  const given: unknown[] = []
  const job = defineJob<{ n: number }>({
    name: 'fatal',
    afterCrash: 'again',
    work: async () => void given.push('work'),
    onGivenUp: async (_db, run) => void given.push(run),
  })
  expect(await attemptHere(job, id, { n: 7 })).toBe('failed')
  expect(given).toEqual([{ runId: id, data: { n: 7 } }])
  expect(await attemptHere(job, id, { n: 7 })).toBe('over')
})

test('a job of which every run fails keeps as many runs as any other', async () => {
  const job = defineJob({
    name: 'failing',
    afterCrash: 'again',
    work: () => Promise.reject(new Error('no disk')),
  })
  for (let n = 0; n < 60; n++) expect(await attemptHere(job, randomUUID())).toBe('failed')
  const kept = await t.sql`select state from job_runs where name = 'failing'`
  expect(kept).toHaveLength(50)
})
