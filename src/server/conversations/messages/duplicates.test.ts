import { beforeAll, expect, test } from 'vitest'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { recordSent } from './sent.ts'
import { copiedIn, noteDuplicate } from './duplicates.ts'
import { saying } from '#server/testing/test-person.ts'

let conversationId: number

const t = forAllTests(testDatabaseWithNumber)

beforeAll(async () => {
  const [made] = await t.sql<{ id: number }>`
    with contact as (insert into contacts (name) values ('Cliente') returning id)
        insert into conversations (instance_id, contact_id, protocol)
        select ${t.instanceId}, id, '20261120000001' from contact returning id`
  conversationId = made?.id ?? 0
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
  await inTransaction(t.database, (db) => recordSent(db, id, waId))
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
  await inTransaction(t.database, (db) => recordSent(db, id, 'SECOND2'))
  await inTransaction(t.database, (db) => recordSent(db, id, 'FIRST2'))
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
