import { AppError } from '#shared/errors.ts'
import { isForwardable } from '#shared/messages/message-changes.ts'
import { isMediaType, isPictureType, messageTypeLabel } from '#shared/messages/message-kinds.ts'
import { uploadMedia, getFile, maxUploadBytes } from '#shared/messages/media.ts'
import { isShownPicture, keepBytes, type KeptFile, orRemove } from '#server/media/media.ts'
import { permit, type Who } from '#server/platform/http/access.ts'
import { type Database, isDatabaseDown } from '#server/platform/database/db.ts'
import { type FileStore, FileTooLarge } from '#server/platform/file-store.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import { expectNoNote, expectReadable, messageFor, noteReading } from '#server/conversations/store/access.ts'
import {
  expectReplyable,
  type Replied,
  type Reply,
  type ReplyFile,
  sendReply,
} from '#server/conversations/outgoing/reply.ts'
import { expectWritable, sendToContact, type To } from '#server/conversations/outgoing/start.ts'
import { fileUrlOf, type MessageFiles } from './message-files.ts'

interface Deps {
  database: Database
  files: FileStore
  messageFiles: MessageFiles
}

type Source = Awaited<ReturnType<typeof messageFor>>
type Receiver = { conversationId: number } | To

/**
 * Sends the content of a message to another chat, as a message of the person: a copy, which WhatsApp does not
 * show as forwarded, since the gateway cannot mark it. Repeating a call with the same `clientMessageId`
 * returns the stored message.
 * @throws AppError 403 also when the receiver is blocked, 404 not visible, no such number, 409 not
 *   forwardable, the receiver completed, the number switched off, 413, 422 a blocked type, 502 the file
 *   cannot be fetched
 */
export async function forward(
  deps: Deps,
  who: Who,
  from: { conversationId: number; messageId: number },
  { to, clientMessageId }: { to: Receiver; clientMessageId?: string | undefined },
): Promise<Replied> {
  const { database } = deps
  await noteReading(database, who, await expectReadable(database, who, from.conversationId))
  const source = await messageFor(database, who, from)
  expectNoNote(source)
  if (!isForwardable(source)) throw new AppError('messages.not_forwardable')
  const isFile = isMediaType(source.messageType)
  if (isFile) for (const row of fileRows) permit(who, row)
  const repeated = await checkReceiver(database, who, to, clientMessageId)
  if (repeated !== undefined) return { id: repeated }
  const file = isFile ? await copyFile(deps, source) : undefined
  const reply: Reply = { content: wordsOf(source), clientMessageId, isForwarded: true, file }
  const send = () =>
    'contactId' in to
      ? sendToContact(database, who, to, reply)
      : sendReply(database, who, to.conversationId, reply)
  return file ? orRemove(deps, file.name, send) : send()
}

/** Whoever forwards a file gets it and sends it. */
const fileRows = [getFile.rows['GET /api/media/files/{name}'], uploadMedia.rows['POST /api/media/upload']]

/** Checks before a file is copied. @returns the id of the stored message, when this is a repeated call */
async function checkReceiver(
  database: Database,
  who: Who,
  to: Receiver,
  clientMessageId: string | undefined,
): Promise<number | undefined> {
  if ('contactId' in to) {
    await expectWritable(database, who, to)
    return undefined
  }
  return expectReplyable(database, who, to.conversationId, clientMessageId)
}

/** The text or the caption; a file without one may be stored with its name or its kind instead. */
function wordsOf({ content, fileName, messageType }: Source): string {
  return content === fileName || content === messageTypeLabel(messageType) ? '' : content
}

async function copyFile({ database, files, messageFiles }: Deps, source: Source): Promise<ReplyFile> {
  const stored = await fetchFile(messageFiles, source.id)
  const bytes = stored && (await files.read(stored.name))
  if (!bytes) throw new AppError('media.unavailable')
  try {
    const kept = await keepBytes({ database, files }, source.fileName ?? 'arquivo', bytes)
    const { seconds, width, height, isVoice } = source.metadata
    const { name, fileName, kind, sizeBytes } = kept
    return {
      name,
      messageType: forwardedAs(source.messageType as ReplyFile['messageType'], kind),
      columns: { fileName, fileUrl: fileUrlOf(name), fileMimeType: kind.mimeType, fileSize: sizeBytes },
      metadata: {
        ...(seconds !== undefined && { seconds }),
        ...(width !== undefined && { width }),
        ...(height !== undefined && { height }),
        ...(isVoice !== undefined && { isVoice }),
      },
    }
  } finally {
    bytes.destroy()
  }
}

/** The gateway sends no stickers, and what is no picture to draw is a file like any other. */
function forwardedAs(type: ReplyFile['messageType'], { mimeType }: KeptFile['kind']) {
  if (!isPictureType(type)) return type
  return isShownPicture(mimeType) ? 'image' : 'document'
}

async function fetchFile(messageFiles: MessageFiles, messageId: number) {
  try {
    return await messageFiles.fetchFile(messageId, maxUploadBytes)
  } catch (error) {
    if (isDatabaseDown(error) || isDiskFull(error) || error instanceof BucketError) throw error
    if (error instanceof FileTooLarge) throw new AppError('media.too_large')
    throw new AppError('media.unavailable')
  }
}
