import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom, type Random } from '#simulator/random.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import type { NewEvent } from '#server/schema/platform/live.ts'
import { testDatabase, type TestDatabase, testNumber } from '#server/testing/test-app.ts'
import { spread } from '#server/testing/nightly.ts'
import { saying } from '#server/testing/test-person.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { handleBatch } from './batch.ts'

const people = 8
let t: [TestDatabase, TestDatabase]
let instanceId: number
/**
 * It stands still in both databases while they receive the same, however long the second one has to wait for
 * it.
 */
let clock = Date.now()

async function setClock(at: number) {
  clock = at
  const now = new Date(at).toISOString()
  for (const { database } of t)
    await database.execute(
      sql.raw(`create or replace function app_now() returns timestamptz language sql stable parallel safe
               as $$ select timestamptz '${now}' $$`),
    )
}

beforeAll(async () => {
  t = [await testDatabase(), await testDatabase()]
  for (const one of t) {
    instanceId = await testNumber(one.database)
    await one.sql`insert into users (id, username, email, name, password_hash, role) overriding system value
          values (7, 'ana', 'ana@teste.example', 'Ana', '-', 'operator')`
  }
})
afterAll(async () => {
  for (const one of t) await one.close()
})

/** What the two databases receive and are made to do, one thing a person at a time. */
type Act = { event: GatewayEvent } | { statement: string }

const phoneOf = (person: number) => `55119${String(10_000_000 + person)}`

function messageOf(random: Random, person: number, id: string): GatewayEvent {
  const ages = [0, 1, 5, 30, 45, 75, 100, 140, 4000, 100_000, -60, -4000]
  const origin = random() < 0.8 ? 'contact' : random() < 0.7 ? 'phone' : 'api'
  const hasLid = random() < 0.1
  return {
    kind: 'message',
    waId: id,
    peer: {
      phone: phoneOf(person),
      lid: hasLid ? `99${person}000000` : undefined,
      jid: `${phoneOf(person)}@s.whatsapp.net`,
    },
    origin,
    name: origin === 'contact' ? `Pessoa ${person}${random() < 0.1 ? ' nova' : ''}` : undefined,
    sentAt: new Date(clock - 1000 * pick(random, ages)),
    content: saying(`texto ${id}`),
    quoted: undefined,
    isHistory: random() < 0.05,
  }
}

const pick = <T>(random: Random, from: readonly T[]) => from[Math.floor(random() * from.length)] as T

function actOf(random: Random, person: number, ids: string[]): Act {
  const dice = random()
  const identity = `contact_identities where value = '${phoneOf(person)}'`
  const ofPerson = `contact_id in (select contact_id from ${identity})`
  if (dice < 0.06)
    return {
      statement: `update conversations set status = 'completed', completed_at = app_now(),
                         waiting_for = 'client', waiting_since = null
                   where status <> 'completed' and ${ofPerson}`,
    }
  if (dice < 0.12)
    return {
      statement: `update conversations set status = 'active', sub_status = 'OPERADOR', assigned_user_id = 7
                   where status <> 'completed' and ${ofPerson}`,
    }
  if (dice < 0.14)
    return {
      statement: `update contacts set is_blocked = not is_blocked where id in (
                    select contact_id from contact_identities where value = '${phoneOf(person)}')`,
    }
  if (dice < 0.34) {
    const status = pick(random, ['sent', 'delivered', 'read', 'failed'] as const)
    return {
      event: {
        kind: 'delivery',
        waId: pick(random, [...ids, `p${person}m${ids.length}`]),
        status,
        peer: undefined,
      },
    }
  }
  const isAgain = dice < 0.4 && ids.length > 0
  const id = isAgain ? pick(random, ids) : `p${person}m${ids.length}`
  if (!ids.includes(id)) ids.push(id)
  return { event: messageOf(random, person, id) }
}

/** The same transaction, whose events go into the list instead of the log. */
const listing = (db: Tx, into: NewEvent[]): Tx =>
  Object.assign(db, { emit: (event: NewEvent) => void into.push(event) })

async function oneByOne(database: Database, events: GatewayEvent[]): Promise<NewEvent[]> {
  const said: NewEvent[] = []
  for (const event of events)
    await inTransaction(database, (db) => handleGatewayEvent(listing(db, said), instanceId, event))
  return said
}

/** @returns what was reported, and how many took the short way */
async function together(database: Database, events: GatewayEvent[]) {
  const said: NewEvent[] = []
  const done = await inTransaction(database, (db) => handleBatch(listing(db, said), instanceId, events))
  const left = events.filter((_event, n) => !done[n])
  return { said: [...said, ...(await oneByOne(database, left))], short: events.length - left.length }
}

/** All that is stored, without ids and without what is 'now'. */
async function storedOf(database: Database) {
  return rows(
    database,
    sql`select c.name, c.phone, c.is_blocked, c.gateway_named_at is not null as named,
               (select json_agg(json_build_array(i.kind, i.value, i.jid) order by i.kind)
                  from contact_identities i where i.contact_id = c.id) as identities,
               v.status, v.sub_status, v.waiting_for,
               (select count(*)::int from messages m
                 where m.conversation_id = v.id and m.sort_at < v.waiting_since) as since,
               v.assigned_user_id, v.initiated_by, v.message_count, v.is_history, v.version,
               (select m.whatsapp_message_id from messages m where m.id = v.last_message_id) as last,
               (select count(*)::int from queue_pending_conversations q
                 where q.conversation_id = v.id and q.processed_at is null) as queued,
               (select json_agg(json_build_array(m.whatsapp_message_id, m.sender_type, m.content,
                                                 m.delivery_status, m.failure_reason, m.metadata, m.version)
                                order by m.sort_at, m.id)
                  from messages m where m.conversation_id = v.id) as messages,
               (select count(*)::int from pending_updates) as kept
          from contacts c left join conversations v on v.contact_id = c.id
         where c.deleted_at is null order by c.phone, v.id`,
  )
}

/** The order of ids and of conversations of different people says nothing. */
const kinds = (said: NewEvent[]) =>
  said.map((event) => `${event.type} ${'userId' in event ? event.userId : 'all'}`).toSorted()

test.each(spread([1, 2, 3, 4, 5, 6], 1))(
  'many at once come to the same end as one by one, and tell the same (history %i)',
  async (seed) => {
    const random = createRandom(seed)
    const [alone, many] = [t[0].database, t[1].database]
    for (const database of [alone, many])
      for (const table of ['pending_updates', 'queue_pending_conversations', 'conversations', 'contacts'])
        await database.execute(sql`delete from ${sql.identifier(table)}`)
    const ids = Array.from({ length: people }, (): string[] => [])
    let short = 0
    for (let round = 0; round < 25; round++) {
      await setClock(clock + 1000 * pick(random, [0, 1, 2, 20, 70, 130]))
      const acts = ids.map((ofPerson, person) => actOf(random, person, ofPerson))
      for (const act of acts)
        if ('statement' in act)
          for (const database of [alone, many]) await database.execute(sql.raw(act.statement))
      const events = acts.flatMap((act) => ('event' in act ? [act.event] : []))
      const saidAlone = await oneByOne(alone, events)
      const saidMany = await together(many, events)
      short += saidMany.short
      expect(kinds(saidMany.said), `round ${round}`).toEqual(kinds(saidAlone))
      expect(await storedOf(many), `round ${round}`).toEqual(await storedOf(alone))
    }
    // It would be no proof if everything took the long way.
    expect(short).toBeGreaterThan(50)
  },
  60_000,
)

test('a message without a time is taken as written now', async () => {
  const event = {
    ...messageOf(createRandom(1), 90, 'no-time'),
    origin: 'contact',
    isHistory: false,
  } as GatewayEvent
  const first = { ...event, waId: 'first', sentAt: new Date(clock) } as GatewayEvent
  for (const { database } of t) await oneByOne(database, [first])
  const later = { ...event, sentAt: undefined } as GatewayEvent
  await oneByOne(t[0].database, [later])
  expect((await together(t[1].database, [later])).short).toBe(1)
  expect(await storedOf(t[1].database)).toEqual(await storedOf(t[0].database))
})

test('a tick of a completed conversation does not reopen it for what its contact writes now', async () => {
  const peer = { phone: phoneOf(91), lid: undefined, jid: `${phoneOf(91)}@s.whatsapp.net` }
  const message = {
    ...messageOf(createRandom(1), 91, 'before'),
    isHistory: false,
    peer,
    sentAt: new Date(clock - 9000),
  }
  const before = { ...message, origin: 'contact' } as GatewayEvent
  const byPhone = { ...message, waId: 'by-phone', origin: 'phone' } as GatewayEvent
  const after = { ...before, waId: 'after', sentAt: new Date(clock) } as GatewayEvent
  const tick: GatewayEvent = { kind: 'delivery', waId: 'by-phone', status: 'read', peer: undefined }
  for (const { database } of t) {
    await oneByOne(database, [before, byPhone])
    await database.execute(
      sql`update conversations set status = 'completed', completed_at = app_now(), waiting_for = 'client',
                 waiting_since = null
           where contact_id in (select contact_id from contact_identities where value = ${phoneOf(91)})`,
    )
  }
  await oneByOne(t[0].database, [tick, after])
  await together(t[1].database, [tick, after])
  expect(await storedOf(t[1].database)).toEqual(await storedOf(t[0].database))
})
