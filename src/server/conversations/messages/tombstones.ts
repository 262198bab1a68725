import { and, eq, isNull, sql } from 'drizzle-orm'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import type { Db } from '#server/platform/database/db.ts'
import { forgottenMessages } from '#server/schema/message-changes.ts'
import { saysSame } from './match-content.ts'

/** So long the echo of what was being sent may still come; after that nothing of its words is kept. */
const inFlightFor = sql`interval '1 hour'`

/**
 * Notes what WhatsApp knows of a locked conversation that is about to be deleted: the ids of its messages, and the words of
 * those that are being sent at this moment.
 */
export async function forgetMessagesOf(db: Db, conversationId: number): Promise<void> {
  await db.execute(
    sql`insert into forgotten_messages (instance_id, whatsapp_message_id, message_id, contact_id, message_type, content, file_name)
        select m.instance_id, known.wa_id, m.id, c.contact_id, m.message_type,
               case when known.wa_id is null then m.content else '' end,
               case when known.wa_id is null then m.file_name end
          from messages m join conversations c on c.id = m.conversation_id left join outbox o on o.message_id = m.id
               cross join lateral (
                 select m.whatsapp_message_id as wa_id
                  union all select jsonb_array_elements_text(m.metadata -> 'duplicateIds')) known
         where m.conversation_id = ${conversationId}
           and (known.wa_id is not null or (m.whatsapp_message_id is null and (o.state in ('sending', 'unknown') or o.tries > 0)))
        on conflict do nothing`,
  )
}

/** Whether a message of this id was deleted here, so that whatever tells of it again is nothing. */
export async function isForgotten(db: Db, instanceId: number, waId: string): Promise<boolean> {
  const [found] = await db
    .select({ id: forgottenMessages.id })
    .from(forgottenMessages)
    .where(and(eq(forgottenMessages.instanceId, instanceId), eq(forgottenMessages.whatsappMessageId, waId)))
  return found !== undefined
}

/** The gateway has a message that was deleted while it was being sent: from here on its id says so. */
export async function forgetSent(db: Db, messageId: number, waId: string): Promise<void> {
  await db
    .update(forgottenMessages)
    .set({ whatsappMessageId: waId, content: '', fileName: null })
    .where(and(eq(forgottenMessages.messageId, messageId), isNull(forgottenMessages.whatsappMessageId)))
}

/** @returns whether an echo is that of a message which was deleted while it was being sent */
export async function forgetEcho(
  db: Db,
  contactId: number,
  { waId, content }: Pick<Extract<GatewayEvent, { kind: 'message' }>, 'waId' | 'content'>,
): Promise<boolean> {
  const [found] = await db
    .select({ messageId: forgottenMessages.messageId })
    .from(forgottenMessages)
    .where(
      and(
        eq(forgottenMessages.contactId, contactId),
        isNull(forgottenMessages.whatsappMessageId),
        sql`${forgottenMessages.forgottenAt} > app_now() - ${inFlightFor}`,
        saysSame(sql`${forgottenMessages}`, content),
      ),
    )
    .orderBy(forgottenMessages.messageId)
    .limit(1)
  if (found) await forgetSent(db, found.messageId, waId)
  return found !== undefined
}

/** Forgets the words of what was being sent and never came back. */
export async function trimForgotten(db: Db): Promise<void> {
  await db
    .delete(forgottenMessages)
    .where(
      and(
        isNull(forgottenMessages.whatsappMessageId),
        sql`${forgottenMessages.forgottenAt} <= app_now() - ${inFlightFor}`,
      ),
    )
}
