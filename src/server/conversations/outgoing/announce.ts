import { sql } from 'drizzle-orm'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { rows, type Tx } from '#server/platform/database/db.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { sendAutomatic } from '#server/conversations/store/texts.ts'
import { stayBegan } from '#server/conversations/store/write.ts'

/**
 * Sends the text that comes before the first message of a person, however the conversation was taken: once
 * until it is back in the queue. Whoever takes it then is announced like the first, unless they are the one
 * whom the client knows.
 * @returns whether it was sent
 */
export async function announce(db: Tx, conversation: Locked, personId: number): Promise<boolean> {
  const settings = await settingsOfNumber(db, conversation.instanceId, conversation.sectorId)
  if (showsNothing(settings.warningMessage)) return false
  if (await isAnnounced(db, conversation, personId)) return false
  return sendAutomatic(db, conversation, 'warningMessage', { settings })
}

/**
 * Whether the client needs no announcement: one was sent since the conversation left the queue, be it that
 * the reply after it was deleted before it was sent, or nobody else was heard of since the person wrote. Who
 * begins a conversation sends another text.
 */
async function isAnnounced(db: Tx, { id, initiatedBy }: Locked, personId: number): Promise<boolean> {
  const [row] = await rows<{ isAnnounced: boolean }>(
    db,
    sql`with said as (
          select id, created_at, metadata ->> 'text' as text from messages
           where conversation_id = ${id} and metadata ->> 'text' in ('warningMessage', 'transferMessage')),
        answer as (
          select id, sender_id from messages
           where conversation_id = ${id} and sender_id is not null and delivery_status is not null
           order by id desc limit 1)
        select exists (select from said where text = 'warningMessage'
                          and created_at >= ${stayBegan(sql`${id}`)})
            or exists (select from answer a where a.sender_id = ${personId}
                          and not exists (select from said where said.id > a.id))
            or (${initiatedBy !== 'contact'} and not exists (
                  select from queue_pending_conversations where conversation_id = ${id})) as "isAnnounced"`,
  )
  return row?.isAnnounced ?? false
}
