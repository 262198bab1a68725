import { expect, test, vi } from 'vitest'
import { createInboxWriter, type GatewayEvent, startInboxWorker } from '#server/gateway/gateway.ts'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import { createLog } from '#server/platform/log.ts'
import { atNight } from '#server/testing/nightly.ts'
import { eventually, forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { eventHandlers, handleGatewayEvent } from '#server/conversations/conversations.ts'
import { contactOf } from '#server/contacts/contacts.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { inTransaction, type Tx } from '#server/platform/database/db.ts'
import { person, saying } from '#server/testing/test-person.ts'
import { appendMessages } from './append.ts'
import { decideContact } from './decide.ts'
import { identityOf } from './stored-message.ts'
import { gatherFacts } from './facts.ts'
import { handleBatch } from './batch.ts'
import pg from 'pg'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'

const t = forAllTests(testDatabaseWithNumber)

const contacts = atNight(60, 24)
const pictures = 10

/** Of each contact by turns: known by number, by LID, by both. */
function keyOf(contact: number, picture: number) {
  const phone = `55117${String(contact).padStart(8, '0')}@s.whatsapp.net`
  const lid = `88${String(contact).padStart(10, '0')}@lid`
  const id = `ALBUM${contact}P${picture}`
  const address = [{ remoteJid: phone }, { remoteJid: lid }, { remoteJid: phone, remoteJidAlt: lid }][
    picture % 3
  ]
  return { ...address, fromMe: false, id }
}

test('ten pictures at once of each new person make one contact and one conversation', async () => {
  const log = createLog('silent')
  const other = t.openAgain()
  const writers = [createInboxWriter(t.database), createInboxWriter(other)]
  const workers = [t.database, other].map((database) => startInboxWorker(database, log, eventHandlers))
  const sentAt = Math.floor(Date.now() / 1000)
  const bodies = Array.from({ length: contacts * pictures }, (_, n) => {
    const [contact, picture] = [Math.floor(n / pictures), n % pictures]
    return {
      event: 'messages.upsert',
      instance: 'loja1',
      data: {
        key: keyOf(contact, picture),
        pushName: `Pessoa ${contact}`,
        message: { imageMessage: { caption: `foto ${picture}`, mimetype: 'image/jpeg' } },
        messageType: 'imageMessage',
        messageTimestamp: sentAt,
      },
    }
  })
  await Promise.all(
    bodies.map(async (payload, n) => {
      const { instance: instanceName, ...parsed } = parseWebhook(payload)
      await writers[n % 2]?.store({ ...parsed, instanceId: t.instanceId, instanceName, payload })
    }),
  )
  await eventually(
    () => t.sql<{ left: number }>`select count(*)::int as left from webhook_inbox where processed_at is null`,
    { 0: { left: 0 } },
    60_000,
  )
  await Promise.all(workers.map((worker) => worker.stop()))
  const [found] =
    await t.sql`select (select count(*)::int from contacts where deleted_at is null) as contacts,
               (select count(*)::int from conversations where status <> 'completed') as open,
               (select count(distinct conversation_id)::int from messages) as talks,
               (select count(*)::int from messages) as messages,
               (select count(*)::int from queue_pending_conversations where processed_at is null) as queued`
  expect(found).toEqual({
    contacts,
    open: contacts,
    talks: contacts,
    messages: contacts * pictures,
    queued: contacts,
  })
}, 120_000)

test('a conversation is handed on as its row is: who waits has waited since before', async () => {
  const client = person()
  for (const event of [client.writes('oi', 1), client.writes('alguém?', 5)])
    await inTransaction(t.database, async (db) => {
      if (event.kind !== 'message') throw new Error('no message')
      const { id: contactId } = await contactOf(db, identityOf(event))
      const [gathered] = await gatherFacts(db, t.instanceId, [{ contactId, event }])
      if (!gathered) throw new Error('no facts')
      const verdict = decideContact(gathered.facts)
      if (verdict.kind !== 'append') throw new Error('not appended')
      const [appended] = await appendMessages(db, t.instanceId, [{ ...gathered, verdict }])
      const { waitingFor, waitingSince, lastActivityAt, lastMessageId } = appended?.conversation ?? {}
      expect(waitingSince).toEqual(new Date(client.base + 60_000))
      const stored = await lockConversation(db, appended?.conversation.id ?? 0)
      expect(stored).toMatchObject({ waitingFor, waitingSince, lastActivityAt, lastMessageId })
    })
})

const usualPhone = '5511950000001'
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

interface ReportedMessage {
  isHistory?: boolean
  origin?: 'contact' | 'phone'
  phone?: string
}

function past(
  waId: string,
  days: number,
  { isHistory = true, origin = 'contact', phone = usualPhone }: ReportedMessage = {},
): GatewayEvent {
  return {
    kind: 'message',
    waId,
    peer: { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` },
    origin,
    name: 'Rita',
    sentAt: daysAgo(days),
    content: saying(waId),
    quoted: undefined,
    isHistory,
  }
}
const handle = (...events: GatewayEvent[]) =>
  inTransaction(t.database, async (db) => {
    for (const event of events) await handleGatewayEvent(db, t.instanceId, event)
  })
const waiting = (count: number) =>
  eventually(
    () =>
      t.sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
    { 0: { n: count } },
  )

/** Counts its transactions: one that ends in a deadlock is run again. */
function counted(work: (db: Tx) => Promise<unknown>): { done: Promise<unknown>; attempts: number } {
  const run = { done: Promise.resolve() as Promise<unknown>, attempts: 0 }
  run.done = inTransaction(t.database, (db) => {
    run.attempts++
    return work(db)
  })
  return run
}
const tickAll = (...waIds: string[]) =>
  counted((db) =>
    handleBatch(
      db,
      t.instanceId,
      waIds.map((waId) => ({ kind: 'delivery', waId, status: 'read', peer: undefined })),
    ),
  )

test.each([
  { how: 'a history reported from its end', isHistory: true },
  { how: 'messages of long ago that come from their end', isHistory: false },
])('$how while ticks of its days come in waits for nobody in a circle', async ({ isHistory }) => {
  const phone = isHistory ? '5511950000002' : '5511950000003'
  const reported = (waId: string, days: number) => past(`${phone} ${waId}`, days, { isHistory, phone })
  await handle(reported('first-day', 20), reported('second-day', 10))
  let ticks: ReturnType<typeof tickAll> | undefined
  const history = counted(async (db) => {
    await handleGatewayEvent(db, t.instanceId, reported('later', 10))
    ticks ??= tickAll(`${phone} first-day`, `${phone} second-day`)
    await waiting(1)
    await handleGatewayEvent(db, t.instanceId, reported('earlier', 20))
  })
  await history.done
  await ticks?.done
  expect([history.attempts, ticks?.attempts]).toEqual([1, 1])
})

const live = { isHistory: false }
const hours = 1 / 24
test.each([
  {
    how: 'a message of days ago of a contact whom somebody attends',
    before: [past('days ago', 3, { ...live, phone: '5511950000004' })],
    late: past('late', 3, { ...live, phone: '5511950000004' }),
  },
  {
    how: 'a message from our phone that is older than the conversation',
    before: [
      past('by phone', 5 * hours, { ...live, origin: 'phone', phone: '5511950000005' }),
      // So many that it is none of the latest conversations.
      ...[30, 40, 50, 60, 70].map((days) => past(`day ${days}`, days, { phone: '5511950000005' })),
    ],
    late: past('late', 6 * hours, { ...live, origin: 'phone', phone: '5511950000005' }),
  },
  {
    how: 'a first message that takes the answers from our phone out of the history',
    before: [past('answer', 2 * hours, { ...live, origin: 'phone', phone: '5511950000006' })],
    late: past('late', 3 * hours, { ...live, phone: '5511950000006' }),
  },
  {
    how: 'a message that leaves the history, which the sync had brought before',
    before: [past('late', 0.01, { phone: '5511950000007' })],
    late: past('late', 0.01, { ...live, phone: '5511950000007' }),
  },
])('$how waits for nobody in a circle while ticks come in', async ({ how, before, late }) => {
  const named = (event: GatewayEvent) =>
    'waId' in event ? { ...event, waId: `${how}: ${event.waId}` } : event
  const phone = 'peer' in late ? late.peer?.phone : undefined
  const [first, ...others] = before.map(named)
  const now = named(past('now', 0, { ...live, ...(phone !== undefined && { phone }) }))
  if (!first || !('waId' in first) || !('waId' in now)) throw new Error('nothing was written before')
  await handle(first, ...others, now)
  const [{ id } = { id: 0 }] = await t.sql<{ id: number }>`
    select conversation_id as id from messages where whatsapp_message_id = ${now.waId}`
  let arriving: ReturnType<typeof counted> | undefined
  let ticks: ReturnType<typeof tickAll> | undefined
  await inTransaction(t.database, async (db) => {
    await lockConversation(db, id)
    arriving = counted((other) => handleGatewayEvent(other, t.instanceId, named(late)))
    await waiting(1)
    ticks = tickAll(first.waId, now.waId)
    await waiting(2)
  })
  await arriving?.done
  await ticks?.done
  expect([arriving?.attempts, ticks?.attempts]).toEqual([1, 1])
})

test('a history keeps its own times, however long ago and in whatever order it is reported', async () => {
  const before = daysAgo(399)
  await handle(past('year-b', 400 - 0.001), past('year-a', 400), past('quarter', 100))
  const reported = await t.sql<{ waId: string; days: number; conversationId: number }>`
    select whatsapp_message_id as "waId", conversation_id as "conversationId",
               round(extract(epoch from now() - sort_at) / 86400)::int as days
          from messages where sort_at < ${before.toISOString()}::timestamptz or content = 'quarter'
         order by sort_at`
  expect(reported.map(({ waId, days }) => [waId, days])).toEqual([
    ['year-a', 400],
    ['year-b', 400],
    ['quarter', 100],
  ])
  expect(new Set(reported.map(({ conversationId }) => conversationId)).size).toBe(2)
})

/** How many statements the work takes, BEGIN and COMMIT included; notifications are of no transaction. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const texts = spy.mock.calls.map(([query]: unknown[]) =>
    typeof query === 'string' ? query : String((query as { text: unknown }).text),
  )
  spy.mockRestore()
  return texts.filter((text) => !/pg_notify|^listen/i.test(text)).length
}

const alone = (event: GatewayEvent) =>
  countStatements(() => inTransaction(t.database, (db) => handleGatewayEvent(db, t.instanceId, event)))
const together = (events: GatewayEvent[]) =>
  countStatements(async () => {
    const done = await inTransaction(t.database, (db) => handleBatch(db, t.instanceId, events))
    expect(done.every(Boolean)).toBe(true)
  })

test('a message of somebody new', async () => {
  expect(await alone(person().writes('oi', 30))).toBe(15)
})

test('a message of a known contact', async () => {
  const p = person()
  await alone(p.writes('oi', 30))
  expect(await alone(p.writes('bom dia', 30.1))).toBe(10)
  expect(await together([p.writes('tudo bem?', 30.2)])).toBe(10)
  expect(await alone(p.writes('oi', 30))).toBe(3)
})

test('fifty messages of known contacts', async () => {
  const all = Array.from({ length: 50 }, person)
  for (const p of all) await alone(p.writes('oi', 30))
  expect(await together(all.map((p) => p.writes('bom dia', 30.1)))).toBe(10)
})

test('the echo of a message that is being sent', async () => {
  const p = person()
  await alone(p.writes('oi', 29))
  const [{ id } = { id: 0 }] = await t.sql<{ id: number }>`select max(id) as id from conversations`
  await inTransaction(t.database, async (db) => {
    const conversation = await lockConversation(db, id)
    if (conversation) await insertOutgoing(db, conversation, { content: 'pois não' })
  })
  await t.sql`update outbox set state = 'sending', tries = 1, first_attempt_at = app_now()`
  expect(await alone(p.byPhone('pois não', 30))).toBe(11)
  expect(await alone(p.byPhone('pois não', 30))).toBe(3)
  expect(await alone(p.ack('pois não', 'delivered'))).toBe(6)
})
