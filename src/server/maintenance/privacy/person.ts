import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { lidPattern, phonePattern, tailOf } from './spellings.ts'

/** Everything by which the rows of one person are found. */
export interface Person {
  /** His contact, those that were merged into it, and deleted ones of the same number. */
  contactIds: number[]
  conversationIds: number[]
  /** In their normal form. */
  phones: string[]
  /** Digits. */
  lids: string[]
}

/**
 * Gathers who a contact is. A person may have several contacts: ones that were merged into his, and deleted
 * ones whose number he wrote from again.
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

const list = (values: readonly (number | string)[], type: 'int' | 'text') =>
  sql`any(${sql.param(values)}::${sql.raw(type)}[])`

/** Conditions for rows that belong to the person. */
export const ofContact = (column: string) => (person: Person) =>
  sql`${sql.identifier(column)} = ${list(person.contactIds, 'int')}`
export const ofConversation = (column: string) => (person: Person) =>
  sql`${sql.identifier(column)} = ${list(person.conversationIds, 'int')}`
export const ofMessage = (column: string) => (person: Person) =>
  sql`${sql.identifier(column)} in (${messagesOf(person, 'id')})`

const messagesOf = (person: Person, column: 'id' | 'whatsapp_message_id') =>
  sql`select m.${sql.identifier(column)} from messages m
       where m.conversation_id = ${list(person.conversationIds, 'int')}`

/** Whether a text names the person by one of his addresses. */
function naming(text: SQL, { phones, lids }: Person): SQL {
  const patterns = [...phones.map(phonePattern), ...lids.map(lidPattern)]
  if (patterns.length === 0) return sql`false`
  const tails = [...phones, ...lids].map((digits) => `%${tailOf(digits)}%`)
  return sql`(${text} like ${list(tails, 'text')} and ${text} ~ ${patterns.join('|')})`
}

/** Changes that wait for a message of the person, or name him. */
export const ofPending = (person: Person): SQL =>
  sql`(whatsapp_message_id in (${messagesOf(person, 'whatsapp_message_id')})
       or ${naming(sql`data::text`, person)})`

/** Rows of imported files that made or changed a contact of the person, or name him. */
export const ofImportRow = (person: Person): SQL =>
  sql`(${ofContact('contact_id')(person)} or ${naming(sql`cells::text`, person)}
       or ${naming(sql`value`, person)})`

/** Imports whose file nobody reads at this moment. Which of the files names the person is not known. */
export const restingImport = sql`state not in ('running', 'undoing')`

/**
 * Webhooks that name the person, or are about a message of his. One that a worker is processing is not waited
 * for, since it may be waiting for us: it comes at the same moment, and is of a new contact.
 */
export const ofWebhook = (person: Person): SQL =>
  sql`id in (
    select i.id from webhook_inbox i
     where ${naming(sql`i.lane`, person)} or ${naming(sql`i.payload::text`, person)}
        or substring(i.lane from ':message:(.*)$') in (${messagesOf(person, 'whatsapp_message_id')})
     order by i.id for update skip locked)`

const isOthers = ({ conversationIds }: Person) =>
  sql`conversation_id <> all(${sql.param(conversationIds)}::int[])`

/** Messages of other conversations that quote one of the person's. */
export const quotingOthers = (person: Person): SQL =>
  sql`${isOthers(person)}
      and quoted_whatsapp_id is not null
      and (instance_id, quoted_whatsapp_id) in (
        select m.instance_id, m.whatsapp_message_id from messages m
         where m.conversation_id = ${list(person.conversationIds, 'int')}
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
