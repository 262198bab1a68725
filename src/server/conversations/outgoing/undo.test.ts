import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { trimUndone } from './change-sent.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { eventually, forAllTests, including, refusal, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
afterEach(() => resetSettings(t.database))

let lastKey = 0
const newKey = () => `undo-key-${++lastKey}`
const write = async (id: number, content: string, clientMessageId = newKey()) =>
  ana.request<Message>('POST', `/api/conversations/${id}/messages`, { content, clientMessageId })
const undo = (id: number, messageId: number, who = ana) =>
  who.request('POST', `/api/conversations/${id}/messages/${messageId}/undo`)
const conversation = (id: number) => ana.get<Conversation>(`/api/conversations/${id}`)
const textsOf = async (id: number) =>
  (await ana.get<Message[]>(`/api/conversations/${id}/messages`))
    .filter(({ messageType }) => messageType === 'text')
    .map(({ content }) => content)
const onPhone = (phoneId: string) =>
  t.simulator.control
    .chat(phoneId)
    .filter(({ from }) => from === 'company')
    .map(({ text }) => text)
/** Ends the wait of the conversation's messages now, rather than in some seconds. */
const endWait = (id: number) =>
  inTransaction(t.database, async (db) => {
    await db.execute(sql`update outbox set not_before = now() where conversation_id = ${id}`)
    db.signal('outbox')
  })
/** Longer than the outbox takes to send what may be sent. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 1300))

test('an undone send is forgotten once no browser can repeat it', async () => {
  await saveSettings(t.database, { undoSendSeconds: 10 })
  const { conversation: talk } = await newTalk(t, ana)
  const [old, recent] = [newKey(), newKey()]
  for (const key of [old, recent]) await undo(talk.id, (await write(talk.id, 'engano', key)).body.id)
  await t.sql`
    update undone_sends set undone_at = undone_at - interval '31 days' where client_message_id = ${old}`
  await trimUndone(t.database)
  const left = await t.sql<{ key: string }>`
    select client_message_id as key from undone_sends where conversation_id = ${talk.id}`
  expect(left).toEqual([{ key: recent }])
})

test('a send is undone in time: it never leaves, and the chat is as before', async () => {
  await saveSettings(t.database, { undoSendSeconds: 10 })
  const { conversation: before, phoneId } = await newTalk(t, ana)
  const key = newKey()
  const { body: message } = await write(before.id, 'não era isto', key)
  expect(await undo(before.id, message.id)).toMatchObject({ status: 204 })
  expect(await textsOf(before.id)).toEqual(['oi'])
  expect(await conversation(before.id)).toMatchObject({
    messageCount: before.messageCount,
    lastMessage: { content: 'oi' },
    waitingFor: 'operator',
    waitingSince: before.waitingSince,
  })
  // Its browser has not heard of it, and repeats the send.
  expect(await write(before.id, 'não era isto', key)).toMatchObject(refusal(409, 'messages.undone'))
  expect(await undo(before.id, message.id)).toMatchObject({ status: 404 })
  await write(before.id, 'era isto')
  await endWait(before.id)
  await eventually(() => onPhone(phoneId), including('era isto'))
  expect(onPhone(phoneId)).toEqual(['era isto'])
  const [entry] = await t.sql`select user_id as "userId" from audit_logs where action = 'message.undo'
         and resource_id = ${String(message.id)}`
  expect(entry).toEqual({ userId: ana.userId })
})

test('what can be undone waits, and what is written after it waits behind it', async () => {
  const { conversation: talk, phoneId } = await newTalk(t, ana)
  await saveSettings(t.database, { undoSendSeconds: 10 })
  await write(talk.id, 'primeira')
  await saveSettings(t.database, { undoSendSeconds: 0 })
  await write(talk.id, 'segunda')
  await pause()
  expect(onPhone(phoneId)).toEqual([])
  await endWait(talk.id)
  await eventually(() => onPhone(phoneId).length, 2)
  expect(onPhone(phoneId)).toEqual(['primeira', 'segunda'])
})

test('once sent it cannot be undone, nor by anybody else before', async () => {
  const { conversation: talk, phoneId } = await newTalk(t, ana)
  await saveSettings(t.database, { undoSendSeconds: 3 })
  const { body: message } = await write(talk.id, 'está certo')
  expect(await undo(talk.id, message.id, bruno)).toMatchObject(refusal(403, 'messages.not_yours'))
  // It is sent automatically when its time is over.
  await eventually(() => onPhone(phoneId).length, 1)
  expect(await undo(talk.id, message.id)).toMatchObject({
    status: 409,
    body: { code: 'messages.already_sent', message: 'A mensagem já foi enviada.' },
  })
})

test('a message undone while it is sent is either not sent or reported as sent', async () => {
  const { conversation: talk, phoneId } = await newTalk(t, ana)
  await saveSettings(t.database, { undoSendSeconds: 10 })
  const outcomes = new Map<string, number>()
  for (let n = 0; n < 20; n += 1) {
    const { body: message } = await write(talk.id, `vez ${n}`)
    await Promise.all([
      new Promise((resolve) => setTimeout(resolve, n / 3)).then(() => endWait(talk.id)),
      undo(talk.id, message.id).then(({ status }) => outcomes.set(`vez ${n}`, status)),
    ])
  }
  await t.settled()
  const undone = [...outcomes].filter(([, status]) => status === 204).map(([text]) => text)
  const reported = [...outcomes].filter(([, status]) => status === 409).map(([text]) => text)
  expect([...undone, ...reported]).toHaveLength(20)
  expect(onPhone(phoneId)).toEqual(reported)
  expect(await textsOf(talk.id)).toEqual(['oi', ...reported])
})

test('finalizing sends what waits at once, before its own text, and then it cannot be undone', async () => {
  await saveSettings(t.database, { undoSendSeconds: 10, finalizationMessage: 'Até logo' })
  const { conversation: talk, phoneId } = await newTalk(t, ana)
  const { body: message } = await write(talk.id, 'tchau')
  await ana.request('POST', `/api/conversations/${talk.id}/finalize`, {})
  expect(await undo(talk.id, message.id)).toMatchObject(refusal(409, 'conversations.completed'))
  await eventually(() => onPhone(phoneId).length, 2, 8000)
  expect(onPhone(phoneId)).toEqual(['tchau', 'Até logo'])
})

test('without the setting nothing waits', async () => {
  const { conversation: talk, phoneId } = await newTalk(t, ana)
  const { body } = await write(talk.id, 'já')
  const due = sql`select not_before <= now() as "isDue" from outbox where message_id = ${body.id}`
  expect(await rows(t.database, due)).toEqual([{ isDue: true }])
  await eventually(() => onPhone(phoneId).length, 1)
})
