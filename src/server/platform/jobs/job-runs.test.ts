import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inTransaction } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { attemptJob } from './job-attempt.ts'
import { defineJob } from './job-definition.ts'
import { beginRun, saveProgress } from './job-runs.ts'

const t = forAllTests(testDatabase)

const parts = () => ({ database: t.database, log: createLog('silent') })
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
  const delivery = { id, data: { n: 7 } }
  const signal = new AbortController().signal
  expect(await attemptJob(parts(), job as never, delivery, signal)).toBe('over')
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
  const delivery = { id, data: { n: 7 } }
  const signal = new AbortController().signal
  expect(await attemptJob(parts(), job as never, delivery, signal)).toBe('failed')
  expect(given).toEqual([{ runId: id, data: { n: 7 } }])
  expect(await attemptJob(parts(), job as never, delivery, signal)).toBe('over')
})

test('a job of which every run fails keeps as many runs as any other', async () => {
  const job = defineJob({
    name: 'failing',
    afterCrash: 'again',
    work: () => Promise.reject(new Error('no disk')),
  })
  const signal = new AbortController().signal
  for (let n = 0; n < 60; n++)
    expect(await attemptJob(parts(), job as never, { id: randomUUID(), data: undefined }, signal)).toBe(
      'failed',
    )
  const kept = await t.sql`select state from job_runs where name = 'failing'`
  expect(kept).toHaveLength(50)
})
