import { maxFileSize } from '#shared/messages/media.ts'
import { claimFetch, endFetch, postponeFetch } from '#server/media/media.ts'
import { type Database, isDatabaseDown } from '#server/platform/database/db.ts'
import { FileTooLarge } from '#server/platform/file-store.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import type { Log } from '#server/platform/log.ts'
import { createShares } from '#server/platform/work/shares.ts'
import { createWorker, type NextPass, type Worker } from '#server/platform/work/worker.ts'
import type { MessageFiles } from './message-files.ts'

/** Files of one number that are fetched at once. */
const mostOfNumber = 2
/** A number whose gateway is slow leaves room for others; more would take much memory. */
const concurrency = 12
const longestPollMs = 1000
/** Longer than a fetch over a slow line may take. */
const leaseMs = 5 * 60_000
/** Waits after each failure. After the last one the file is fetched only when somebody opens the message. */
const usualWaitsMs = [2000, 10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000]
/** Until a full disk is looked at again. */
const fullWaitMs = 2000
/** Until a bucket that is away is asked again: each time a file is fetched in vain. */
const awayWaitMs = 15_000

type Claimed = NonNullable<Awaited<ReturnType<typeof claimFetch>>>

/**
 * Fetches the files that clients send, since WhatsApp keeps them for a limited time. Failed fetches are
 * retried, and none is tried while the disk is full. A bucket that is away costs none of the tries. When the
 * worker stops, a fetch in progress ends with the connections to the gateway.
 */
export function startFetchWorker(
  database: Database,
  files: MessageFiles,
  log: Log,
  waitsMs: readonly number[] = usualWaitsMs,
): Worker {
  /** Claims that the database, being away or full, did not let end: given back before their lease is over. */
  const left = new Set<number>()
  const shares = createShares(mostOfNumber)
  async function giveBack(): Promise<void> {
    for (const messageId of left) {
      // Taken out first: two passes must not give the same one back.
      left.delete(messageId)
      try {
        await postponeFetch(database, messageId, { waitMs: 0, error: 'database', isUncounted: true })
      } catch (error) {
        left.add(messageId)
        throw error
      }
    }
  }

  /** @throws when the database is away, or does not take what came of it */
  async function fetchOne({ messageId, tries }: Claimed): Promise<NextPass> {
    try {
      await files.fetchFile(messageId, maxFileSize)
      await endFetch(database, messageId)
    } catch (error) {
      if (isDiskFull(error)) {
        const waits = { waitMs: fullWaitMs, error: describeError(error), isUncounted: true }
        await postponeFetch(database, messageId, waits)
        return 'more'
      }
      if (error instanceof BucketError) {
        const waits = { waitMs: awayWaitMs, error: describeError(error), isUncounted: true }
        await postponeFetch(database, messageId, waits)
        log.warn({ messageId, reason: describeError(error) }, 'media not stored: the bucket is away')
        return awayWaitMs
      }
      if (isDatabaseDown(error)) throw error
      const waitMs = error instanceof FileTooLarge ? undefined : waitsMs[tries - 1]
      if (waitMs === undefined) await endFetch(database, messageId)
      else await postponeFetch(database, messageId, { waitMs, error: describeError(error) })
      log.warn({ messageId, tries, reason: describeError(error), waitMs }, 'media not fetched')
    }
    return 'more'
  }

  async function fetchNext(): Promise<NextPass> {
    const claimed = await claimFetch(database, leaseMs, shares.full())
    if (!claimed) return 'idle'
    const end = shares.begin(claimed.instanceId)
    try {
      return await fetchOne(claimed)
    } catch (error) {
      left.add(claimed.messageId)
      throw error
    } finally {
      end()
    }
  }

  return createWorker({
    name: 'media',
    database,
    log,
    channel: 'media',
    concurrency,
    pollMs: Math.min(longestPollMs, ...waitsMs),
    async work() {
      await giveBack()
      if (!(await files.hasRoom())) return fullWaitMs
      return fetchNext()
    },
  })
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'unknown'
}
