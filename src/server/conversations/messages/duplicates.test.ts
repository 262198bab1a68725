import { beforeAll, expect, test } from 'vitest'
import { type DeliveryStatus, deliveryStatuses } from '#shared/messages/delivery.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { permutations } from '#server/testing/inputs/permutations.ts'
import { spread } from '#server/testing/nightly.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { eventHandlers } from '#server/conversations/conversations.ts'
import { recordSent } from './sent.ts'
import { copiedIn, noteDuplicate } from './duplicates.ts'
import { saying } from '#server/testing/test-person.ts'

const t = forAllTests(testDatabaseWithNumber)

/** All that the gateway acknowledges; in the order that they count in. */
const acks = ['sent', 'failed', 'delivered', 'read', 'played'] as const satisfies DeliveryStatus[]
const rankOf = (status: DeliveryStatus) => deliveryStatuses.indexOf(status)

let conversationId: number

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
    for (const { messageId, waId } of reported)
      await recordSent(db, messageId, { waId, acceptedAt: undefined })
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

/** An outgoing message that was sent so long ago. */
async function sent(content: string, waId: string, ago = '1 second'): Promise<number> {
  const [made] = await t.sql<{ id: number }>`with written as (
          insert into messages (conversation_id, instance_id, sender_type, content, delivery_status,
                                sort_at, sent_at)
          values (${conversationId}, ${t.instanceId}, 'user', ${content}, 'sending',
                  now(), now()) returning id)
        insert into outbox (instance_id, conversation_id, message_id, state, tries, first_attempt_at)
        select ${t.instanceId}, ${conversationId}, id, 'sending', 1, now() - ${ago}::interval from written
        returning message_id as id`
  const id = made?.id ?? 0
  await inTransaction(t.database, (db) => recordSent(db, id, { waId, acceptedAt: undefined }))
  return id
}

/** Whether an echo is taken for a second copy, which is then noted. */
async function echo(
  waId: string,
  content: string,
  more: { origin?: 'api' | 'phone'; sentAt?: Date } = {},
): Promise<boolean> {
  const event = { waId, origin: 'api', sentAt: new Date(), ...more, content: saying(content) } as const
  const [copied] = await rows<{ id: number }>(t.database, copiedIn([conversationId], event))
  if (copied) await noteDuplicate(t.database, copied.id, waId)
  return copied !== undefined
}

const idsOf = async (messageId: number) =>
  (
    await t.sql<{ ids: string[] | null }>`
      select metadata -> 'duplicateIds' as ids from messages where id = ${messageId}`
  )[0]?.ids

test('the echo of a second copy belongs to the message that was sent, and is noted once', async () => {
  const id = await sent('bom dia', 'FIRST1')
  expect(await echo('SECOND1', 'bom dia')).toBe(true)
  expect(await echo('SECOND1', 'bom dia')).toBe(true)
  expect(await idsOf(id)).toEqual(['SECOND1'])
})

test('an answer that names another id than the echo did says the same', async () => {
  const id = await sent('boa tarde', 'FIRST2')
  await inTransaction(t.database, (db) => recordSent(db, id, { waId: 'SECOND2', acceptedAt: undefined }))
  await inTransaction(t.database, (db) => recordSent(db, id, { waId: 'FIRST2', acceptedAt: undefined }))
  expect(await idsOf(id)).toEqual(['SECOND2'])
})

test('a copy that is known stays one when it is reported days later, from the record', async () => {
  await sent('boa noite', 'FIRST3')
  expect(await echo('SECOND3', 'boa noite')).toBe(true)
  await t.sql`update outbox set first_attempt_at = first_attempt_at - interval '3 days'`
  expect(await echo('SECOND3', 'boa noite', { origin: 'phone' })).toBe(true)
})

test('the same words on the phone, other words, or the same ones later are other messages', async () => {
  const id = await sent('até logo', 'FIRST4')
  expect(await echo('OTHER1', 'até logo', { origin: 'phone' })).toBe(false)
  expect(await echo('OTHER2', 'até amanhã')).toBe(false)
  expect(await echo('OTHER3', 'até logo', { sentAt: new Date(Date.now() + 130_000) })).toBe(false)
  expect(await idsOf(id)).toBeNull()
})

test('who quotes the echo of a message that is known as ours only later is shown our message', async () => {
  const [quoting] = await t.sql<{ id: number }>`
    insert into messages (conversation_id, instance_id, sender_type, content, whatsapp_message_id,
                              quoted_whatsapp_id, sort_at, sent_at)
        values (${conversationId}, ${t.instanceId}, 'user', 'já vejo', 'ECHO9', null, now(), now()),
               (${conversationId}, ${t.instanceId}, 'contact', 'obrigada', 'QUOTING9', 'ECHO9', now(), now())
        returning case whatsapp_message_id when 'QUOTING9' then id end as id`.then((both) =>
    both.filter(({ id }) => id !== null),
  )
  await sent('já vejo', 'ECHO9')
  const reported = await t.sql<{ messageId: number }>`
    select message_id as "messageId" from events where type = 'new_message'`
  expect(reported.map(({ messageId }) => messageId)).toContain(quoting?.id)
})

test('a disappearing echo is distinguished from the count of copies', async () => {
  const eventsSince = (seq: string) =>
    t.sql<{ type: string }>`
      select type from events where conversation_id = ${conversationId} and seq > ${seq}::bigint`
  const [before] = await t.sql<{ seq: string }>`select max(seq)::text as seq from events`
  await t.sql`insert into messages (conversation_id, instance_id, sender_type, content, whatsapp_message_id,
                              sort_at, sent_at)
        values (${conversationId}, ${t.instanceId}, 'user', 'a caminho', 'ECHO10', now(), now())`
  await sent('a caminho', 'ECHO10')
  expect((await eventsSince(before?.seq ?? '0')).map(({ type }) => type)).toContain('timeline_changed')
})
