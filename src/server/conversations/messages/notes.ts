import { isDeepStrictEqual } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { Row } from '#shared/endpoint.ts'
import { deleteNote, editNote, noteWindowMs, writeNote } from '#shared/messages/notes.ts'
import type { Mentioned } from '#shared/messages/mentions.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import { record } from '#server/audit/audit.ts'
import { eraseFileOf, ownFile } from '#server/media/media.ts'
import { tellFollowers, tellMentioned, withdrawNote } from '#server/notifications/notifications.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, type Db, inTransaction, type Place, type Tx } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { messageVersions } from '#server/schema/conversations/message-changes.ts'
import {
  conversationCompleted,
  expectOpen,
  findReadable,
  lockConversationFor,
  lockedMessageFor,
  mayReadLocked,
  messageNotFound,
} from '#server/conversations/store/access.ts'
import { changeMessage } from '#server/conversations/store/change.ts'
import type { Locked, LockedMessage } from '#server/conversations/store/lock.ts'
import { insertMessage } from '#server/conversations/store/write.ts'
import { findMentions } from './mentions.ts'

// Internal notes. They are in no outbox and change nothing of their conversation: whoever may read it and
// writes in conversations may write them, also after its end.

export interface NewNote {
  content: string
  clientMessageId?: string | undefined
  mentions?: Mentioned | undefined
  /** A file that is stored already. */
  file?: NoteFile | undefined
}

interface NoteFile {
  /** Its name in the file store. */
  name: string
  columns: { fileName: string; fileUrl: string; fileMimeType: string; fileSize: number }
  metadata: MessageMetadata
}

interface Target {
  conversationId: number
  messageId: number
}

const completedRows = {
  write: writeNote.rows['POST /api/conversations/{completed}/notes'],
  edit: editNote.rows['PATCH /api/conversations/{completed}/notes/{messageId}'],
  delete: deleteNote.rows['DELETE /api/conversations/{completed}/notes/{messageId}'],
}

/**
 * Writes a note. Repeating a call with the same `clientMessageId` returns the stored one.
 * @returns its id
 * @throws AppError 404 not visible, 409 completed for somebody who may not read completed ones, or the id is
 *   that of a message to the client, 422 as `findMentions`
 */
export async function storeNote(
  database: Place,
  who: Who,
  conversationId: number,
  note: NewNote,
): Promise<number> {
  return inTransaction(database, async (db) => {
    const conversation = await lockNotable(db, who, conversationId, completedRows.write)
    const earlier = await findEarlier(db, conversationId, note.clientMessageId)
    if (earlier !== undefined) return earlier
    const { file, content } = note
    const found = await findMentions(db, who, { conversationId, content }, { asked: note.mentions })
    const { mentions, told, kept } = found
    const { id } = await insertMessage(db, conversation, {
      senderType: 'user',
      senderId: who.id,
      messageType: 'note',
      content,
      clientMessageId: note.clientMessageId ?? null,
      ...file?.columns,
      metadata: { ...file?.metadata, ...(mentions.length > 0 && { mentions }) },
    })
    if (file && !(await ownFile(db, file.name, id))) throw new Error('a new note has a file')
    // What is searched in a completed conversation is read anew when that changes, and not with each message.
    if (conversation.status === 'completed') await touch(db, conversationId)
    await record(db, who, {
      action: 'conversation.note',
      resourceId: conversationId,
      details: { messageId: id },
    })
    db.emit({ type: 'new_message', conversationId, messageId: id })
    await tellMentioned(db, { conversationId, messageId: id, authorId: who.id }, told, kept)
    const except = told.map(({ userId }) => userId)
    await tellFollowers(db, { conversationId, messageId: id, byId: who.id, except })
    return id
  })
}

/**
 * Checks early what `storeNote` requires, before a file is stored.
 * @returns the id of the note that an earlier call with this `clientMessageId` has stored
 * @throws AppError as `storeNote`
 */
export async function expectNotable(
  db: Db,
  who: Who,
  conversationId: number,
  clientMessageId: string | undefined,
): Promise<number | undefined> {
  if (!(await findReadable(db, who, conversationId, completedRows.write))) {
    await expectOpen(db, who, conversationId)
    return undefined
  }
  return findEarlier(db, conversationId, clientMessageId)
}

/**
 * Changes the text of a person's own note, for a while; the earlier text is kept. Whoever is mentioned now is
 * told, whoever is no longer mentioned is not.
 * @throws AppError 404, 403 another person's, 409 deleted or too late, 422 as `findMentions`
 */
export async function changeNote(
  database: Database,
  who: Who,
  { content, mentions: asked, ...target }: Target & Pick<NewNote, 'content' | 'mentions'>,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const note = await lockNote(db, who, target, completedRows.edit)
    if (note.senderId !== who.id) throw new AppError('notes.not_yours')
    await expectInTime(db, note)
    const { conversationId } = target
    const { mentions: before, ...others } = note.metadata
    const found = await findMentions(db, who, { conversationId, content }, { asked, before })
    const { mentions, told, kept } = found
    const metadata = { ...others, ...(mentions.length > 0 && { mentions }) }
    if (note.content === content && isDeepStrictEqual(metadata, note.metadata)) return
    await db
      .insert(messageVersions)
      .values({ messageId: note.id, content: note.content, saidAt: note.editedAt })
    await changeMessage(db, note, { content, metadata, editedAt: sql`app_now()` })
    await tellMentioned(db, { conversationId, messageId: note.id, authorId: who.id }, told, kept)
    await record(db, who, {
      action: 'conversation.edit_note',
      resourceId: target.conversationId,
      details: { messageId: note.id },
    })
  })
}

/**
 * Deletes a note with its earlier texts and its file; that there was one stays. Deleting a deleted one does
 * nothing.
 * @throws AppError 404, 403 another person's and the person leads nobody, 409 too late
 */
export async function removeNote(database: Database, who: Who, target: Target): Promise<void> {
  await inTransaction(database, async (db) => {
    const note = await lockNote(db, who, target, completedRows.delete)
    if (who.role === 'operator') {
      if (note.senderId !== who.id) throw new AppError('notes.not_yours')
      if (note.deletedAt === null) await expectInTime(db, note)
    }
    if (note.deletedAt !== null) return
    await db.delete(messageVersions).where(eq(messageVersions.messageId, note.id))
    await eraseFileOf(db, note.id)
    await changeMessage(db, note, {
      content: '',
      fileName: null,
      fileUrl: null,
      fileMimeType: null,
      fileSize: null,
      metadata: { deletedBy: who.name },
      deletedAt: sql`app_now()`,
    })
    await withdrawNote(db, note.id)
    await record(db, who, {
      action: 'conversation.delete_note',
      resourceId: target.conversationId,
      details: { messageId: note.id, authorId: note.senderId },
    })
  })
}

/**
 * Locks a conversation in which the person may write notes.
 * @param ofOthers the row about completed ones of others
 */
async function lockNotable(db: Tx, who: Who, id: number, ofOthers: Row): Promise<Locked> {
  const conversation = await lockConversationFor(db, who, id)
  // Somebody who had it open a moment ago hears that it has ended, as with a reply.
  if (!(await mayReadLocked(db, who, conversation, ofOthers))) throw conversationCompleted()
  return conversation
}

async function lockNote(db: Tx, who: Who, target: Target, ofOthers: Row): Promise<LockedMessage> {
  const conversation = await lockNotable(db, who, target.conversationId, ofOthers)
  const note = await lockedMessageFor(db, who, conversation, target.messageId)
  if (note.messageType !== 'note') throw messageNotFound()
  return note
}

async function expectInTime(db: Db, { createdAt, deletedAt, metadata }: LockedMessage): Promise<void> {
  if (deletedAt !== null || metadata.isErased) throw new AppError('notes.gone')
  const now = await appNow(db)
  if (now.getTime() - createdAt.getTime() >= noteWindowMs) throw new AppError('notes.too_late')
}

async function findEarlier(db: Db, conversationId: number, clientMessageId: string | undefined) {
  if (clientMessageId === undefined) return undefined
  const [row] = await db
    .select({ id: messages.id, type: messages.messageType })
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), eq(messages.clientMessageId, clientMessageId)))
  if (row && row.type !== 'note') throw new AppError('messages.already_sent')
  return row?.id
}

async function touch(db: Tx, id: number): Promise<void> {
  await db
    .update(conversations)
    .set({ version: sql`${conversations.version} + 1` })
    .where(eq(conversations.id, id))
}
