import { sql } from 'drizzle-orm'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { recordFailed, recordSent } from '#server/conversations/messages/sent.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { type Acts, type BroughtBy, call, onTalk, pick } from '../walk/writing.ts'
import type { Client, World } from '../walk/world.ts'

/** The id of a random message that was not sent. */
async function anyUnsent(world: World): Promise<number | undefined> {
  const found = await rows<{ id: number }>(
    world.database,
    sql`select id from messages
         where delivery_status in ('pending', 'failed') and whatsapp_message_id is null order by id`,
  )
  return pick(world.random, found)?.id
}

/** A reply of a client's conversation that waits, with the id of an answer on the phone beside it. */
const unsentBesideEcho = (world: World, { person }: Client) =>
  rows<{ id: number; echo: string }>(
    world.database,
    sql`select r.id, e.whatsapp_message_id as echo
          from contacts p join conversations c on c.contact_id = p.id
          join messages r on r.conversation_id = c.id join messages e on e.conversation_id = c.id
         where p.phone = ${person.phone} and r.delivery_status = 'pending' and r.whatsapp_message_id is null
           and e.metadata ->> 'origin' = 'phone'
         order by r.id, e.id desc limit 1`,
  )

/** What becomes of a reply; the walk acts as the gateway. */
export const acts = {
  'a reply': [
    10,
    onTalk(async (world, talk) => {
      const quotable = await rows<{ id: number }>(
        world.database,
        sql`select id from messages
             where conversation_id = ${talk.id} and message_type <> 'note' order by id`,
      )
      const quoted = world.random() < 0.3 ? pick(world.random, quotable) : undefined
      const content = `resposta ${++world.count}`
      return call(world, 'POST', `${talk.id}/messages`, {
        content,
        ...(quoted && { quotedMessageId: quoted.id }),
      })
    }),
  ],
  'a reply is sent': [
    8,
    async (world) => {
      const id = await anyUnsent(world)
      if (id === undefined) return
      // Its echo may have come first with another text, and was taken for a message from the phone.
      const echoes = await rows<{ waId: string }>(
        world.database,
        sql`select whatsapp_message_id as "waId" from messages where metadata ->> 'origin' = 'phone'
               and conversation_id in (select c.id from conversations c where c.contact_id = (
                 select o.contact_id from messages m join conversations o on o.id = m.conversation_id
                       where m.id = ${id}))
             order by id`,
      )
      const echo = world.random() < 0.2 ? pick(world.random, echoes)?.waId : undefined
      await inTransaction(world.database, (db) =>
        recordSent(db, id, { waId: echo ?? `sent-${id}-${++world.count}`, acceptedAt: undefined }),
      )
    },
  ],
  // In one transaction: no row ever counts one message less.
  'a reply takes the place of its echo as another answer comes': [
    4,
    async (world) => {
      // The client of the long conversation: a whole timeline shows by its length what it lacks.
      const [client] = world.clients
      const [reply] = client ? await unsentBesideEcho(world, client) : []
      if (!client || !reply) return
      const name = `m${++world.count}`
      client.names.push(name)
      await inTransaction(world.database, async (db) => {
        await recordSent(db, reply.id, { waId: reply.echo, acceptedAt: undefined })
        await handleGatewayEvent(db, world.numberId, client.person.byPhone(name, 1, { sentAt: new Date() }))
      })
    },
  ],
  'a reply fails': [
    2,
    async (world) => {
      const id = await anyUnsent(world)
      if (id === undefined) return
      await inTransaction(world.database, async (db) => {
        await db.execute(sql`update outbox set state = 'failed' where message_id = ${id}`)
        await recordFailed(db, id, 'not_on_whatsapp')
      })
    },
  ],
  'a failed reply is tried again': [
    2,
    async (world) => {
      const [row] = await rows<{ id: number; conversationId: number }>(
        world.database,
        sql`select id, conversation_id as "conversationId" from messages
             where delivery_status = 'failed' limit 1`,
      )
      if (row) await call(world, 'POST', `${row.conversationId}/messages/${row.id}/retry`)
    },
  ],
  'a tick of a reply': [
    6,
    async (world) => {
      const found = await rows<{ waId: string }>(
        world.database,
        sql`select whatsapp_message_id as "waId" from messages
             where delivery_status in ('sent', 'delivered') order by id`,
      )
      const waId = pick(world.random, found)?.waId
      const status = pick(world.random, ['delivered', 'read', 'failed'] as const) ?? 'read'
      if (waId) await world.happens({ kind: 'delivery', waId, status, peer: undefined })
    },
  ],
} satisfies Acts

export const broughtBy = {
  new_message: 'a reply',
  timeline_changed: 'a reply takes the place of its echo as another answer comes',
} as const satisfies BroughtBy
