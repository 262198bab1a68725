import { sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'
import type { Note, Office } from './office.ts'

type ByHand = (office: Office, note: Note, sentId: number) => ReturnType<typeof sql>

const inOutbox = ({ instanceId }: Office, { conversationId, id }: Note, state: string) =>
  sql`insert into outbox (instance_id, conversation_id, message_id, state)
      values (${instanceId}, ${conversationId}, ${id}, ${state})`

/** Statements that somebody with access to the database writes, each of which would send a note. */
export const byHand: Readonly<Record<string, ByHand>> = {
  'a row of the outbox': (office, note) => inOutbox(office, note, 'pending'),
  'a row of the outbox as sent': (office, note) => inOutbox(office, note, 'sent'),
  'a row of the outbox that becomes one of the note': (_office, { id }, sentId) =>
    sql`update outbox set message_id = ${id}, state = 'pending' where message_id = ${sentId}`,
  'a note that becomes a text': (_office, { id }) =>
    sql`update messages set message_type = 'text' where id = ${id}`,
  'a note that becomes a text to send': (_office, { id }) =>
    sql`update messages set message_type = 'text', delivery_status = 'pending' where id = ${id}`,
  'a note that is to be delivered': (_office, { id }) =>
    sql`update messages set delivery_status = 'pending' where id = ${id}`,
  'a note that WhatsApp knows': (_office, { id }) =>
    sql`update messages set whatsapp_message_id = ${`PROVA${id}`} where id = ${id}`,
  'a note of the client': (_office, { id }) =>
    sql`update messages set sender_type = 'contact', sender_id = null where id = ${id}`,
  'a message that becomes a note': (_office, _note, sentId) =>
    sql`update messages set message_type = 'note' where id = ${sentId}`,
  'a message that becomes a bare note': (_office, _note, sentId) =>
    sql`update messages set message_type = 'note', delivery_status = null, whatsapp_message_id = null
         where id = ${sentId}`,
}

/** One transaction: a note into a text, into the outbox, and back. */
export async function thereAndBack(database: Database, office: Office, note: Note): Promise<void> {
  await database.transaction(async (db) => {
    await db.execute(sql`update messages set message_type = 'text' where id = ${note.id}`)
    await db.execute(inOutbox(office, note, 'pending'))
    await db.execute(sql`update messages set message_type = 'note' where id = ${note.id}`)
  })
}

/** @returns the constraint that refused it; undefined when it was taken */
export async function refusalOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      if ('constraint' in cause && typeof cause.constraint === 'string') return cause.constraint
    return String(error)
  }
}

/** The constraints that hold notes back; another one would refuse it by chance. */
export const holding: ReadonlySet<string> = new Set([
  'outbox_without_notes',
  'messages_note_stays_inside',
  'messages_note_for_good',
])
