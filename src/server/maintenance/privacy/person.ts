import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { naming, type Person } from '#server/schema/declare/person.ts'

/**
 * Gathers who a contact is. A person may have several contacts: ones that were merged into theirs, and
 * deleted ones whose number they wrote from again.
 */
export async function gatherPerson(db: Db, contactId: number): Promise<Person> {
  const [row] = await rows<Record<keyof Person, (number | string)[] | null>>(
    db,
    sql`with recursive same as (
          select ${contactId}::int as id
          union
          select other.id from same s cross join lateral (
            select m.id from audit_logs l join contacts m on m.id = (l.details ->> 'mergedId')::int
             where l.action = 'contact.merge' and l.resource_type = 'contact' and l.resource_id = s.id::text
               -- One that was parted again is somebody else.
               and m.deleted_at is not null and not exists (
                 select from contact_distinctions d
                  where d.first_id = least(m.id, s.id) and d.second_id = greatest(m.id, s.id))
            union all
            select d.id from contacts d
             where d.deleted_at is not null and d.phone is not null
               and d.phone in (select c.phone from contacts c where c.id = s.id
                               union select i.value from contact_identities i
                                      where i.contact_id = s.id and i.kind = 'phone')) other)
        select array(select id from same order by id) as "contactIds",
               array(select v.id from conversations v where v.contact_id in (select id from same)
                      order by v.id) as "conversationIds",
               array(select c.phone from contacts c
                      where c.id in (select id from same) and c.phone is not null
                     union select i.value from contact_identities i
                      where i.contact_id in (select id from same) and i.kind = 'phone'
                     union select p.phone_number from pre_attendance_temp p
                      where p.contact_id in (select id from same) and p.phone_number is not null
                     order by 1) as phones,
               array(select i.value from contact_identities i
                      where i.contact_id in (select id from same) and i.kind = 'lid' order by 1) as lids`,
  )
  if (!row) throw new Error('no answer')
  return row as unknown as Person
}

const isOthers = ({ conversationIds }: Person) =>
  sql`conversation_id <> all(${sql.param(conversationIds)}::int[])`

/** Messages of other conversations that quote one of the person's. */
export const quotingOthers = (person: Person): SQL =>
  sql`${isOthers(person)}
      and quoted_whatsapp_id is not null
      and (instance_id, quoted_whatsapp_id) in (
        select m.instance_id, m.whatsapp_message_id from messages m
         where m.conversation_id = any(${sql.param(person.conversationIds)}::int[])
           and m.whatsapp_message_id is not null)`

/** Contact cards of the person in other conversations, and what is left of them. */
export function cardsOfPerson(person: Person): { where: SQL; metadata: SQL } {
  const others = sql`(select jsonb_agg(c) from jsonb_array_elements(metadata -> 'contacts') c
                       where not ${naming(sql`c::text`, person)})`
  return {
    where: sql`${isOthers(person)} and metadata ? 'contacts'
               and ${naming(sql`(metadata -> 'contacts')::text`, person)}`,
    metadata: sql`case when ${others} is null then (metadata - 'contacts') || '{"isErased": true}'::jsonb
                       else jsonb_set(metadata, '{contacts}', ${others}) end`,
  }
}
