import { setTimeout as sleep } from 'node:timers/promises'
import {
  addressOf,
  type AvatarClaim,
  claimAvatar,
  findAvatarName,
  keepAvatar,
  listDueAvatars,
  noAvatar,
  postponeAvatar,
} from '#server/contacts/contacts.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import { eraseFile, findFile, insertFile, ownAvatarFile, pictureOf } from '#server/media/media.ts'
import { type Database, inTransaction, isDatabaseDown } from '#server/platform/database/db.ts'
import { type FileStore, newFileName, type Spooled } from '#server/platform/file-store.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import type { Log } from '#server/platform/log.ts'
import { createShares } from '#server/platform/work/shares.ts'
import { createWorker, type Pass, type Worker } from '#server/platform/work/worker.ts'
import { notifyPictureChanged } from '#server/conversations/store/write.ts'

/** In milliseconds. */
export interface AvatarTimes {
  /** Interval of the search for contacts that are due. */
  pollMs: number
  /** Between two fetches: WhatsApp takes rapid requests for those of a bot. */
  pauseMs: number
  /** After a failed fetch. */
  retryMs: number
}

const usualTimes: AvatarTimes = { pollMs: 3000, pauseMs: 500, retryMs: 6 * 60 * 60_000 }
/** Longer than a fetch may take. */
const leaseMs = 5 * 60_000
/** Finding several due contacts costs as much as finding one, but a new one waits for as many fetches. */
const batchSize = 10
/** Numbers whose pictures are fetched at the same time. */
const concurrency = 16
/** WhatsApp's pictures have some tens of kilobytes. */
const maxPictureBytes = 1_048_576

interface Parts {
  database: Database
  gateway: Pick<Gateway, 'fetchPicture'>
  files: FileStore
}

/**
 * Fetches the WhatsApp pictures of contacts, of each number one at a time, and renews them. A failed fetch is
 * retried after `retryMs`. When the worker stops, a fetch in progress ends with the connections to the
 * gateway.
 */
export function startAvatarWorker(
  parts: Parts & { log: Log },
  { pollMs, pauseMs, retryMs }: AvatarTimes = usualTimes,
): Worker {
  const { database, files, log } = parts

  const shares = createShares(1)
  let due: AvatarClaim[] = []
  async function claimNext(): Promise<AvatarClaim | undefined> {
    if (due.length === 0) due = await listDueAvatars(database, batchSize, shares.full())
    for (let next = due.shift(); next; next = due.shift())
      // That of a number that is busy is listed again.
      if (!shares.full().includes(next.instanceId) && (await claimAvatar(database, next, leaseMs)))
        return next
    return undefined
  }

  /** Wakes another lane, since other numbers need not wait for this one. */
  async function fetchNext({ stopping, wakeAnother }: Pass): Promise<boolean> {
    if (!(await files.hasRoom())) return false
    const claimed = await claimNext()
    if (!claimed) return false
    const end = shares.begin(claimed.instanceId)
    wakeAnother()
    try {
      await fetchClaimed(claimed)
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
    } finally {
      end()
    }
    return true
  }

  async function fetchClaimed(claimed: AvatarClaim): Promise<void> {
    const { contactId } = claimed
    try {
      await fetchAvatar(parts, claimed)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      await postponeAvatar(database, contactId, isOurs(error) ? leaseMs : retryMs)
      log.warn(
        { contactId, reason: error instanceof Error ? error.message : 'unknown' },
        'picture not fetched',
      )
    }
  }

  return createWorker({
    name: 'avatars',
    database,
    log,
    concurrency,
    pollMs,
    work: async (pass) => ((await fetchNext(pass)) ? 'more' : 'idle'),
  })
}

/** It failed here, and not at the gateway. */
const isOurs = (error: unknown) => isDiskFull(error) || error instanceof BucketError

async function fetchAvatar(
  { database, gateway, files }: Parts,
  { contactId, instanceId }: AvatarClaim,
): Promise<void> {
  const to = await addressOf(database, contactId)
  const spooled =
    to === undefined
      ? undefined
      : await gateway.fetchPicture(database, instanceId, to, (bytes) => files.spool(bytes, maxPictureBytes))
  if (spooled === undefined) {
    await inTransaction(database, async (db) => {
      await ownAvatarFile(db, contactId, undefined)
      if (await noAvatar(db, contactId)) await notifyPictureChanged(db, contactId)
    })
    return
  }
  try {
    await storePicture(database, files, contactId, spooled)
  } finally {
    await spooled.drop()
  }
}

async function storePicture(
  database: Database,
  files: FileStore,
  contactId: number,
  spooled: Spooled,
): Promise<void> {
  const picture = pictureOf(spooled.head)
  if (!picture) throw new Error('not a picture')
  const { sizeBytes, sha256 } = spooled
  const previous = await findAvatarName(database, contactId)
  const isSame = previous !== undefined && (await findFile(database, previous))?.sha256 === sha256
  if (isSame) return void (await keepAvatar(database, contactId, previous))
  const name = newFileName()
  // The row comes first: the sweep finds unused files by their rows, and so deletes one that the contact does
  // not get to use, as well as the previous picture.
  await insertFile(database, { name, sizeBytes, mimeType: picture.mimeType, sha256 })
  await files.keep(name, spooled)
  await inTransaction(database, async (db) => {
    if (!(await keepAvatar(db, contactId, name))) return eraseFile(db, name)
    await ownAvatarFile(db, contactId, name)
    await notifyPictureChanged(db, contactId)
  })
}
