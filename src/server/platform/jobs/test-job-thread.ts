import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseData, fromDatabaseData } from '#server/platform/database/database-data.ts'
import { openDatabase } from '#server/platform/database/db.ts'
import { createLog } from '../log.ts'
import { defineJob } from './job-definition.ts'
import type { ThreadWork } from './job-threads.ts'
import { serveThread } from './serve-thread.ts'

// What the threads of a test run: jobs that end in every way.

const { database: data, work } = workerData as { database: DatabaseData; work: ThreadWork }
const database = openDatabase({ ...fromDatabaseData(data), log: createLog('silent'), poolSize: 2 })
const job = defineJob<{ end: string }>({
  name: 'in-a-thread',
  afterCrash: 'again',
  apart: true,
  async work({ data: { end }, runId, attempt, progress, signal }) {
    await progress(1, 2, end)
    switch (end) {
      case 'sql':
        return void (await database.pool.query('select 1 from nowhere'))
      case 'down':
        throw Object.assign(new Error('terminating connection'), { code: '57P01', severity: 'FATAL' })
      case 'uncaught':
        setTimeout(() => {
          throw new TypeError('nobody catches this')
        })
        return wait(60_000)
      case 'memory': {
        const kept: number[][] = []
        for (;;) kept.push(Array.from({ length: 100_000 }, (_, n) => n / 3))
      }
      case 'exit':
        return process.exit(0)
      case 'exit once taken over': {
        const left = 'select from job_runs where id = $1 and attempt = $2'
        while ((await database.pool.query(left, [runId, attempt])).rowCount === 1) await wait(20)
        return process.exit(0)
      }
      case 'obedient':
        return wait(60_000, undefined, { signal })
      case 'deaf':
        for (;;);
    }
  },
})
if (!parentPort) throw new Error('a thread is needed')
const ending = await serveThread({ database, jobs: [job], port: parentPort }, work)
await database.close()
parentPort.postMessage(ending)
