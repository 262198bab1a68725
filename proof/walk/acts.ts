import { sql } from 'drizzle-orm'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { notifyContactChanged } from '#server/conversations/store/write.ts'
import { recordConditions } from '#server/notices/record-conditions.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { browserActs } from './browser-acts.ts'
import { replyActs } from './reply-acts.ts'
import { type Act, administratorOf, anyone, call, onTalk, pick, someone, write } from './writing.ts'
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
  'a draft': [
    2,
    onTalk((world, talk) => {
      const content = world.random() < 0.6 ? `rascunho ${++world.count}` : ''
      return call(world, 'PUT', `${talk.id}/draft`, { content, quotedMessageId: null })
    }),
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
  'a company gets a contact, another name, or goes': [
    3,
    onTalk(async (world, { id }) => {
      const admin = administratorOf(world)
      await world.database.execute(
        sql`insert into companies (name) select 'Empresa' where not exists (select from companies)`,
      )
      const [found] = await rows<{ companyId: number; contactId: number }>(
        world.database,
        sql`select c.id as "companyId", v.contact_id as "contactId" from companies c, conversations v
             where v.id = ${id}`,
      )
      if (!found) return
      const { companyId, contactId } = found
      const address = `/api/companies/${companyId}`
      const dice = world.random()
      if (dice < 0.6) await world.request(admin, 'PUT', `/api/contacts/${contactId}`, { companyId })
      else if (dice < 0.9) await world.request(admin, 'PUT', address, { name: `Empresa ${++world.count}` })
      else await world.request(admin, 'DELETE', address)
    }),
  ],
  'a contact is blocked': [1, onTalk((world, talk) => changeContact(world, talk, 'POST', '/block'))],
  'a contact is freed, deleted or restored': [
    2,
    onTalk((world, talk) => {
      const dice = world.random()
      if (dice < 0.5) return changeContact(world, talk, 'POST', '/unblock')
      return dice < 0.75
        ? changeContact(world, talk, 'DELETE', '')
        : changeContact(world, talk, 'POST', '/restore')
    }, 'completed'),
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
  'a trouble begins or ends': [
    1,
    ({ database, random }) =>
      recordConditions(
        database,
        random() < 0.5
          ? []
          : [{ subject: '', fact: { kind: 'sends_failed', count: 3 + Math.floor(random() * 3) } }],
        '',
      ),
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
  ...replyActs,
  ...browserActs,
} satisfies Record<string, [weight: number, Act]>

/** A call of an administrator about the contact of a conversation. */
async function changeContact(world: World, { id }: Talk, method: string, path: string): Promise<unknown> {
  const [found] = await rows<{ contactId: number }>(
    world.database,
    sql`select contact_id as "contactId" from conversations where id = ${id}`,
  )
  return found && world.request(administratorOf(world), method, `/api/contacts/${found.contactId}${path}`)
}
