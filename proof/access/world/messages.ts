import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Talk } from './talks.ts'
import type { World } from './world.ts'

/** A message of ours. */
export interface WantedMessage {
  conversationId: number
  senderId: number
  /** Waits in the outbox, or was refused by the gateway. */
  state: 'pending' | 'failed'
}

/** Writes messages of ours with their rows of the outbox. @returns their ids, in order */
export async function makeMessages(world: World, wanted: readonly WantedMessage[]): Promise<number[]> {
  const entries = wanted.map(({ conversationId, senderId, state }) => ({
    conversation_id: conversationId,
    sender_id: senderId,
    state,
    key: `prova-mensagem-${world.next()}`,
  }))
  const made = await rows<{ id: number }>(
    world.database,
    sql`with w as (select * from json_to_recordset(${JSON.stringify(entries)}::json)
          as w(conversation_id int, sender_id int, state text, key text)),
        m as (insert into messages (conversation_id, instance_id, sender_type, sender_id, content,
              delivery_status, client_message_id, sort_at, sent_at)
          select conversation_id, ${world.at.instanceId}, 'user', sender_id, 'Bom dia', state, key, app_now(),
                 app_now() from w returning id, conversation_id, client_message_id, delivery_status),
        o as (insert into outbox (instance_id, conversation_id, message_id, state)
          select ${world.at.instanceId}, conversation_id, id, delivery_status from m)
        select m.id from unnest(${sql.param(entries.map(({ key }) => key))}::text[])
          with ordinality as o(key, n) join m on m.client_message_id = o.key order by n`,
  )
  return made.map(({ id }) => id)
}

/** Writes notes of the team. @returns their ids, in order */
export async function makeNotes(
  world: World,
  wanted: readonly Omit<WantedMessage, 'state'>[],
): Promise<number[]> {
  const entries = wanted.map(({ conversationId, senderId }) => ({
    conversation_id: conversationId,
    sender_id: senderId,
    key: `prova-nota-${world.next()}`,
  }))
  const made = await rows<{ id: number }>(
    world.database,
    sql`with w as (select * from json_to_recordset(${JSON.stringify(entries)}::json)
          as w(conversation_id int, sender_id int, key text)),
        m as (insert into messages (conversation_id, instance_id, sender_type, sender_id, message_type,
              content, client_message_id, sort_at, sent_at)
          select conversation_id, ${world.at.instanceId}, 'user', sender_id, 'note', 'Olá, equipe', key,
                 app_now(), app_now() from w returning id, client_message_id)
        select m.id from unnest(${sql.param(entries.map(({ key }) => key))}::text[])
          with ordinality as o(key, n) join m on m.client_message_id = o.key order by n`,
  )
  return made.map(({ id }) => id)
}

/** A picture of one pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The owner of a file: a message, a contact whose picture it is, or a quick response. */
export type FileOwner = { messageId: number } | { contactId: number } | { isQuickResponse: true }

/** Stores a picture for each owner. @returns the names, in order */
export async function makeFiles(world: World, owners: readonly FileOwner[]): Promise<string[]> {
  const [app] = world.at.apps
  if (!app) throw new Error('no instance was started')
  const names: string[] = []
  for (const owner of owners) {
    const name = randomBytes(24).toString('base64url')
    const spooled = await app.files.spool(
      (async function* () {
        yield picture
      })(),
      1_000_000,
    )
    await app.files.keep(name, spooled)
    await spooled.drop()
    await world.database.execute(
      sql`insert into files (name, message_id, contact_id, is_quick_response, size_bytes, mime_type, sha256)
          values (${name}, ${'messageId' in owner ? owner.messageId : null},
                  ${'contactId' in owner ? owner.contactId : null}, ${'isQuickResponse' in owner},
                  ${picture.length}, 'image/png', ${createHash('sha256').update(picture).digest('hex')})`,
    )
    names.push(name)
  }
  return names
}

/**
 * Turns the client's message of each conversation into a picture, whose file is stored. @returns the names
 */
export async function attachPictures(world: World, talks: readonly Talk[]): Promise<string[]> {
  const ids = talks.map(({ messageId }) => messageId)
  const names = await makeFiles(
    world,
    ids.map((messageId) => ({ messageId })),
  )
  await world.database.execute(
    sql`update messages set message_type = 'image', content = '', file_name = 'foto.png',
               file_mime_type = 'image/png', file_size = ${picture.length},
               file_url = '/api/media/files/' || w.name
          from json_to_recordset(${JSON.stringify(ids.map((id, n) => ({ id, name: names[n] })))}::json)
            as w(id int, name text) where messages.id = w.id`,
  )
  return names
}
