import { sql } from 'drizzle-orm'
import { phoneOfAddress } from '#shared/text/phones/read-phone.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { everybody } from './samples.ts'
import type { DemoPerson } from './people.ts'
import { type Database, rows } from '#server/platform/database/db.ts'

/**
 * Creates a phone in the simulator for every contact and imports its last conversations; repeats add nothing.
 * Texts only, since sample media have no files.
 */
export async function givePhones(database: Database, { control }: Simulator): Promise<void> {
  const chats = await lastChats(database)
  const known = control.phones()
  for (const [index, person] of everybody.entries()) {
    const { name, phone: number, lid, identity = 'pn', isUnreachable = false } = person
    const id = `demo-${index}`
    // Somebody may have created a phone with this number before the demo had this contact.
    if (known.some((phone) => phone.number === number && phone.id !== id)) continue
    control.createPhone({
      id,
      name,
      identity,
      onWhatsApp: !isUnreachable,
      ...(number && { number }),
      ...(lid && { lid }),
    })
    control.importHistory(id, { messages: chats.get(keyOf(person)) ?? [] })
  }
}

function keyOf({ phone, lid }: DemoPerson) {
  return (phone ? phoneOfAddress(phone) : lid) ?? ''
}

type ChatLine = {
  id: string
  from: 'phone' | 'company'
  text: string
  at: string
  ack: 'sent' | 'delivered' | 'read' | 'played'
}

const talksPerPhone = 2

async function lastChats(database: Database): Promise<Map<string, ChatLine[]>> {
  const found = await rows<ChatLine & { key: string }>(
    database,
    sql`with recent as (
          select id, contact_id from (
            select id, contact_id,
                   row_number() over (partition by contact_id order by started_at desc) as place
              from conversations) c where place <= ${talksPerPhone})
        select i.value as key, m.whatsapp_message_id as id, m.content as text,
               case m.sender_type when 'contact' then 'phone' else 'company' end as "from",
               to_char(m.sort_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
               coalesce(m.delivery_status, 'read') as ack
          from recent c
          join messages m on m.conversation_id = c.id
          join contact_identities i on i.contact_id = c.contact_id
         where m.message_type = 'text' and m.deleted_at is null and m.content <> ''
           and m.whatsapp_message_id is not null
           and coalesce(m.delivery_status, 'read') in ('sent', 'delivered', 'read', 'played')
         order by m.sort_at, m.id`,
  )
  const chats = Map.groupBy(found, ({ key }) => key)
  return new Map(
    [...chats].map(([key, all]) => [
      key,
      all.map(({ id, from, text, at, ack }) => ({ id, from, text, at, ack })),
    ]),
  )
}
