import { maxFileSize } from '#shared/media.ts'
import { claimFetch, endFetch, postponeFetch } from '#server/media/media.ts'
import { type Database, isDatabaseDown } from '#server/platform/db.ts'
import { FileTooLarge } from '#server/platform/file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { createSleepers } from '#server/platform/sleepers.ts'
import type { MessageFiles } from './message-files.ts'

export interface FetchWorker {
  /** Starts nothing new. Resolves when what is under way has ended: the gateway's connections end it. */
  stop(): Promise<void>
}

const workers = 2
const longestPollMs = 1000
/** Longer than the gateway and a slow line may take. */
const leaseMs = 5 * 60_000
/** After the first failure, the second, and so on; after the last it is left to whoever opens the message. */
const usualWaitsMs = [2000, 10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000]

/** Brings what clients send while WhatsApp still has it: soon after it arrived, and again when that failed. */
export function startFetchWorker(
  database: Database,
  files: MessageFiles,
  log: Log,
  waitsMs: readonly number[] = usualWaitsMs,
): FetchWorker {
  let isStopped = false
  const pollMs = Math.min(longestPollMs, ...waitsMs)
  const sleepers = createSleepers()

  const fetchNext = async (): Promise<boolean> => {
    const claimed = await claimFetch(database, leaseMs)
    if (!claimed) return false
    const { messageId, tries } = claimed
    try {
      await files.bring(messageId, maxFileSize)
      await endFetch(database, messageId)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      const waitMs = error instanceof FileTooLarge ? undefined : waitsMs[tries - 1]
      if (waitMs === undefined) await endFetch(database, messageId)
      else await postponeFetch(database, messageId, { waitMs, error: wordsOf(error) })
      log.warn({ messageId, tries, reason: wordsOf(error), waitMs }, 'media not fetched')
    }
    return true
  }

  const run = async () => {
    while (!isStopped) {
      const hasWorked = await fetchNext().catch((error: unknown) => {
        log.warn({ err: error }, 'media waits')
        return false
      })
      if (!hasWorked && !isStopped) await sleepers.sleep(pollMs)
    }
  }

  const off = database.wake.on('media', sleepers.wakeOne)
  const running = Array.from({ length: workers }, run)
  return {
    async stop() {
      isStopped = true
      off()
      sleepers.wakeAll()
      await Promise.all(running)
    },
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'unknown'
}
