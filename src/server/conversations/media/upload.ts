import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { type UploadFields, uploadFields } from '#shared/messages/media.ts'
import { sendToContact as sendToContactCall } from '#shared/messages/message-endpoints.ts'
import { messageTypeOf, keepFile, type KeptFile, orRemove, withFile } from '#server/media/media.ts'
import { permit, type Who } from '#server/platform/http/access.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { expectReplyable, type Replied, type Reply, sendReply } from '#server/conversations/outgoing/reply.ts'
import { expectNotable, storeNote } from '#server/conversations/messages/notes.ts'
import { expectWritable, sendToContact, type To } from '#server/conversations/outgoing/start.ts'
import { fileUrlOf } from './message-files.ts'

/**
 * Stores an operator's file and sends it as a reply, or keeps it in a note of the team. Repeating a call with
 * the same `clientMessageId` returns the stored message.
 * @throws AppError 400 without a file or with bad fields, 404, 409 completed, 413, 422 a blocked type
 */
export async function receiveUpload(
  { database, files }: { database: Database; files: FileStore },
  who: Who,
  { request, permit: permitAs }: { request: FastifyRequest; permit: (isNote: boolean) => void },
): Promise<Replied> {
  return withFile(request, async (part) => {
    const fields = parseFields(part.fields)
    permitAs(conversationOfNote(fields) !== undefined)
    const repeated = await checkReceiver(database, who, fields)
    if (repeated) return { id: repeated }
    const kept = await keepFile({ database, files }, part)
    return orRemove({ database, files }, kept.name, () => sendFile(database, who, fields, kept))
  })
}

/**
 * Checks before the file is read that it can be sent.
 * @returns the id of the stored message, when this is a repeated call
 */
async function checkReceiver(database: Database, who: Who, fields: Fields): Promise<number | undefined> {
  const { to, clientMessageId } = fields
  const noteIn = conversationOfNote(fields)
  if (noteIn !== undefined) return expectNotable(database, who, noteIn, clientMessageId)
  if ('contactId' in to) {
    permit(who, sendToContactCall.rows['POST /api/contacts/{id}/send-message'])
    await expectWritable(database, who, to)
    return undefined
  }
  return expectReplyable(database, who, to.conversationId, clientMessageId)
}

type Fields = UploadFields & { to: { conversationId: number } | To }

function parseFields(parts: Record<string, unknown>): Fields {
  const given = Object.entries(parts).flatMap(([name, part]) =>
    typeof part === 'object' && part !== null && 'value' in part ? [[name, part.value]] : [],
  )
  const parsed = uploadFields.safeParse(Object.fromEntries(given))
  if (parsed.success) return { ...parsed.data, to: parseReceiver(parsed.data) }
  const fields = Object.fromEntries(
    parsed.error.issues.map((issue) => [issue.path.join('.') || 'body', issue.message]),
  )
  throw new AppError('request.invalid', { fields })
}

/** Where a note of the team is written; undefined for what is sent to the client. */
const conversationOfNote = ({ isNote, to }: Fields) =>
  isNote === 'true' && 'conversationId' in to ? to.conversationId : undefined

function parseReceiver({ conversationId, contactId, instanceId, isNote }: UploadFields): Fields['to'] {
  if (conversationId !== undefined) return { conversationId }
  if (contactId !== undefined && isNote !== 'true') return { contactId, instanceId }
  throw new AppError('request.invalid', { fields: { conversationId: 'Informe a conversa' } })
}

async function sendFile(
  database: Database,
  who: Who,
  given: Fields,
  { name, fileName, kind, sizeBytes }: KeptFile,
): Promise<Replied> {
  const { to, seconds, width, height, ...fields } = given
  const columns = { fileName, fileUrl: fileUrlOf(name), fileMimeType: kind.mimeType, fileSize: sizeBytes }
  const measured = {
    ...(seconds !== undefined && { seconds }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  }
  const noteIn = conversationOfNote(given)
  if (noteIn !== undefined) {
    const content = fields.caption?.trim() ?? ''
    const file = { name, columns, metadata: measured }
    const note = { content, clientMessageId: fields.clientMessageId, mentions: fields.mentions, file }
    return { id: await storeNote(database, who, noteIn, note) }
  }
  const isVoice = fields.isVoice === 'true'
  const messageType = messageTypeOf(kind, isVoice)
  const reply: Reply = {
    // A voice message has no caption, and releases of the gateway before 2.4 do not pass on what it quotes:
    // what is shown here must be what the client sees.
    content: isVoice ? '' : (fields.caption?.trim() ?? ''),
    clientMessageId: fields.clientMessageId,
    quickReply: fields.quickReply,
    quotedMessageId: isVoice ? undefined : fields.quotedMessageId,
    file: {
      name,
      messageType,
      columns,
      metadata: { ...(messageType === 'audio' && { isVoice }), ...measured },
    },
  }
  if ('contactId' in to) return sendToContact(database, who, to, reply)
  return sendReply(database, who, to.conversationId, reply)
}
