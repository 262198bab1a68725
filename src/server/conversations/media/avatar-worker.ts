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
import { findFile, insertFile, pictureOf } from '#server/media/media.ts'
import { type Database, inTransaction, isDatabaseDown } from '#server/platform/database/db.ts'
import { type FileStore, newFileName, type Spooled } from '#server/platform/file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import { notifyPictureChanged } from '#server/conversations/store/write.ts'

/** In milliseconds. */
export interface AvatarTimes {
  /** How soon a new contact is noticed. */
  pollMs: number
  /** Between two fetches: WhatsApp takes whoever asks quickly for a robot. */
  pauseMs: number
  /** After a failure. */
  retryMs: number
}

const usualTimes: AvatarTimes = { pollMs: 3000, pauseMs: 500, retryMs: 6 * 60 * 60_000 }
/** Longer than asking and fetching may take. */
const leaseMs = 5 * 60_000
/** To find those that are due costs as much for several as for one; somebody new waits for as many. */
const dueAtOnce = 10
/** What WhatsApp shows has some tens of kilobytes. */
const maxPictureBytes = 1_048_576

/**
 * Keeps the pictures of contacts as WhatsApp shows them, one after the other. Nobody waits for them, and one
 * that failed is left for hours. A fetch that is under way at the stop ends with the connections to the
 * gateway.
 */
export function startAvatarWorker(
  parts: { database: Database; gateway: Pick<Gateway, 'fetchPicture'>; files: FileStore; log: Log },
  { pollMs, pauseMs, retryMs }: AvatarTimes = usualTimes,
): Worker {
  const { database, log } = parts

  let due: AvatarClaim[] = []
  async function claimNext(): Promise<AvatarClaim | undefined> {
    if (due.length === 0) due = await listDueAvatars(database, dueAtOnce)
    for (let next = due.shift(); next; next = due.shift())
      if (await claimAvatar(database, next, leaseMs)) return next
    return undefined
  }

  async function fetchNext(): Promise<boolean> {
    const claimed = await claimNext()
    if (!claimed) return false
    const { contactId } = claimed
    try {
      await fetchAvatar(parts, claimed)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      await postponeAvatar(database, contactId, retryMs)
      log.warn(
        { contactId, reason: error instanceof Error ? error.message : 'unknown' },
        'picture not fetched',
      )
    }
    return true
  }

  return createWorker({
    name: 'avatars',
    database,
    log,
    pollMs,
    work: async () => ((await fetchNext()) ? pauseMs : 'idle'),
  })
}

interface Parts {
  database: Database
  gateway: Pick<Gateway, 'fetchPicture'>
  files: FileStore
}

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
      if (await noAvatar(db, contactId)) await notifyPictureChanged(db, contactId)
    })
    return
  }
  try {
    await keep(database, files, contactId, spooled)
  } finally {
    await spooled.drop()
  }
}

async function keep(
  database: Database,
  files: FileStore,
  contactId: number,
  spooled: Spooled,
): Promise<void> {
  const picture = pictureOf(spooled.head)
  if (!picture) throw new Error('not a picture')
  const { sizeBytes, sha256 } = spooled
  const before = await findAvatarName(database, contactId)
  const isSame = before !== undefined && (await findFile(database, before))?.sha256 === sha256
  if (isSame) return keepAvatar(database, contactId, before)
  const name = newFileName()
  // The row first: what is not named by the contact after a day is swept away by it, as is the picture
  // before.
  await insertFile(database, { name, sizeBytes, mimeType: picture.mimeType, sha256 })
  await files.keep(name, spooled)
  return inTransaction(database, async (db) => {
    await keepAvatar(db, contactId, name)
    await notifyPictureChanged(db, contactId)
  })
}
