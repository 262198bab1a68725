import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Content } from '#server/gateway/gateway.ts'
import type { Db } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import { forgottenMessages } from '#server/schema/conversations/message-changes.ts'
import { matchesContent } from './match-content.ts'

// Tombstones of deleted messages, in `forgotten_messages`: the gateway may report such a message again, by an
// echo, its record or a new history sync, and it must not come back.

/**
 * How long the echo of a message that was being sent may still arrive; after that its content is deleted,
 * too.
 */
const inFlightFor = sql`interval '1 hour'`

/**
 * Leaves a tombstone for each message of locked conversations that are about to be deleted: the ids that
 * WhatsApp knows, and the content of messages that are being sent at this moment.
 */
export async function insertTombstones(db: Db, conversationIds: readonly number[]): Promise<void> {
  await db.execute(
    sql`insert into forgotten_messages
               (instance_id, whatsapp_message_id, message_id, contact_id, message_type, content, file_name)
        select m.instance_id, known.wa_id, m.id, c.contact_id, m.message_type,
               case when known.wa_id is null then m.content else '' end,
               case when known.wa_id is null then m.file_name end
          from messages m join conversations c on c.id = m.conversation_id
               left join outbox o on o.message_id = m.id
               cross join lateral (
                 select m.whatsapp_message_id as wa_id
                  union all select jsonb_array_elements_text(m.metadata -> 'duplicateIds')) known
         where m.conversation_id = any(${sql.param(conversationIds)}::int[])
           and (known.wa_id is not null
                or (m.whatsapp_message_id is null and (o.state in ('sending', 'unknown') or o.tries > 0)))
        on conflict do nothing`,
  )
}

const selectTombstone = statement<{ instanceId: number; waId: string }>()((db) =>
  db
    .select({ id: forgottenMessages.id })
    .from(forgottenMessages)
    .where(
      and(
        eq(forgottenMessages.instanceId, sql.placeholder('instanceId')),
        eq(forgottenMessages.whatsappMessageId, sql.placeholder('waId')),
      ),
    ),
)

/** Whether a message of this id was deleted here, so that whatever the gateway reports of it is ignored. */
export async function hasTombstone(db: Db, instanceId: number, waId: string): Promise<boolean> {
  const found = await selectTombstone(db, { instanceId, waId })
  return found.length > 0
}

/** The gateway has a message that was deleted while it was being sent: its tombstone gets the id. */
export async function confirmDeleted(db: Db, messageId: number, waId: string): Promise<void> {
  await db
    .update(forgottenMessages)
    .set({ whatsappMessageId: waId, content: '', fileName: null })
    .where(and(eq(forgottenMessages.messageId, messageId), isNull(forgottenMessages.whatsappMessageId)))
}

/**
 * Selects the id of the contact's message with this content that was deleted while it was being sent, as a
 * query without parentheses.
 */
export const deletedInFlightOf = (contactId: number, content: Content): SQL =>
  sql`select f.message_id from forgotten_messages f
       where f.contact_id = ${contactId} and f.whatsapp_message_id is null
         and f.forgotten_at > app_now() - ${inFlightFor} and ${matchesContent(sql`f`, content)}
       order by f.message_id limit 1`

/** Deletes the tombstones, with their content, of messages that were being sent and whose echo never came. */
export async function trimTombstones(db: Db): Promise<void> {
  await db
    .delete(forgottenMessages)
    .where(
      and(
        isNull(forgottenMessages.whatsappMessageId),
        sql`${forgottenMessages.forgottenAt} <= app_now() - ${inFlightFor}`,
      ),
    )
}
