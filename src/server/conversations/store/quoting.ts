import { type SQL, sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/platform/database/db.ts'
import type { Locked, LockedMessage } from './lock.ts'

/**
 * Emits the messages that quote this WhatsApp id, after its text was changed or it came to belong to another
 * row: the quote shows the text also to people who may not see the original.
 */
export async function notifyQuoting(
  db: Tx,
  { conversationId, instanceId }: Pick<LockedMessage, 'conversationId' | 'instanceId'>,
  waId: string,
): Promise<void> {
  await emitQuoting(
    db,
    sql`c.contact_id = (select contact_id from conversations where id = ${conversationId})`,
    sql`q.instance_id = ${instanceId} and q.quoted_whatsapp_id = ${waId}`,
  )
}

/**
 * Emits the messages of other conversations that quote any of this one, after messages were moved into it or
 * before they are deleted with it: a quote names the conversation of the original.
 * @param contactIds more than its own while contacts are being merged
 */
export async function notifyQuotingAny(
  db: Tx,
  { id, contactId }: Pick<Locked, 'id' | 'contactId'>,
  contactIds: number[] = [contactId],
): Promise<void> {
  await emitQuoting(
    db,
    sql`c.contact_id = any(${sql.param(contactIds)}::int[]) and c.id <> ${id}`,
    sql`(q.instance_id, q.quoted_whatsapp_id) in (select m.instance_id, m.whatsapp_message_id from messages m
                                                   where m.conversation_id = ${id})`,
  )
}

async function emitQuoting(db: Tx, isOfContact: SQL, isQuote: SQL): Promise<void> {
  const quoting = await rows<{ id: number; conversationId: number }>(
    db,
    sql`select q.id, q.conversation_id as "conversationId"
          from conversations c join messages q on q.conversation_id = c.id
         where ${isOfContact} and q.quoted_whatsapp_id is not null and ${isQuote}
         order by q.id`,
  )
  for (const { id, conversationId } of quoting)
    db.emit({ type: 'new_message', conversationId, messageId: id })
}
