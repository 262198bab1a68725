import { sql } from 'drizzle-orm'
import type { TranscriptionFailure } from '#shared/assistant/transcription.ts'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { changeMessage } from '#server/conversations/store/change.ts'
import { lockMessage, type LockedMessage } from '#server/conversations/store/lock.ts'
import type { ClaimedSound } from '#server/conversations/messages/transcription-queue.ts'

/** What was sent of a message, by which it is known again. */
export interface SentSound extends Pick<ClaimedSound, 'messageId' | 'claim'> {
  fileName: string
  editedAt: number | undefined
}

/** Whether a message has a sound that may be put into words. */
export const hasSound = ({ messageType, deletedAt, metadata }: LockedMessage): boolean =>
  messageType === 'audio' && deletedAt === null && !metadata.isErased && !metadata.isExpired

/**
 * Writes the words onto the message, once, unless they no longer count: the message was deleted, edited,
 * anonymized or emptied meanwhile, or another worker has claimed it.
 * @returns whether they were written
 */
export function recordTranscription(database: Database, sent: SentSound, words: string): Promise<boolean> {
  return inTransaction(database, async (db) => {
    const message = await lockMessage(db, sent.messageId)
    if (!message) return false
    const isSame =
      hasSound(message) &&
      message.editedAt?.getTime() === sent.editedAt &&
      (await hasFile(db, message.id, sent.fileName))
    if (!isSame) {
      await endWithout(db, message, sent)
      return false
    }
    if (!(await endClaim(db, sent))) return false
    await changeMessage(db, message, { metadata: { ...message.metadata, transcription: words } })
    return true
  })
}

const isOfClaim = ({ messageId, claim }: Pick<ClaimedSound, 'messageId' | 'claim'>) =>
  sql`message_id = ${messageId} and claim = ${claim} and state = 'running'`

async function endClaim(db: Tx, sent: SentSound): Promise<boolean> {
  const ended = await rows(
    db,
    sql`update transcriptions set state = 'done', lease_until = null where ${isOfClaim(sent)} returning id`,
  )
  return ended.length > 0
}

/** What the message was has gone. It may be asked for once more, as far as there is still a sound. */
async function endWithout(db: Tx, message: LockedMessage, sent: SentSound): Promise<void> {
  const ended = await rows(
    db,
    hasSound(message)
      ? sql`update transcriptions set state = 'failed', reason = 'changed', lease_until = null
             where ${isOfClaim(sent)} returning id`
      : sql`delete from transcriptions where ${isOfClaim(sent)} returning id`,
  )
  if (ended.length > 0) await changeMessage(db, message, {})
}

async function hasFile(db: Tx, messageId: number, name: string): Promise<boolean> {
  const found = await rows(
    db,
    sql`select id from files where message_id = ${messageId} and name = ${name} and not is_erased`,
  )
  return found.length > 0
}

/**
 * Gives a sound up.
 * @param claim whose it is; absent: nobody has claimed it
 * @returns whether it was given up
 */
export function failTranscription(
  database: Database,
  { messageId, claim }: Pick<ClaimedSound, 'messageId'> & Partial<Pick<ClaimedSound, 'claim'>>,
  reason: TranscriptionFailure,
): Promise<boolean> {
  return inTransaction(database, async (db) => {
    const message = await lockMessage(db, messageId)
    if (!message) return false
    const isOf =
      claim === undefined
        ? sql`message_id = ${messageId}
              and (state = 'waiting' or (state = 'running' and lease_until <= now()))`
        : isOfClaim({ messageId, claim })
    const failed = await rows(
      db,
      hasSound(message)
        ? sql`update transcriptions set state = 'failed', reason = ${reason}, lease_until = null
               where ${isOf} returning id`
        : sql`delete from transcriptions where ${isOf} returning id`,
    )
    if (failed.length > 0) await changeMessage(db, message, {})
    return failed.length > 0
  })
}
