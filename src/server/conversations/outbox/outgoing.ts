import { sql } from 'drizzle-orm'
import { isMediaType, type MessageType } from '#shared/messages/message-kinds.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import { addressOf, chatJid, isGivenAddress, learnPhoneJid } from '#server/contacts/contacts.ts'
import type { Gateway, OutgoingMedia, OutgoingText, SendResult } from '#server/gateway/gateway.ts'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'

interface OutgoingRow extends Record<string, unknown> {
  content: string
  messageType: MessageType
  metadata: MessageMetadata
  fileName: string | null
  contactId: number
  quotedId: string | null
  quotedContent: string | null
  /** Null when it is not stored here. */
  quotedType: MessageType | null
  isQuotedOurs: boolean
  storedName: string | null
  storedBytes: number | null
  storedType: string | null
}

/**
 * Sends a stored message, text or file, through the gateway. Must not be called in a transaction.
 * @returns the address of the chat only when it is news: the message was sent to digits
 */
export async function sendStored(
  { database, gateway, files }: { database: Database; gateway: Gateway; files: FileStore },
  { messageId, instanceId, givenId }: { messageId: number; instanceId: number; givenId: string | null },
): Promise<SendResult> {
  const row = await findOutgoing(database, messageId)
  const text = row && (await toOutgoingText(database, row, givenId))
  if (!row || !text) return { kind: 'refused', reason: 'invalid', detail: 'no address' }
  const asAddressed = (result: SendResult) => (isGivenAddress(text.to) ? withoutJid(result) : result)
  if (!isMediaType(row.messageType)) return asAddressed(await gateway.sendText(database, instanceId, text))
  const file = row.storedName === null ? undefined : await files.read(row.storedName)
  if (!file) return { kind: 'refused', reason: 'file_missing', detail: 'the file is not in the file store' }
  try {
    return asAddressed(await gateway.sendMedia(database, instanceId, toOutgoingMedia(row, text, file)))
  } finally {
    // When the gateway could not be reached, the stream was opened but never read.
    file.destroy()
  }
}

const withoutJid = (result: SendResult): SendResult =>
  result.kind === 'sent' ? { ...result, jid: undefined } : result

/**
 * Learns from the answer to a send under which address WhatsApp has the contact's number. It has no place in
 * the transaction of the send, which locks the conversation: identities are locked before.
 */
export async function learnAddress(db: Db, conversationId: number, jid: string): Promise<void> {
  const [found] = await rows<{ contactId: number }>(
    db,
    sql`select contact_id as "contactId" from conversations where id = ${conversationId}`,
  )
  if (found) await learnPhoneJid(db, found.contactId, jid)
}

async function findOutgoing(db: Db, messageId: number): Promise<OutgoingRow | undefined> {
  const [row] = await rows<OutgoingRow>(
    db,
    sql`select m.content, m.message_type as "messageType", m.metadata, m.file_name as "fileName",
               c.contact_id as "contactId", m.quoted_whatsapp_id as "quotedId",
               m.quoted_content as "quotedContent", q.message_type as "quotedType",
               q.sender_type = 'user' is true as "isQuotedOurs",
               f.name as "storedName", f.size_bytes::int as "storedBytes", f.mime_type as "storedType"
          from messages m join conversations c on c.id = m.conversation_id
          left join files f on f.message_id = m.id
          left join messages q on q.instance_id = m.instance_id
           and q.whatsapp_message_id = m.quoted_whatsapp_id
         where m.id = ${messageId}`,
  )
  return row
}

async function toOutgoingText(
  db: Db,
  row: OutgoingRow,
  givenId: string | null,
): Promise<OutgoingText | undefined> {
  const to = await addressOf(db, row.contactId)
  if (!to) return undefined
  return { to, text: row.content, quoted: quotedOf(row, chatJid(to)), waId: givenId ?? undefined }
}

function quotedOf(row: OutgoingRow, jid: string): OutgoingText['quoted'] {
  if (!row.quotedId) return undefined
  const isText = row.quotedType === null || row.quotedType === 'text'
  return {
    waId: row.quotedId,
    text: isText && row.quotedContent ? row.quotedContent : undefined,
    fromMe: row.isQuotedOurs,
    jid,
  }
}

function toOutgoingMedia(
  row: OutgoingRow,
  text: OutgoingText,
  bytes: AsyncIterable<Uint8Array>,
): OutgoingMedia {
  const { messageType, metadata, fileName, storedBytes, storedType } = row
  return {
    ...text,
    kind: messageType === 'sticker' ? 'image' : (messageType as OutgoingMedia['kind']),
    isVoice: metadata.isVoice === true,
    fileName: fileName ?? 'arquivo',
    mimeType: storedType ?? '',
    sizeBytes: storedBytes ?? 0,
    bytes,
  }
}
