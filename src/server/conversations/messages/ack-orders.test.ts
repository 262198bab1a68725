import { beforeAll, expect, test } from 'vitest'
import { type DeliveryStatus, deliveryStatuses } from '#shared/messages/delivery.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { permutations } from '#server/testing/inputs/permutations.ts'
import { spread } from '#server/testing/nightly.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { eventHandlers } from '#server/conversations/conversations.ts'
import { recordSent } from './sent.ts'

/** All that the gateway acknowledges; in the order that they count in. */
const acks = ['sent', 'failed', 'delivered', 'read', 'played'] as const satisfies DeliveryStatus[]
const rankOf = (status: DeliveryStatus) => deliveryStatuses.indexOf(status)

let conversationId: number

const t = forAllTests(testDatabaseWithNumber)

beforeAll(async () => {
  const [made] = await t.sql<{ id: number }>`
    with contact as (insert into contacts (name) values ('Cliente') returning id)
        insert into conversations (instance_id, contact_id, protocol)
        select ${t.instanceId}, id, '20261120000001' from contact returning id`
  conversationId = made?.id ?? 0
})

/** All orders of all five, and of each any number lost on the way: 3,840. */
const histories = permutations(acks).flatMap((order) =>
  Array.from({ length: 2 ** order.length }, (_, lost) => order.filter((_ack, n) => (lost & (2 ** n)) === 0)),
)
/** Many of them are the same in the end. */
const different = [...new Map(histories.map((history) => [history.join(), history])).values()]

interface Case {
  waId: string
  history: DeliveryStatus[]
  /** So many come before anybody knows whose id it is. */
  early: number
  messageId: number
  status: DeliveryStatus
}

/** An outgoing message for each: under way, or sent already. */
async function messagesFor(cases: Pick<Case, 'waId' | 'history' | 'early'>[]): Promise<Case[]> {
  const made = await t.sql<{ id: number }>`with written as (
          insert into messages (conversation_id, instance_id, sender_type, content, delivery_status,
                                sort_at, sent_at, whatsapp_message_id)
          select ${conversationId}, ${t.instanceId}, 'user', 'olá',
                 case when early = 0 then 'sent' else 'sending' end,
                 now(), now(), case when early = 0 then "waId" end
            from jsonb_to_recordset(${JSON.stringify(cases)}::jsonb) a("waId" text, early int)
          returning id, delivery_status)
        insert into outbox (instance_id, conversation_id, message_id, state, tries)
        select ${t.instanceId}, ${conversationId}, id, delivery_status, 1 from written
        returning message_id as id`
  return cases.map((one, n) => ({ ...one, messageId: made[n]?.id ?? 0, status: 'sending' }))
}

const link = (reported: Case[]) =>
  inTransaction(t.database, async (db) => {
    for (const { messageId, waId } of reported) await recordSent(db, messageId, waId)
  })

/** As the inbox does it: the usual ones together, the others one by one. */
const tell = (events: GatewayEvent[]) =>
  inTransaction(t.database, async (db) => {
    const done = await eventHandlers.many(db, t.instanceId, events)
    for (const [n, event] of events.entries()) if (!done[n]) await eventHandlers.one(db, t.instanceId, event)
  })

const ackOf = ({ waId }: Case, status: DeliveryStatus): GatewayEvent => ({
  kind: 'delivery',
  waId,
  status,
  peer: undefined,
})

/** Nothing has gone backwards since the last look. */
async function look(reported: Case[]): Promise<void> {
  const found = await t.sql<{ id: number; status: DeliveryStatus; isExplained: boolean }>`
    select id, delivery_status as status, failure_reason is not null as "isExplained" from messages
     where conversation_id = ${conversationId}`
  expect(found.filter(({ status, isExplained }) => (status === 'failed') !== isExplained)).toEqual([])
  const now = new Map(found.map((row) => [row.id, row.status]))
  const backwards = reported.filter((one) => rankOf(now.get(one.messageId) ?? 'pending') < rankOf(one.status))
  expect(backwards).toEqual([])
  for (const one of reported) one.status = now.get(one.messageId) ?? one.status
}

const highest = ({ history }: Case): DeliveryStatus =>
  history.reduce<DeliveryStatus>((top, ack) => (rankOf(ack) > rankOf(top) ? ack : top), 'sent')

const wrong = (reported: Case[]) =>
  reported
    .filter((one) => one.status !== highest(one))
    .map(({ history, early, status }) => `${early} early of ${history.join(', ')}: ${status}`)

test('in 3,840 orders and losses, each reported twice, ticks go forward and end at the highest', async () => {
  expect(histories).toHaveLength(3840)
  const reported = await messagesFor(
    histories.map((history, n) => ({ waId: `LATE${n}`, history: [...history], early: 0 })),
  )
  for (let step = 0; step < acks.length; step++) {
    const events = reported.flatMap((one) => {
      const ack = one.history[step]
      return ack ? [ackOf(one, ack)] : []
    })
    await tell(events)
    await look(reported)
    await tell(events)
    await look(reported)
  }
  expect(wrong(reported)).toEqual([])
})

test('ticks end the same when some come before the message has its id', async () => {
  const cases = different.filter((history) => history.length > 0)
  expect(cases).toHaveLength(325)
  const reported = await messagesFor(
    spread(cases, 120).map((history, n) => ({
      waId: `EARLY${n}`,
      history: [...history],
      early: 1 + (n % history.length),
    })),
  )
  await tell(reported.flatMap((one) => one.history.slice(0, one.early).map((ack) => ackOf(one, ack))))
  await look(reported)
  await link(reported)
  await look(reported)
  for (let step = 0; step < acks.length; step++) {
    await tell(
      reported.flatMap((one) => {
        const ack = one.history[one.early + step]
        return ack ? [ackOf(one, ack)] : []
      }),
    )
    await look(reported)
  }
  expect(wrong(reported)).toEqual([])
  const left = await t.sql`select id from pending_updates`
  expect(left).toEqual([])
})
