import { expect, test } from 'vitest'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { inTransaction, type Tx } from '#server/platform/database/db.ts'
import { eventually, forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { handleBatch } from './batch.ts'

const t = forAllTests(testDatabaseWithNumber)

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
    content: {
      messageType: 'text',
      content: waId,
      fileName: undefined,
      mimeType: undefined,
      sizeBytes: undefined,
      metadata: {},
    },
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

test('a message taken out of the history while ticks come in waits for nobody in a circle', async () => {
  await handle(past('told before', 0.01), past('now', 0, { isHistory: false }))
  const [{ id } = { id: 0 }] = await t.sql<{ id: number }>`
    select conversation_id as id from messages where whatsapp_message_id = 'now'`
  let live: ReturnType<typeof counted> | undefined
  let ticks: ReturnType<typeof tickAll> | undefined
  await inTransaction(t.database, async (db) => {
    await lockConversation(db, id)
    live = counted((other) =>
      handleGatewayEvent(other, t.instanceId, past('told before', 0.01, { isHistory: false })),
    )
    await waiting(1)
    ticks = tickAll('told before', 'now')
    await waiting(2)
  })
  await live?.done
  await ticks?.done
  expect([live?.attempts, ticks?.attempts]).toEqual([1, 1])
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
