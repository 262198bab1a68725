import { sql } from 'drizzle-orm'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { recordFailed, recordSent } from '#server/conversations/messages/sent.ts'
import { notifyContactChanged } from '#server/conversations/store/write.ts'
import { leaveQueue } from '#server/automation/automation.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import type { Browser } from './browser.ts'
import { browserActs } from './browser-acts.ts'
import { type Act, pick, someone, write } from './writing.ts'
import type { Client, Talk, World } from './world.ts'

/** Changes a message of a client's conversation. */
const onMessage =
  (
    change: (client: Client, name: string, minute: number, random: Random) => Parameters<World['happens']>[0],
  ): Act =>
  async (world) => {
    const client = someone(world)
    const name = pick(world.random, client.names)
    if (name !== undefined) await world.happens(change(client, name, ++client.minute % 29, world.random))
  }

const onTalk =
  (
    act: (world: World, talk: Talk, browsers: Browser[]) => Promise<unknown>,
    where: 'open' | 'completed' = 'open',
  ): Act =>
  async (world, browsers) => {
    const talk = pick(world.random, await world.talks(where))
    if (talk) await act(world, talk, browsers)
  }

const anyone = (world: World) => pick(world.random, world.principals) ?? world.principals[0]
const call = (world: World, method: string, path: string, body?: unknown) => {
  const who = anyone(world)
  return who ? world.request(who, method, `/api/conversations/${path}`, body) : Promise.resolve(0)
}

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

/** Every act by its name, with its relative frequency. */
export const acts = {
  'somebody new writes': [6, (world) => write(world, world.newClient())],
  'somebody writes again': [12, (world) => write(world, someone(world))],
  'a message comes late': [
    3,
    (world) => {
      const sentAt = new Date(Date.now() - Math.floor(world.random() * 3_600_000))
      return write(world, someone(world), { sentAt, name: undefined })
    },
  ],
  'the past is synchronised': [
    1,
    (world) => write(world, someone(world), { isHistory: true, sentAt: new Date(Date.now() - 4_000_000) }),
  ],
  'an answer on the connected phone': [
    4,
    (world) => {
      const client = someone(world)
      const name = `m${++world.count}`
      client.names.push(name)
      return world.happens(client.person.byPhone(name, 1, { sentAt: new Date() }))
    },
  ],
  'a reply': [
    10,
    onTalk(async (world, talk) => {
      const quotable = await rows<{ id: number }>(
        world.database,
        sql`select id from messages where conversation_id = ${talk.id} order by id`,
      )
      const quoted = world.random() < 0.3 ? pick(world.random, quotable) : undefined
      const content = `resposta ${++world.count}`
      return call(world, 'POST', `${talk.id}/messages`, {
        content,
        ...(quoted && { quotedMessageId: quoted.id }),
      })
    }),
  ],
  'a draft': [
    2,
    onTalk((world, talk) => {
      const content = world.random() < 0.6 ? `rascunho ${++world.count}` : ''
      return call(world, 'PUT', `${talk.id}/draft`, { content, quotedMessageId: null })
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
      await inTransaction(world.database, (db) => recordSent(db, id, echo ?? `sent-${id}-${++world.count}`))
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
        await recordSent(db, reply.id, reply.echo)
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
  'an edit': [
    4,
    onMessage(({ person }, name, minute) => person.edit(name, minute, `editada ${minute} ${name}`)),
  ],
  'a deletion': [2, onMessage(({ person }, name) => person.remove(name))],
  'a reaction': [
    4,
    onMessage(({ person }, name, minute, random) =>
      person.react(name, minute, pick(random, ['👍', '❤️', '']) ?? '', random() < 0.5 ? 'contact' : 'user'),
    ),
  ],
  'a vote': [2, onMessage(({ person }, name, minute) => person.vote(name, minute, ['sim']))],
  'a pin': [2, onMessage(({ person }, name, minute, random) => person.pin(name, minute, random() < 0.5))],
  'a call': [
    2,
    (world) => {
      const outcome = pick(world.random, ['ringing', 'missed', 'answered'] as const) ?? 'missed'
      return world.happens(someone(world).person.calls(`c${++world.count % 40}`, 20, outcome))
    },
  ],
  'a message changes before it comes': [
    1,
    async (world) => {
      const client = someone(world)
      await world.happens(client.person.react(`m${world.count + 1}`, 25, '🎉'))
      await write(world, client)
    },
  ],
  'a name of the address book': [
    2,
    (world) => world.happens(someone(world).person.isCalled(`Nome ${++world.count}`)),
  ],
  'a contact is renamed': [
    2,
    onTalk((world, talk) =>
      inTransaction(world.database, async (db) => {
        const [changed] = await rows<{ id: number }>(
          db,
          sql`update contacts set name = ${`Maria ${++world.count}`}
               where id = (select contact_id from conversations where id = ${talk.id}) returning id`,
        )
        await notifyContactChanged(db, changed?.id)
      }),
    ),
  ],
  // As the planned contacts screen will do.
  'a contact is blocked or freed': [
    1,
    onTalk((world, talk) =>
      inTransaction(world.database, async (db) => {
        await db.execute(
          sql`update contacts set is_blocked = not is_blocked
               where id = (select contact_id from conversations where id = ${talk.id})`,
        )
        await db.execute(
          sql`update conversations set status = 'completed', completed_at = app_now(), waiting_for = 'client',
                     waiting_since = null, version = version + 1 where id = ${talk.id}`,
        )
        await leaveQueue(db, talk.id)
        db.emit({ type: 'conversation_updated', conversationId: talk.id })
      }),
    ),
  ],
  'two contacts are one': [
    2,
    async (world) => {
      const client = someone(world)
      await write(world, client, client.person.writes('x', 1, { address: 'lid' }) as never)
      if (world.random() < 0.7)
        await write(world, client, client.person.writes('x', 1, { address: 'both' }) as never)
    },
  ],
  'taken, given or put back': [
    7,
    onTalk((world, talk) => {
      const operatorId = pick(world.random, [...world.principals.map((who) => who.id), null]) ?? null
      return call(world, 'PATCH', `${talk.id}/assign-operator`, { operatorId })
    }),
  ],
  'a transfer': [
    3,
    onTalk((world, talk) => call(world, 'POST', `${talk.id}/transfer`, { newOperatorId: anyone(world)?.id })),
  ],
  'read or marked as unread': [
    8,
    onTalk(async (world, talk) => {
      if (world.random() < 0.2) return call(world, 'DELETE', `${talk.id}/read`)
      const found = await rows<{ id: number }>(
        world.database,
        sql`select id from messages where conversation_id = ${talk.id} order by id`,
      )
      const lastMessageId = pick(world.random, found)?.id
      if (lastMessageId !== undefined) await call(world, 'PUT', `${talk.id}/read`, { lastMessageId })
    }),
  ],
  finalized: [4, onTalk((world, talk) => call(world, 'POST', `${talk.id}/finalize`, {}))],
  'the number comes or goes': [
    2,
    async (world) => {
      const state = world.random() < 0.5 ? 'open' : 'close'
      await inTransaction(world.database, (db) =>
        handleGatewayEvent(db, world.otherNumberId, {
          kind: 'connection',
          state,
          ownerJid: undefined,
          profileName: undefined,
        }),
      )
    },
  ],
  'other permissions': [
    3,
    async (world) => {
      const operator = world.principals.find((who) => who.role === 'operator')
      if (!operator) return
      await world.setFlags(operator, {
        canViewArchivedConversations: world.random() < 0.5,
        canViewConversations: world.random() < 0.8,
      })
    },
  ],
  'wrong passwords, or an unblocking': [
    1,
    async ({ database, random, principals }) => {
      const who = pick(random, principals)
      if (!who) return
      await inTransaction(database, async (db) => {
        await db.execute(
          sql`update users set login_locked_at = case when login_locked_at is null then app_now() end
               where id = ${who.id}`,
        )
        db.emit({ type: 'account_changed', userId: who.id })
      })
    },
  ],
  ...browserActs,
} satisfies Record<string, [weight: number, Act]>
