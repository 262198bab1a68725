import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { World } from './world.ts'

/** What a conversation is to be like. */
export interface WantedTalk {
  /** Its operator; null: it waits in the FILA. */
  holderId: number | null
  /** Completed long ago, so that nobody can still have it open. */
  isCompleted?: boolean
}

/** A conversation with a client's message. */
export interface Talk extends Record<string, unknown> {
  id: number
  contactId: number
  messageId: number
  phone: string
}

/** Stands in every text of every conversation, so that it shows what reached whom. */
export const canary = 'segredo-da-conversa'

/** Writes conversations directly into the database, in order. */
export async function makeTalks(world: World, wanted: readonly WantedTalk[]): Promise<Talk[]> {
  const instanceId = world.at.instanceId
  const entries = wanted.map(({ holderId, isCompleted = false }, n) => {
    const number = String(world.next()).padStart(8, '0')
    return { n, holder_id: holderId, is_completed: isCompleted, phone: `55119${number}`, number }
  })
  return rows<Talk>(
    world.database,
    sql`with w as (select * from json_to_recordset(${JSON.stringify(entries)}::json)
          as w(n int, holder_id int, is_completed bool, phone text, number text)),
        k as (insert into contacts (name, phone)
          select 'Cliente ' || ${canary}::text || ' ' || number, phone from w order by n returning id, phone),
        i as (insert into contact_identities (contact_id, kind, value, jid)
          select id, 'phone', phone, phone from k),
        c as (insert into conversations (instance_id, contact_id, protocol, assigned_user_id, status,
              sub_status,
              waiting_for, waiting_since, started_at, completed_at, last_activity_at, message_count,
              contact_message_count, created_at)
          select ${instanceId}, k.id, '20200101' || right(w.number, 6), w.holder_id,
                 case when w.is_completed then 'completed' when w.holder_id is null then 'waiting'
                      else 'active' end,
                 case when w.holder_id is null then 'FILA' else 'OPERADOR' end, 'operator',
                 case when not w.is_completed then app_now() - interval '1 hour' end,
                 app_now() - interval '3 days',
                 case when w.is_completed then app_now() - interval '2 days' end,
                 app_now() - interval '2 days', 1, 1, app_now() - interval '3 days'
            from w join k using (phone) order by n returning id, contact_id, sub_status, status),
        q as (insert into queue_pending_conversations (conversation_id, contact_id)
          select id, contact_id from c where sub_status = 'FILA' and status <> 'completed'),
        m as (insert into messages (conversation_id, instance_id, sender_type, content, whatsapp_message_id,
              sort_at, sent_at)
          select c.id, ${instanceId}, 'contact', 'Olá, ' || ${canary}::text, 'PROVA' || c.id, app_now(),
                 app_now()
            from c returning id, conversation_id)
        select c.id, c.contact_id as "contactId", m.id as "messageId", w.phone
          from w join k using (phone) join c on c.contact_id = k.id join m on m.conversation_id = c.id
         order by w.n`,
  )
}
