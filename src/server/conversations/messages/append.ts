import { sql } from 'drizzle-orm'
import { maxFileSize, refusedExtensionOf } from '#shared/messages/media.ts'
import { isCountedMessage, isMediaType } from '#shared/messages/message-kinds.ts'
import { wantFiles } from '#server/media/media.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import type { MessagePlace } from '#server/conversations/store/message-place.ts'
import { placeholderTable, toColumns } from '#server/platform/database/placeholder-table.ts'
import { findPlace } from '#server/conversations/store/write.ts'
import { wantTranscriptions } from './transcription-queue.ts'

/** A message that the gateway reported, with its place in a locked conversation. */
export interface NewIncoming {
  conversation: Pick<Locked, 'id' | 'instanceId'>
  event: IncomingMessage
  place: MessagePlace
  /** It came late: shown as recovered. */
  isRecovered: boolean
  /** It makes the conversation active. */
  isActivity: boolean
  /** The contact waits for an answer to it, unless they wait for one already. */
  startsWaiting: boolean
}

const columnTypes = {
  n: 'int',
  conversation_id: 'int',
  instance_id: 'int',
  sender_type: 'text',
  content: 'text',
  message_type: 'text',
  file_name: 'text',
  file_mime_type: 'text',
  file_size: 'bigint',
  whatsapp_message_id: 'text',
  quoted_whatsapp_id: 'text',
  quoted_content: 'text',
  metadata: 'text',
  delivery_status: 'text',
  sort_at: 'timestamptz',
  sent_at: 'timestamptz',
  counted: 'int',
  counted_of_contact: 'int',
  is_newest: 'bool',
  is_activity: 'bool',
  starts_waiting: 'bool',
} as const
type Row = Record<keyof typeof columnTypes, unknown>
const columnNames = Object.keys(columnTypes) as (keyof Row)[]

const insertMany = statement<Record<string, unknown>>()((db) => {
  const arriving = db
    .$with('arriving', { n: sql<number>`n`.as('n') })
    .as(sql`select * from ${placeholderTable('a', columnTypes)}`)
  const inserted = db.$with('inserted', { id: sql<number>`id`.as('id') }).as(
    sql`insert into messages (conversation_id, instance_id, sender_type, content, message_type, file_name,
               file_mime_type, file_size, whatsapp_message_id, quoted_whatsapp_id, quoted_content, metadata,
               delivery_status, sort_at, sent_at, created_at)
        select conversation_id, instance_id, sender_type, content, message_type, file_name,
               file_mime_type, file_size, whatsapp_message_id, quoted_whatsapp_id, quoted_content,
               metadata::jsonb, delivery_status, sort_at, sent_at, app_now()
          from arriving order by n
        returning id, conversation_id`,
  )
  const changed = db.$with('changed', { id: sql<number>`id`.as('id') }).as(
    sql`update conversations c
           set message_count = c.message_count + a.counted,
               contact_message_count = c.contact_message_count + a.counted_of_contact,
               last_message_id = case when a.counted = 1 and (a.is_newest or c.last_message_id is null)
                                      then i.id else c.last_message_id end,
               version = c.version + a.is_activity::int,
               last_activity_at = case when a.is_activity then greatest(c.last_activity_at, a.sort_at)
                                       else c.last_activity_at end,
               waiting_for = case when a.starts_waiting then 'operator' else c.waiting_for end,
               waiting_since = case when a.starts_waiting then coalesce(c.waiting_since, a.sort_at)
                                    else c.waiting_since end
          from arriving a join inserted i on i.conversation_id = a.conversation_id
         where c.id = a.conversation_id
        returning c.id`,
  )
  return db
    .with(arriving, inserted, changed)
    .select({ n: sql<number>`a.n`, id: sql<number>`i.id` })
    .from(sql`arriving a join inserted i on i.conversation_id = a.conversation_id`)
    .orderBy(sql`a.n`)
})

/**
 * Writes messages that the gateway reported into locked conversations, each into another one, and what they
 * change there, in one statement. The WhatsApp ids are locked.
 * @returns the ids of the messages, in the order of `many`
 */
export async function appendIncoming(db: Tx, many: readonly NewIncoming[]): Promise<number[]> {
  if (many.length === 0) return []
  const inserted = await insertMany(db, toColumns(many.map(toRow), columnNames))
  const ids = inserted.map(({ id }) => id)
  const withFile = ids.filter((_id, n) => many[n] && isFetchedAtOnce(many[n].event))
  if (withFile.length > 0) {
    await wantFiles(db, withFile)
    db.signal('media')
    await wantTranscriptions(
      db,
      withFile.filter((id) => isVoiceOfClient(many[ids.indexOf(id)]?.event)),
    )
  }
  return ids
}

/**
 * Whether its file is fetched now; files of the past come by the thousands, and are fetched when one is
 * opened.
 */
function isFetchedAtOnce({ content, isHistory }: IncomingMessage): boolean {
  if (!isMediaType(content.messageType) || isHistory || refusedExtensionOf(content)) return false
  return (content.sizeBytes ?? 0) <= maxFileSize
}

function isVoiceOfClient(event: IncomingMessage | undefined): boolean {
  if (event?.origin !== 'contact' || event.content.messageType !== 'audio') return false
  return event.content.metadata?.isVoice === true
}

function toRow(
  { conversation, event, place, isRecovered, isActivity, startsWaiting }: NewIncoming,
  n: number,
): Row {
  const { content, quoted } = event
  const isOwn = event.origin !== 'contact'
  const isCounted = isCountedMessage(content.messageType)
  return {
    n,
    conversation_id: conversation.id,
    instance_id: conversation.instanceId,
    sender_type: isOwn ? 'user' : 'contact',
    content: content.content,
    message_type: content.messageType,
    file_name: content.fileName ?? null,
    file_mime_type: content.mimeType ?? null,
    file_size: content.sizeBytes ?? null,
    whatsapp_message_id: event.waId,
    quoted_whatsapp_id: quoted?.waId ?? null,
    quoted_content: quoted?.content ?? null,
    metadata: JSON.stringify({
      ...content.metadata,
      ...quoteFacts(quoted),
      ...(isRecovered && { recovered: true }),
      ...(isOwn && { origin: event.origin }),
      ...(event.postedMs !== undefined && { postedMs: event.postedMs }),
    }),
    delivery_status: isOwn ? 'sent' : null,
    sort_at: place.sortAt.toISOString(),
    sent_at: place.sentAt.toISOString(),
    counted: isCounted ? 1 : 0,
    counted_of_contact: isCounted && !isOwn ? 1 : 0,
    is_newest: place.isNewest,
    is_activity: isActivity,
    starts_waiting: startsWaiting,
  }
}

/** What is stored of a quote beside its text. */
function quoteFacts(quoted: IncomingMessage['quoted']): Pick<MessageMetadata, 'quote'> {
  const { type = 'text', from, isStatus } = quoted ?? {}
  const quote = {
    ...(from && { from }),
    ...(type !== 'text' && { type }),
    ...(isStatus && { isStatus }),
  }
  return Object.keys(quote).length > 0 ? { quote } : {}
}

/** Writes one such message into a locked conversation whose own state the caller changes. */
export async function appendTo(
  db: Tx,
  conversation: Locked,
  event: IncomingMessage,
  isRecovered: boolean,
): Promise<{ id: number; sortAt: Date }> {
  const place = await findPlace(db, conversation.id, event, conversation.isHistory)
  const [id] = await appendIncoming(db, [
    { conversation, event, place, isRecovered, isActivity: false, startsWaiting: false },
  ])
  if (id === undefined) throw new Error('message not written')
  return { id, sortAt: place.sortAt }
}
