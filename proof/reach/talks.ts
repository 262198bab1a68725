import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { makeFiles, picture } from '../access/world/messages.ts'
import type { World } from '../access/world/world.ts'
import { type Facts, isCompleted, isHeldBy } from './law.ts'

/** The numbers, sectors and the company of the conversations. */
export interface Sites {
  numbers: readonly [number, number]
  sectors: Readonly<Record<'A' | 'B', number>>
  companyId: number
}

/** A conversation of the proof, with its facts and what a call about it needs. */
export interface Talk extends Facts {
  id: number
  contactId: number
  /** Of the client. */
  messageId: number
  /** Of whoever it was made for, or of the colleague. */
  replyId: number
  /** Of the author of the reply. */
  noteId: number
  /** The file of its picture, and the message that has it; '' without. */
  file: string
  pictureId: number
}

/** In every text of every conversation: what reached somebody shows by it, and the searches find it. */
export const canary = 'segredo-da-conversa'
/** Stands in every message of a client. */
export const word = 'Bergamota'

/** Its facts alone. */
export const factsOf = ({ sector, number, state, owner }: Facts): Facts => ({ sector, number, state, owner })

interface Row extends Record<string, unknown> {
  n: number
  id: number
  contactId: number
  messageId: number
  replyId: number
  noteId: number
}

/**
 * Writes conversations into the database, in order, each of a client of its own or, with `contactId`, of that
 * one.
 */
export async function makeTalks(
  world: World,
  { numbers, sectors, companyId }: Sites,
  wanted: readonly (Facts & { contactId?: number })[],
): Promise<Talk[]> {
  const entries = wanted.map((talk, n) => {
    const owner = talk.owner === undefined ? undefined : world.callers[talk.owner]?.userId
    const isQueued = talk.state === 'in the queue'
    const holder =
      talk.owner !== undefined && isHeldBy(talk.owner, talk)
        ? owner
        : isQueued
          ? null
          : world.colleague.userId
    const wrote = talk.state.endsWith('in which I wrote') || talk.state.endsWith('mine')
    return {
      n,
      phone: `5511${String(900_000_000 + world.next())}`,
      contact_id: talk.contactId ?? null,
      instance_id: numbers[talk.number - 1],
      sector_id: talk.sector && sectors[talk.sector],
      holder_id: holder,
      viewer_id: talk.state.endsWith('at which I looked') ? owner : null,
      author_id: wrote ? owner : world.colleague.userId,
      is_completed: isCompleted(talk),
      is_queued: isQueued,
      // The latest of all, so that a company shows by it who knows of them.
      is_late: talk.owner === undefined && talk.sector === 'B',
    }
  })
  const made = await rows<Row>(
    world.database,
    sql`with w as materialized (select * from json_to_recordset(${JSON.stringify(entries)}::json)
          as w(n int, phone text, contact_id int, instance_id int, sector_id int, holder_id int,
               author_id int, viewer_id int, is_completed bool, is_queued bool, is_late bool)),
        k as (insert into contacts (name, phone, company_id, notes)
          select 'Cliente ' || right(phone, 6), phone, ${companyId}::int, 'Nota ' || ${canary}::text from w
           where contact_id is null order by n returning id, phone),
        i as (insert into contact_identities (contact_id, kind, value, jid)
          select id, 'phone', phone, phone from k),
        v as (select w.*, coalesce(w.contact_id, k.id) as client_id,
                     nextval(pg_get_serial_sequence('conversations', 'id'))::int as id
                from w left join k using (phone)),
        c as (insert into conversations (id, instance_id, contact_id, protocol, sector_id, assigned_user_id,
              status, sub_status, waiting_for, waiting_since, started_at, completed_at, last_activity_at,
              message_count, contact_message_count, created_at, satisfaction, notes)
          overriding system value
          select id, instance_id, client_id, '20200101' || lpad(id::text, 6, '0'), sector_id, holder_id,
                 case when is_completed then 'completed' when is_queued then 'waiting' else 'active' end,
                 case when is_queued then 'FILA' else 'OPERADOR' end,
                 'operator',
                 case when not is_completed then app_now() - interval '1 hour' end,
                 app_now() - interval '3 days',
                 case when is_completed then app_now() - interval '2 days' end,
                 app_now() - case when is_late then interval '1 day' else interval '2 days' end,
                 2, 1, app_now() - interval '3 days',
                 case when is_completed then 4 end, 'Nota ' || ${canary}::text
            from v order by n returning id, contact_id, sub_status, status),
        q as (insert into queue_pending_conversations (conversation_id, contact_id)
          select id, contact_id from c where sub_status = 'FILA' and status <> 'completed'),
        g as (insert into conversation_ratings (conversation_id, contact_id, operator_id, service_rating,
              operator_rating, feedback)
          select id, client_id, holder_id, 4, 4, ${canary}::text from v where is_completed),
        m as (insert into messages (conversation_id, instance_id, sender_type, content, whatsapp_message_id,
              sort_at, sent_at)
          select id, instance_id, 'contact', ${word}::text || ' ' || ${canary}::text, 'PROVA' || id,
                 app_now() - interval '2 days', app_now() - interval '2 days'
            from v order by n returning id, conversation_id),
        r as (insert into messages (conversation_id, instance_id, sender_type, sender_id, content,
              delivery_status, whatsapp_message_id, sort_at, sent_at)
          select id, instance_id, 'user', author_id, 'Resposta ' || ${canary}::text, 'sent', 'RESPOSTA' || id,
                 app_now() - interval '47 hours', app_now() - interval '47 hours'
            from v order by n returning id, conversation_id),
        l as (insert into messages (conversation_id, instance_id, sender_type, sender_id, message_type,
              content, sort_at, sent_at)
          select id, instance_id, 'user', viewer_id, 'view_tracking', ${canary}::text,
                 app_now() - interval '47 hours', app_now() - interval '47 hours'
            from v where viewer_id is not null),
        o as (insert into messages (conversation_id, instance_id, sender_type, sender_id, message_type,
              content, sort_at, sent_at)
          select id, instance_id, 'user', author_id, 'note', 'Nota ' || ${canary}::text,
                 app_now() - interval '46 hours', app_now() - interval '46 hours'
            from v order by n returning id, conversation_id)
        select v.n, v.id, v.client_id as "contactId", m.id as "messageId", r.id as "replyId",
               o.id as "noteId"
          from v join m on m.conversation_id = v.id join r on r.conversation_id = v.id
                 join o on o.conversation_id = v.id
         order by v.n`,
  )
  return made.map(({ n, ...ids }) => ({ ...(wanted[n] as Facts), ...ids, file: '', pictureId: 0 }))
}

/** Gives each of these a message with a picture, whose file is stored. */
export async function addPictures(world: World, talks: readonly Talk[]): Promise<void> {
  const made = await rows<{ id: number; conversationId: number }>(
    world.database,
    sql`insert into messages (conversation_id, instance_id, sender_type, message_type, content, file_name,
          file_mime_type, file_size, whatsapp_message_id, sort_at, sent_at)
        select id, instance_id, 'contact', 'image', '', 'foto.png', 'image/png', ${picture.length},
               'FOTO' || id, app_now() - interval '46 hours', app_now() - interval '46 hours'
          from conversations where id = any(${sql.param(talks.map(({ id }) => id))}::int[])
        returning id, conversation_id as "conversationId"`,
  )
  const names = await makeFiles(
    world,
    made.map(({ id }) => ({ messageId: id })),
  )
  const byTalk = new Map(
    made.map(({ id, conversationId }, n) => [conversationId, { id, name: names[n] ?? '' }]),
  )
  for (const talk of talks) {
    const { id = 0, name = '' } = byTalk.get(talk.id) ?? {}
    Object.assign(talk, { file: name, pictureId: id })
  }
  await world.database.execute(
    sql`update messages set file_url = '/api/media/files/' || f.name
          from files f where f.message_id = messages.id`,
  )
}

/** Deletes conversations that were made in passing, so that no list shows them. */
export async function dropTalks(world: World, talks: readonly Talk[]): Promise<void> {
  const ids = sql.param(talks.map(({ id }) => id))
  await world.database.execute(
    sql`update contacts set deleted_at = app_now() from conversations v
         where v.contact_id = contacts.id and v.id = any(${ids}::int[])`,
  )
  await world.database.execute(sql`delete from conversations where id = any(${ids}::int[])`)
}
