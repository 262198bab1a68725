import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, filled, forAllTests, testApp } from '#server/testing/test-app.ts'

/** Timeout of a send. */
const sendMs = 3500

const t = forAllTests(() => testApp({}, { gatewayTimes: { sendMs } }))
const ana = forAllTests(() => t.signIn('supervisor', 'ana'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
afterEach(() => {
  t.simulator.control.clearSendAnswers()
  t.simulator.control.setFaults({ reorderWebhook: { on: false } })
})

interface Chat extends Conversation {
  phoneId: string
}

/** A new conversation in which the client has written 'oi'. */
async function talk(): Promise<Chat> {
  const { conversation, phoneId } = await newTalk(t, admin)
  return { ...conversation, phoneId }
}

/** Ids of all conversations with a contact. */
const allOf = async (name: string) =>
  (
    await t.sql<{ id: number }>`select c.id from conversations c join contacts k on k.id = c.contact_id
           where k.name = ${name} order by c.id`
  ).map(({ id }) => id)
const remove = (id: number, who = ana) => who.request('DELETE', `/api/conversations/${id}`)
const send = async (id: number, content: string) =>
  (await ana.request<Message>('POST', `/api/conversations/${id}/messages`, { content })).body
const stateOf = async (messageId: number) =>
  (await t.sql<{ state: string }>`select state from outbox where message_id = ${messageId}`)[0]?.state
const received = ({ phoneId }: Chat) =>
  t.simulator.control
    .oracle()
    .received.filter(({ phone }) => phone === phoneId)
    .map(({ text }) => text)
const forgottenAs = (messageId: number) =>
  t.sql<{ content: string; isKnown: boolean }>`
    select content, whatsapp_message_id is not null as "isKnown" from forgotten_messages
         where message_id = ${messageId}`

test('a conversation is not deleted over what the client has just written', async () => {
  const { id } = await talk()
  const last = async () =>
    (await t.sql<{ id: number }>`select max(id) as id from messages where conversation_id = ${id}`)[0]?.id
  const before = await last()
  await t.sql`insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
    values (${id}, ${t.instanceId}, 'contact', 'e mais uma coisa', app_now(), app_now())`
  const removeSeen = (seenMessageId: number | undefined) =>
    ana.request('DELETE', `/api/conversations/${id}?seenMessageId=${seenMessageId}`)
  expect(await removeSeen(before)).toMatchObject({
    status: 409,
    body: { code: 'conversations.client_wrote', message: 'O cliente acabou de escrever' },
  })
  expect((await removeSeen(await last())).status).toBe(204)
})

test('a deleted conversation goes with its messages, and its deletion is audited', async () => {
  const chat = await talk()
  const reply = await send(chat.id, 'bom dia')
  await eventually(() => stateOf(reply.id), 'sent')
  const tab = await connectLive(t.app.url, { token: admin.token })
  expect((await remove(chat.id)).status).toBe(204)
  await tab.heard('conversation_removed', ({ data }) => data.conversationId === chat.id)
  for (const path of ['', '/messages'])
    expect(await admin.request('GET', `/api/conversations/${chat.id}${path}`)).toMatchObject({ status: 404 })
  const list = await ana.get<Conversation[]>('/api/conversations')
  expect(list.map(({ id }) => id)).not.toContain(chat.id)
  for (const table of ['messages', 'outbox', 'queue_pending_conversations'])
    expect(await t.sql`select 1 from ${sql.identifier(table)} where conversation_id = ${chat.id}`).toEqual([])
  expect(
    await t.sql`select user_id as "userId", action, details ->> 'protocol' as protocol from audit_logs
           where resource_id = ${String(chat.id)} and action = 'conversation.delete'`,
  ).toEqual([{ userId: ana.userId, action: 'conversation.delete', protocol: chat.protocol }])
  await tab.close()
})

test('a deleted conversation stays deleted when its messages come again', async () => {
  const chat = await talk()
  t.simulator.control.setFaults({ delayAcks: { on: true } })
  const reply = await send(chat.id, 'um momento')
  await eventually(() => stateOf(reply.id), 'sent')
  await remove(chat.id)
  t.simulator.control.setFaults({ delayAcks: { on: false } })
  t.simulator.control.open(chat.phoneId)
  const [first] = t.simulator.control.chat(chat.phoneId)
  t.simulator.control.react(chat.phoneId, { messageId: first?.id ?? '', emoji: '👍' })
  // The gateway sends the whole chat again, as after a new pairing.
  t.simulator.control.syncHistory(chat.phoneId)
  await t.settled()
  expect(await allOf(chat.contact.name)).toEqual([])
  expect(await t.sql`select 1 from pending_updates`).toEqual([])
  t.simulator.control.sendText(chat.phoneId, 'ainda aí?')
  const again = await eventually(() => allOf(chat.contact.name), filled)
  const { body } = await ana.request<Message[]>('GET', `/api/conversations/${again[0]}/messages`)
  expect(body.map(({ content }) => content)).toEqual(['ainda aí?'])
})

test('a deleted conversation sends nothing that was waiting', async () => {
  const chat = await talk()
  t.simulator.control.nextSendAnswers([{ text: 'primeira', hangMs: 2500, echo: 'never' }])
  const first = await send(chat.id, 'primeira')
  await send(chat.id, 'segunda')
  await eventually(() => stateOf(first.id), 'sending')
  await remove(chat.id)
  expect(await forgottenAs(first.id)).toEqual([{ content: 'primeira', isKnown: false }])
  await eventually(() => forgottenAs(first.id), { 0: { isKnown: true } })
  t.simulator.control.syncHistory(chat.phoneId)
  await t.settled()
  expect(received(chat)).toEqual(['primeira'])
  expect(await allOf(chat.contact.name)).toEqual([])
})

test('a deleted conversation does not return by the echo of an unconfirmed send', async () => {
  const chat = await talk()
  // The echo comes after the conversation is deleted.
  const held = { oneIn: 1, events: ['send.message'], holdMs: 2500 }
  t.simulator.control.setFaults({ reorderWebhook: { on: true, ...held } })
  t.simulator.control.nextSendAnswers([{ text: 'duvidosa', hangMs: 2500, delivered: true, echo: 'late' }])
  const doubtful = await send(chat.id, 'duvidosa')
  await eventually(
    () => stateOf(doubtful.id),
    (state) => state === 'sending' || state === 'unknown',
  )
  await remove(chat.id)
  await eventually(async () => received(chat), filled)
  await new Promise((resolve) => setTimeout(resolve, 2800))
  await t.settled()
  expect(await allOf(chat.contact.name)).toEqual([])
  expect(await forgottenAs(doubtful.id)).toEqual([{ content: '', isKnown: true }])
})

test('a conversation that two delete at the same time is deleted once', async () => {
  const chat = await talk()
  const answers = await Promise.all([remove(chat.id), remove(chat.id, admin)])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 404]))
})
