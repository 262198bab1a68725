import type { FastifyRequest } from 'fastify'
import type { Message } from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'
import {
  blockedExtensionOf,
  finalFileName,
  maxUploadBytes,
  type UploadFields,
  uploadFields,
} from '#shared/media.ts'
import { insertFile, kindOfFile, messageTypeOf, programIn, withExtension } from '#server/media/media.ts'
import { permit, type Who } from '#server/platform/access.ts'
import type { Database } from '#server/platform/db.ts'
import { type FileStore, FileTooLarge, newFileName, type Spooled } from '#server/platform/file-store.ts'
import { expectOpen } from '../access.ts'
import { findByClientId, type Reply, sendReply } from '../reply.ts'
import { expectWritable, sendToContact } from '../start.ts'
import { fileUrlOf } from './message-files.ts'

/**
 * Takes an operator's file and sends it as a reply: stored first, then message and outbox row in one transaction.
 * Repeating it with the same `clientMessageId` answers the stored message.
 * @throws AppError 400 without a file or with bad fields, 404, 409 completed, 413, 422 a kind that is refused
 */
export async function receiveUpload(
  { database, files }: { database: Database; files: FileStore },
  who: Who,
  request: FastifyRequest,
): Promise<{ id: number; message?: Message }> {
  // One byte more than is allowed, so that the spool sees that it is too much.
  const limits = { fileSize: maxUploadBytes + 1, files: 1, fields: 20 }
  const part = await request.file({ limits }).catch((error: unknown) => Promise.reject(badForm(error)))
  if (!part) throw new AppError('media.missing', 400)
  const drain = () => part.file.resume()
  try {
    const fields = fieldsOf(part.fields)
    const repeated = await expectTaken(database, who, fields)
    if (repeated) return { id: repeated }
    const fileName = finalFileName(nameIn(part.filename))
    refuseExtension(blockedExtensionOf(fileName))
    const spooled = await spool(files, bytesOf(part.file))
    try {
      return await store({ database, files }, who, { fields, fileName, spooled })
    } finally {
      await spooled.drop()
    }
  } finally {
    drain()
  }
}

/** A form that ends in its middle, or is none: the parser's own words for it carry no status. */
const badForm = (error: unknown) =>
  error instanceof Error && 'statusCode' in error ? error : new AppError('request.invalid', 400)

/** Told apart from a disk that fails. */
async function* bytesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (error) {
    throw badForm(error)
  }
}

/**
 * Before the file is taken in.
 * @returns the message that was made of it before, when this is a repetition
 */
async function expectTaken(database: Database, who: Who, fields: Fields): Promise<number | undefined> {
  const { to, clientMessageId } = fields
  if ('contactId' in to) {
    permit(who, 'POST /api/contacts/{id}/send-message')
    await expectWritable(database, to.contactId)
    return undefined
  }
  const repeated = clientMessageId && (await findByClientId(database, to.conversationId, clientMessageId))
  if (repeated) return repeated
  await expectOpen(database, who, to.conversationId)
  return undefined
}

/** Browsers write quotation marks and line breaks in a form's file name so. */
const nameIn = (filename: string) => filename.replace(/%(?:22|0A|0D)/g, decodeURIComponent)

type Fields = UploadFields & { to: { conversationId: number } | { contactId: number } }

function fieldsOf(parts: Record<string, unknown>): Fields {
  const given = Object.entries(parts).flatMap(([name, part]) =>
    typeof part === 'object' && part !== null && 'value' in part ? [[name, part.value]] : [],
  )
  const parsed = uploadFields.safeParse(Object.fromEntries(given))
  if (parsed.success) return { ...parsed.data, to: receiverOf(parsed.data) }
  const fields = Object.fromEntries(
    parsed.error.issues.map((issue) => [issue.path.join('.') || 'body', issue.message]),
  )
  throw new AppError('request.invalid', 400, { fields })
}

function receiverOf({ conversationId, contactId }: UploadFields): Fields['to'] {
  if (conversationId !== undefined) return { conversationId }
  if (contactId !== undefined) return { contactId }
  throw new AppError('request.invalid', 400, { fields: { conversationId: 'Informe a conversa' } })
}

function refuseExtension(ext: string | undefined): void {
  if (ext !== undefined) throw new AppError('media.blocked', 422, { values: { ext } })
}

async function spool(files: FileStore, bytes: AsyncIterable<Uint8Array>): Promise<Spooled> {
  try {
    return await files.spool(bytes, maxUploadBytes)
  } catch (error) {
    if (error instanceof FileTooLarge) throw new AppError('media.too_large', 413)
    throw error
  }
}

async function store(
  { database, files }: { database: Database; files: FileStore },
  who: Who,
  { fields, fileName, spooled }: { fields: Fields; fileName: string; spooled: Spooled },
) {
  const { sizeBytes, sha256, head } = spooled
  if (sizeBytes === 0) throw new AppError('media.empty', 422)
  const kind = await kindOfFile(head)
  refuseExtension(programIn(kind))
  const isVoice = fields.isVoice === 'true'
  const messageType = messageTypeOf(kind, isVoice)
  const name = newFileName()
  await insertFile(database, { name, sizeBytes, mimeType: kind.mimeType, sha256 })
  await files.keep(name, spooled)
  const { to, seconds, width, height } = fields
  const reply: Reply = {
    // A voice message has no place for words.
    content: isVoice ? '' : (fields.caption?.trim() ?? ''),
    clientMessageId: fields.clientMessageId,
    quotedMessageId: fields.quotedMessageId,
    file: {
      name,
      messageType,
      columns: {
        fileName: withExtension(fileName, kind),
        fileUrl: fileUrlOf(name),
        fileMimeType: kind.mimeType,
        fileSize: sizeBytes,
      },
      metadata: {
        ...(messageType === 'audio' && { isVoice }),
        ...(seconds !== undefined && { seconds }),
        ...(width !== undefined && { width }),
        ...(height !== undefined && { height }),
      },
    },
  }
  if ('contactId' in to) return sendToContact(database, who, to.contactId, reply)
  return sendReply(database, who, to.conversationId, reply)
}
