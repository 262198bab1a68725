import { buffer } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { TranscriptionFailure } from '#shared/assistant/transcription.ts'
import {
  type AssistantConfigRow,
  AssistantFailure,
  type AssistantServers,
  findAssistantConfig,
  isTranscribing,
  openKey,
  reserveSeconds,
} from '#server/assistant/assistant.ts'
import { findFileOf } from '#server/media/media.ts'
import { type Database, isDatabaseDown } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createWorker, type NextPass, type Pass, type Worker } from '#server/platform/work/worker.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import {
  type ClaimedSound,
  claimSound,
  listWaiting,
  listWithoutFile,
  postponeSound,
} from '#server/conversations/messages/transcription-queue.ts'
import { failTranscription, recordTranscription } from './record-transcription.ts'
import { soundSeconds } from './sound-length.ts'

/** Milliseconds. */
export interface TranscriptionTimes {
  /** Between looks for a sound that is due; one whose file has come is signalled. */
  pollMs: number
  /** Before each further attempt, when nobody answered. After the last one it is given up. */
  waitsMs: readonly number[]
  /** After which another instance takes over what a dead one had begun: longer than any answer takes. */
  leaseMs: number
}

const usualTimes: TranscriptionTimes = {
  pollMs: 2000,
  waitsMs: [5000, 20_000, 60_000],
  leaseMs: 5 * 60_000,
}
/** While it is switched off; switching it on is signalled. */
const pollOffMs = 10_000
/** A server that hangs keeps so many, and nothing else. */
const concurrency = 2
/** What servers of the contract take. */
const mostBytes = 25 * 1_048_576
const awayWaitMs = 15_000
const givenUpAtOnce = 50

interface Deps {
  database: Database
  secrets: Secrets
  servers: AssistantServers
  files: FileStore
  log: Log
}

/**
 * Puts sounds into words. No transaction is open while a server is asked, so nobody waits for it. What a dead
 * process had asked for is asked again, and what is done never.
 */
export function startTranscriptionWorker(deps: Deps, times: Partial<TranscriptionTimes> = {}): Worker {
  const { pollMs, waitsMs, leaseMs } = { ...usualTimes, ...times }
  const { database, log } = deps
  return createWorker({
    name: 'transcriptions',
    database,
    log,
    channel: 'transcriptions',
    concurrency,
    pollMs,
    async work(pass) {
      const config = await findAssistantConfig(database)
      if (!isTranscribing(config)) {
        await giveUp(database, await listWaiting(database, givenUpAtOnce), 'off')
        return pollOffMs
      }
      const sound = await claimSound(database, leaseMs)
      if (!sound) {
        await giveUp(database, await listWithoutFile(database, givenUpAtOnce), 'file')
        return 'idle'
      }
      pass.wakeAnother()
      return transcribe(deps, sound, config, { pass, waitsMs })
    },
  })
}

async function giveUp(database: Database, ids: readonly number[], reason: TranscriptionFailure) {
  for (const messageId of ids) await failTranscription(database, { messageId }, reason)
}

async function transcribe(
  deps: Deps,
  sound: ClaimedSound,
  config: AssistantConfigRow,
  { pass, waitsMs }: { pass: Pass; waitsMs: readonly number[] },
): Promise<NextPass> {
  const { database, log } = deps
  const { messageId, attempts } = sound
  // Claimed again and again without an end: whoever asked for it died each time.
  const isTried = attempts > waitsMs.length + 1
  const asked = isTried ? { failure: 'unreachable' as const } : await ask(deps, sound, config, pass.stopping)
  if (asked === 'stopped') {
    await postponeSound(database, sound, { waitMs: 0, isUncounted: true })
    return 'more'
  }
  if (asked === 'store away') {
    await postponeSound(database, sound, { waitMs: awayWaitMs, isUncounted: true })
    return 'more'
  }
  if ('words' in asked) {
    await failpoint('transcription.answered')
    const isWritten = await recordTranscription(database, { ...sound, ...asked.sent }, asked.words)
    if (!isWritten) log.info({ messageId }, 'transcription dropped: it no longer counts')
    return 'more'
  }
  const waitMs = asked.failure === 'unreachable' ? waitsMs[attempts - 1] : undefined
  log.warn({ messageId, attempts, reason: asked.why ?? asked.failure, waitMs }, 'sound not transcribed')
  if (waitMs === undefined) await failTranscription(database, sound, asked.failure)
  else await postponeSound(database, sound, { waitMs })
  return 'more'
}

type Asked =
  | { words: string; sent: { fileName: string; editedAt: number | undefined } }
  | { failure: TranscriptionFailure; why?: string }
  | 'stopped'
  | 'store away'

async function ask(
  { database, secrets, servers, files, log }: Deps,
  { messageId }: ClaimedSound,
  config: AssistantConfigRow,
  stopping: AbortSignal,
): Promise<Asked> {
  try {
    const read = await readSound(database, files, messageId)
    if ('failure' in read) return read
    const { bytes, mimeType, seconds, sent } = read
    if (seconds > config.transcriptionMaxMinutes * 60) return { failure: 'too_long' }
    if (!(await reserveSeconds(database, seconds))) return { failure: 'day_limit' }
    const sealed = config.transcriptionKeyEncrypted
    const { transcriptionBaseUrl: baseUrl, transcriptionModel: model } = config
    const key = sealed === null ? '' : openKey(secrets, sealed)
    await failpoint('transcription.asking')
    const words = await servers.transcribe({ baseUrl, model, key }, { bytes, mimeType }, stopping)
    return { words, sent }
  } catch (error) {
    if (stopping.aborted) return 'stopped'
    if (isDatabaseDown(error)) throw error
    if (error instanceof BucketError) return 'store away'
    if (error instanceof AssistantFailure) return { failure: error.kind, why: error.message }
    if (error instanceof AppError) return { failure: 'refused', why: error.code }
    log.error({ err: error, messageId }, 'sound not read')
    return { failure: 'file' }
  }
}

interface ReadSound {
  bytes: Buffer
  mimeType: string
  seconds: number
  sent: { fileName: string; editedAt: number | undefined }
}

/** The sound of a message as it is now, with what it is known by. */
async function readSound(
  database: Database,
  files: FileStore,
  messageId: number,
): Promise<ReadSound | { failure: TranscriptionFailure }> {
  const [message] = await database
    .select({ metadata: messages.metadata, editedAt: messages.editedAt })
    .from(messages)
    .where(eq(messages.id, messageId))
  const file = await findFileOf(database, messageId)
  if (!message || !file) return { failure: 'file' }
  if (file.sizeBytes > mostBytes) return { failure: 'too_long' }
  const stream = await files.read(file.name)
  if (!stream) return { failure: 'file' }
  const bytes = await buffer(stream)
  return {
    bytes,
    mimeType: file.mimeType,
    seconds: soundSeconds(bytes, message.metadata.seconds),
    sent: { fileName: file.name, editedAt: message.editedAt?.getTime() },
  }
}
