import { AppError } from '#shared/errors.ts'
import {
  type AgentAnswer,
  AssistantFailure,
  type AssistantServers,
  findAssistantConfig,
  openKey,
} from '#server/assistant/assistant.ts'
import type { Database } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createWorker, type Pass, type Worker } from '#server/platform/work/worker.ts'
import { fetchAnswerFiles } from './answer-files.ts'
import { recordAnswer, recordFailure } from './record-answer.ts'
import { type Answering, claimTurn, isAnswering, releaseTurn, type Turn } from './turn.ts'

/** Milliseconds. */
export interface AssistantTimes {
  /** Between looks for a client whose delay is over. */
  pollMs: number
  /** After a first failure. */
  backoffMs: number
  /** After which another instance takes over what a dead one had begun: longer than any answer takes. */
  leaseMs: number
}

const usualTimes: AssistantTimes = { pollMs: 500, backoffMs: 2000, leaseMs: 4 * 60_000 }
/** While no agent answers; switching one on is signalled. */
const pollOffMs = 10_000
const concurrency = 4

interface Deps {
  database: Database
  secrets: Secrets
  servers: AssistantServers
  files: FileStore
  log: Log
}

/**
 * Answers clients who wait in the FILA by the agent. Whom it is time to answer follows from the messages and
 * from a row of each conversation, so nothing is lost with a process: a delay is not waited for in memory,
 * and what a dead process had asked for is asked again. No transaction is open during a call.
 */
export function startAssistantWorker(deps: Deps, times: Partial<AssistantTimes> = {}): Worker {
  const { pollMs, backoffMs, leaseMs } = { ...usualTimes, ...times }
  const { database, log } = deps
  return createWorker({
    name: 'assistant',
    database,
    log,
    channel: 'assistant',
    concurrency,
    pollMs,
    async work(pass) {
      const config = await findAssistantConfig(database)
      if (!isAnswering(config)) return pollOffMs
      const turn = await claimTurn(database, config, leaseMs)
      if (!turn) return 'idle'
      pass.wakeAnother()
      await answer(deps, turn, config, { pass, backoffMs })
      return 'more'
    },
  })
}

async function answer(
  deps: Deps,
  turn: Turn,
  config: Answering,
  { pass, backoffMs }: { pass: Pass; backoffMs: number },
): Promise<void> {
  const { database, log } = deps
  const { conversationId } = turn
  await failpoint('assistant.asking')
  const asked = await orStopped(pass.stopping, askFor(deps, turn, config))
  // Another instance asks again: this one is not waited for.
  if (asked === 'stopped') return releaseTurn(database, turn)
  await failpoint('assistant.answered')
  if (!('failure' in asked)) {
    const isSent = await recordAnswer(database, turn, asked.answer, asked.files)
    if (!isSent) log.info({ conversationId }, 'answer of the assistant dropped: it no longer counts')
    return
  }
  const goesOn = await recordFailure(database, turn, backoffMs)
  log.warn({ conversationId, reason: asked.failure, goesOn }, 'no answer of the assistant')
}

type Asked =
  | { answer: AgentAnswer; files: Awaited<ReturnType<typeof fetchAnswerFiles>> }
  | { failure: string }

async function askFor(
  deps: Deps,
  { question }: Turn,
  { agentId, apiTokenEncrypted }: Answering,
): Promise<Asked> {
  try {
    const apiToken = openKey(deps.secrets, apiTokenEncrypted)
    const answered = await deps.servers.ask({ agentId, apiToken }, question)
    const files = await fetchAnswerFiles(deps, answered)
    // Files alone, none of which could be fetched.
    if (answered.message === '' && files.length === 0 && !answered.asksPerson)
      return { failure: 'media.unavailable' }
    return { answer: answered, files }
  } catch (error) {
    if (error instanceof AssistantFailure) return { failure: error.message }
    if (error instanceof AppError) return { failure: error.code }
    // An internal error: the client is left to people all the same.
    deps.log.error({ err: error }, 'answer of the assistant not read')
    return { failure: 'not read' }
  }
}

function orStopped<T>(stopping: AbortSignal, work: Promise<T>): Promise<T | 'stopped'> {
  const stopped = Promise.withResolvers<'stopped'>()
  const stop = () => stopped.resolve('stopped')
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop, { once: true })
  // It ends with the connections, when nobody listens any more.
  work.catch(() => undefined)
  return Promise.race([work, stopped.promise]).finally(() => stopping.removeEventListener('abort', stop))
}
