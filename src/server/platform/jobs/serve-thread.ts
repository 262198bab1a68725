import type { MessagePort } from 'node:worker_threads'
import type { Database } from '#server/platform/database/db.ts'
import { runWork } from './job-attempt.ts'
import { type JobDefinition, JobInterrupted } from './job-definition.ts'
import { stopMessage, type ThreadEnding, type ThreadWork } from './job-threads.ts'
import { serializeError } from './serialized-error.ts'

/**
 * Does, in a thread, the work of one run. Its progress, its heartbeat and its cancellation go through the
 * database, as in the program itself.
 * @param port receives the request to stop
 * @returns what to tell the program in the end
 */
export async function serveThread(
  { database, jobs, port }: { database: Database; jobs: readonly JobDefinition<never>[]; port: MessagePort },
  { job: name, ...attempt }: ThreadWork,
): Promise<ThreadEnding> {
  const job = jobs.find((one) => one.name === name)
  if (!job) throw new Error(`no thread does ${name}`)
  const stopping = new AbortController()
  port.on('message', (message) => {
    if (message === stopMessage) stopping.abort()
  })
  try {
    await runWork(database, job as JobDefinition<unknown>, attempt, stopping.signal)
    return { kind: 'done' }
  } catch (error) {
    if (error instanceof JobInterrupted) return { kind: 'interrupted', reason: error.reason }
    return { kind: 'failed', thrown: serializeError(error) }
  }
}
