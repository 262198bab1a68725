import { and, between, desc, eq, gt, isNull, or } from 'drizzle-orm'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { messageVersions } from '#server/schema/conversations/message-changes.ts'
import { changeMessage } from '#server/conversations/store/change.ts'
import type { LockedMessage } from '#server/conversations/store/lock.ts'
import { notifyQuoting } from '#server/conversations/store/quoting.ts'
import { clockSlackMs, timeOf } from './change-times.ts'

/** A text that a message got by an edit. */
interface Edit {
  content: string
  at: Date
  /** Otherwise the text was written at that time or before. */
  isTimeExact: boolean
}

/**
 * Applies an edit: the newest one is the message's text, in whatever order they arrive, and the others are
 * stored as earlier texts. What is known already changes nothing.
 */
export async function applyEdit(
  db: Tx,
  message: LockedMessage,
  event: Extract<GatewayEvent, { kind: 'edit' }>,
): Promise<void> {
  const at = await timeOf(db, event.editedAtMs)
  if (event.isSealed) return noteSealed(db, message, at)
  const edit: Edit = {
    content: event.content,
    at,
    isTimeExact: event.editedAtMs > 0 && event.isUpperBound !== true,
  }
  await dropSealed(db, message, at)
  const last = lastEditOf(message)
  if (!last) return isTextOf(message, edit) ? setTime(db, message, edit) : replaceText(db, message, edit)
  if (isTextOf(message, edit) && !edit.isTimeExact) return undefined
  if (edit.at > last.at && isSame(last, edit)) return setTime(db, message, edit)
  if (edit.at > last.at) {
    await dropRecorded(db, message, edit)
    return replaceText(db, message, edit)
  }
  if (isTextOf(message, edit) && !last.isTimeExact) return setExactTime(db, message, edit)
  if (!isSame(last, edit) && !(await isStored(db, message, edit))) await storeVersion(db, message.id, edit)
}

/** Notes an edit whose text did not come, unless a text that was written then or later is known. */
async function noteSealed(db: Tx, message: LockedMessage, at: Date): Promise<void> {
  const { editedAt, metadata } = message
  if (editedAt !== null && editedAt.getTime() + clockSlackMs >= at.getTime()) return
  if (metadata.unreadEditAt !== undefined && metadata.unreadEditAt >= at.toISOString()) return
  await changeMessage(db, message, { metadata: { ...metadata, unreadEditAt: at.toISOString() } })
}

/** An edit that can be read brings the text of every edit before it. */
async function dropSealed(db: Tx, message: LockedMessage, at: Date): Promise<void> {
  const { unreadEditAt, ...metadata } = message.metadata
  if (unreadEditAt === undefined || Date.parse(unreadEditAt) > at.getTime() + clockSlackMs) return
  await changeMessage(db, message, { metadata })
}

function lastEditOf({ content, editedAt, isEditTimeExact }: LockedMessage): Edit | undefined {
  return editedAt === null ? undefined : { content, at: editedAt, isTimeExact: isEditTimeExact }
}

const isTextOf = (message: LockedMessage, { content }: Edit) => message.content === content

const setTime = (db: Tx, message: LockedMessage, { at, isTimeExact }: Edit) =>
  changeMessage(db, message, { editedAt: at, isEditTimeExact: isTimeExact })

/**
 * Takes an edit that becomes the text from among the earlier texts. What the record has counts as written a
 * little before it was asked, so that the edit before this one may have seemed to be the newer one. And a
 * message that was found in the record came with its last text, as if that were the original.
 */
async function dropRecorded(db: Tx, message: LockedMessage, { content, at }: Edit): Promise<void> {
  const { saidAt, isTimeExact } = messageVersions
  const isRecorded = and(eq(isTimeExact, false), between(saidAt, new Date(at.getTime() - clockSlackMs), at))
  await db
    .delete(messageVersions)
    .where(
      and(
        eq(messageVersions.messageId, message.id),
        eq(messageVersions.content, content),
        message.metadata.recovered ? or(isRecorded, isNull(saidAt)) : isRecorded,
      ),
    )
}

async function replaceText(db: Tx, message: LockedMessage, edit: Edit): Promise<void> {
  const { content, editedAt, isEditTimeExact, messageType } = message
  // What could not be read was no text: the record of a deleted message has no content.
  if (editedAt !== null || messageType !== 'unsupported')
    await storeVersion(db, message.id, { content, at: editedAt, isTimeExact: isEditTimeExact })
  await setText(db, message, edit)
}

async function setText(db: Tx, message: LockedMessage, edit: Edit): Promise<void> {
  const { content, at, isTimeExact } = edit
  await changeMessage(db, message, { content, editedAt: at, isEditTimeExact: isTimeExact })
  if (message.whatsappMessageId !== null) await notifyQuoting(db, message, message.whatsappMessageId)
}

/**
 * Gives the message's text the time at which it was written. An edit that is later than that, and seemed
 * earlier, is the text then: somebody has returned to a text, and the second edit is still to come.
 */
async function setExactTime(db: Tx, message: LockedMessage, edit: Edit): Promise<void> {
  await dropRecorded(db, message, edit)
  const [later] = await db
    .select()
    .from(messageVersions)
    .where(and(eq(messageVersions.messageId, message.id), gt(messageVersions.saidAt, edit.at)))
    .orderBy(desc(messageVersions.saidAt), desc(messageVersions.id))
    .limit(1)
  if (!later?.saidAt) return setTime(db, message, edit)
  await db.delete(messageVersions).where(eq(messageVersions.id, later.id))
  await storeVersion(db, message.id, edit)
  await setText(db, message, { ...later, at: later.saidAt })
}

/**
 * Whether two reports are about one edit. Our own edit comes with the answer and with a webhook; some
 * gateways report each edit in two shapes; and one whose time is not known comes again with its time.
 */
function isSame(known: Edit, edit: Edit): boolean {
  const isAfter = (one: Edit, other: Edit) => one.at.getTime() - other.at.getTime() > clockSlackMs
  return (
    known.content === edit.content &&
    !(edit.isTimeExact && isAfter(edit, known)) &&
    !(known.isTimeExact && isAfter(known, edit))
  )
}

/** Whether the edit is among the earlier texts, which takes its time if it had none that is exact. */
async function isStored(db: Tx, message: LockedMessage, edit: Edit): Promise<boolean> {
  const versions = await db
    .select()
    .from(messageVersions)
    .where(and(eq(messageVersions.messageId, message.id), eq(messageVersions.content, edit.content)))
    .orderBy(desc(messageVersions.isTimeExact), messageVersions.saidAt)
  const same = versions.find(
    ({ saidAt, ...rest }) => saidAt !== null && isSame({ ...rest, at: saidAt }, edit),
  )
  if (!same) return false
  if (!same.isTimeExact && edit.isTimeExact)
    await db
      .update(messageVersions)
      .set({ saidAt: edit.at, isTimeExact: true })
      .where(eq(messageVersions.id, same.id))
  return true
}

/** @param at null: the original text */
async function storeVersion(
  db: Tx,
  messageId: number,
  { content, at, isTimeExact }: Omit<Edit, 'at'> & { at: Date | null },
): Promise<void> {
  await db.insert(messageVersions).values({ messageId, content, saidAt: at, isTimeExact })
}
