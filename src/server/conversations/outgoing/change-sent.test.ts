import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import { type Message, quickReactions } from '#shared/messages/messages.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { atNight } from '#server/testing/nightly.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, forAllTests, including, not, refusal, testApp } from '#server/testing/test-app.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { trimUndone } from './change-sent.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'

const t = forAllTests(() => testApp({}, { gatewayTimes: { changeMs: 700 } }))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
afterEach(async () => {
  t.simulator.control.clearSendAnswers()
  t.simulator.control.setFaults({ disconnect: { on: false } })
  await pauseSending(false)
  await resetSettings(t.database)
})

/** Keeps messages in the outbox, as a restore does: what is known of the gateway cannot end that. */
const pauseSending = (isPaused: boolean) =>
  t.database.execute(
    isPaused
      ? sql`update installation set sends_paused_until = now() + interval '1 hour'`
      : sql`update installation set sends_paused_until = null`,
  )

async function talk(number?: string) {
  const { conversation, phoneId } = await newTalk(t, ana, number)
  const [first] = await messagesOf(conversation.id)
  if (!first) throw new Error('nothing was written')
  return { phone: phoneId, id: conversation.id, first }
}
const messagesOf = (id: number) => ana.get<Message[]>(`/api/conversations/${id}/messages`)
const one = async (id: number, messageId: number) =>
  (await messagesOf(id)).find((message) => message.id === messageId) as Message
const write = async (id: number, content: string, who = ana) =>
  (await who.request<Message>('POST', `/api/conversations/${id}/messages`, { content })).body
/** Writes a message and waits until it is delivered. */
async function sent(id: number, content: string, who = ana): Promise<Message> {
  const { id: messageId } = await write(id, content, who)
  return eventually(() => one(id, messageId), { deliveryStatus: 'delivered' })
}
const edit = (id: number, messageId: number, content: unknown, who = ana) =>
  who.request<Message>('PUT', `/api/conversations/${id}/messages/${messageId}`, { content })
const remove = (id: number, messageId: number, who = ana) =>
  who.request<Message>('DELETE', `/api/conversations/${id}/messages/${messageId}`)
const conversation = (id: number) => ana.get<Conversation>(`/api/conversations/${id}`)
const onPhone = (phone: string) =>
  t.simulator.control
    .chat(phone)
    .filter(({ from }) => from === 'company')
    .map(({ text, deleted }) => (deleted ? 'apagada' : text))
const versionsOf = async (id: number, messageId: number) => {
  const path = `/api/conversations/${id}/messages/${messageId}/versions`
  return (await ana.get<{ content: string }[]>(path)).map(({ content }) => content)
}
const age = (messageId: number, interval: string) =>
  t.sql`update messages set sent_at = app_now() - ${interval}::interval where id = ${messageId}`
const auditOf = (messageId: number) =>
  t.sql<{ action: string; userId: number }>`select action, user_id as "userId" from audit_logs
         where resource_type = 'message' and resource_id = ${String(messageId)} order by id`
/** Sets the state of a reply, which no worker changes meanwhile; at the end of a test, one that ends it. */
const setState = (messageId: number, state: string) =>
  t.sql`with o as (update outbox set state = ${state}, lease_until = now() + interval '1 hour'
                    where message_id = ${messageId})
        update messages set delivery_status = ${state} where id = ${messageId}`

const react = (id: number, messageId: number, emoji: unknown) =>
  ana.request<Message>('PUT', `/api/conversations/${id}/messages/${messageId}/reaction`, { emoji })
const reactionsOn = (phone: string) => t.simulator.control.chat(phone)[0]?.reactions

test('the team’s reaction reaches the phone, changes there, and is taken back', async () => {
  const { phone, id, first } = await talk()
  for (const emoji of ['👍', '❤️', '👩🏽‍🚀']) {
    const { status, body } = await react(id, first.id, emoji)
    expect(status).toBe(200)
    expect(body.reactions).toEqual([{ emoji, from: 'user' }])
    expect(reactionsOn(phone)).toEqual([{ emoji, from: 'company' }])
  }
  await t.settled()
  expect((await messagesOf(id))[0]?.reactions).toEqual([{ emoji: '👩🏽‍🚀', from: 'user' }])
  expect((await react(id, first.id, '')).body.reactions).toEqual([])
  expect(reactionsOn(phone)).toEqual([])
})

test('the team’s reaction on an outgoing message stands beside the one of the client', async () => {
  const { phone, id } = await talk()
  const ours = await sent(id, 'pronto')
  t.simulator.control.react(phone, { messageId: ours.whatsappMessageId ?? '', emoji: '🙏' })
  await eventually(() => one(id, ours.id), { reactions: { length: 1 } })
  const { body } = await react(id, ours.id, '😂')
  expect(body.reactions.map(({ emoji }) => emoji).toSorted()).toEqual(['🙏', '😂'].toSorted())
})

test('the team’s reaction finds a first message to a number without its 9', async () => {
  const phone = t.simulator.control.createPhone({ name: 'Nair', number: '553188871001' })
  const typed = { phone: '31988871001', name: 'Nair' }
  const eva = await t.signIn('supervisor', 'eva')
  const contact = (await eva.request<{ id: number }>('POST', '/api/contacts/by-phone', typed)).body
  const path = `/api/contacts/${contact.id}/send-message`
  const write = async (content: string) =>
    (await eva.request<{ conversation: Conversation; message: Message }>('POST', path, { content })).body
  t.simulator.control.nextSendAnswers([{ text: 'bom dia', echo: 'never' }])
  const { conversation, message } = await write('bom dia')
  await eventually(() => messagesOf(conversation.id), { [-1]: { deliveryStatus: 'delivered' } })
  // The answer to the send reports the address.
  await eventually(
    () => t.sql<{ jid: string }>`select jid from contact_identities where contact_id = ${contact.id}`,
    { 0: { jid: '553188871001@s.whatsapp.net' } },
  )
  // Where none has reported it yet, the gateway's record does.
  await t.sql`update contact_identities set jid = value where contact_id = ${contact.id}`
  expect((await react(conversation.id, message.id, '👍')).status).toBe(200)
  expect(reactionsOn(phone.id)).toEqual([{ emoji: '👍', from: 'company' }])
})

test('the team’s reaction is neither an answer nor news of who waits', async () => {
  const { id, first } = await talk()
  const before = await conversation(id)
  await react(id, first.id, '👍')
  expect({ ...(await conversation(id)), version: 0 }).toEqual({ ...before, version: 0 })
})

test('the team’s reaction is any one emoji, and nothing else', async () => {
  const { id, first } = await talk()
  const statusOf = async (emoji: unknown) => [emoji, (await react(id, first.id, emoji)).status]
  for (const emoji of [...quickReactions, '🇧🇷', '👨‍👩‍👧']) expect(await statusOf(emoji)).toEqual([emoji, 200])
  for (const wrong of ['ok', '👍👍', '1', ' ', '<b>', 7, null])
    expect(await statusOf(wrong)).toEqual([wrong, 400])
})

test('a reaction needs a delivered message of an open conversation', async () => {
  const { phone, id, first } = await talk()
  const other = await talk()
  expect((await react(other.id, first.id, '👍')).status).toBe(404)
  expect((await react(id, 999_999, '👍')).status).toBe(404)
  t.simulator.control.remove(phone, first.whatsappMessageId ?? '')
  await eventually(() => messagesOf(id), { 0: { deletedAt: not(null) } })
  expect((await react(id, first.id, '👍')).status).toBe(409)
  await ana.request('POST', `/api/conversations/${other.id}/finalize`, {})
  expect(await react(other.id, other.first.id, '👍')).toMatchObject(refusal(409, 'conversations.completed'))
})

let lastKey = 0
const newKey = () => `undo-key-${++lastKey}`
const writeWithKey = async (id: number, content: string, clientMessageId = newKey()) =>
  ana.request<Message>('POST', `/api/conversations/${id}/messages`, { content, clientMessageId })
const undo = (id: number, messageId: number, who = ana) =>
  who.request('POST', `/api/conversations/${id}/messages/${messageId}/undo`)
const textsOf = async (id: number) =>
  (await messagesOf(id)).filter(({ messageType }) => messageType === 'text').map(({ content }) => content)
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
  for (const key of [old, recent]) await undo(talk.id, (await writeWithKey(talk.id, 'engano', key)).body.id)
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
  const { body: message } = await writeWithKey(before.id, 'não era isto', key)
  expect(await undo(before.id, message.id)).toMatchObject({ status: 204 })
  expect(await textsOf(before.id)).toEqual(['oi'])
  expect(await conversation(before.id)).toMatchObject({
    messageCount: before.messageCount,
    lastMessage: { content: 'oi' },
    waitingFor: 'operator',
    waitingSince: before.waitingSince,
  })
  // Its browser has not heard of it, and repeats the send.
  expect(await writeWithKey(before.id, 'não era isto', key)).toMatchObject(refusal(409, 'messages.undone'))
  expect(await undo(before.id, message.id)).toMatchObject({ status: 404 })
  await writeWithKey(before.id, 'era isto')
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
  await writeWithKey(talk.id, 'primeira')
  await saveSettings(t.database, { undoSendSeconds: 0 })
  await writeWithKey(talk.id, 'segunda')
  await pause()
  expect(onPhone(phoneId)).toEqual([])
  await endWait(talk.id)
  await eventually(() => onPhone(phoneId).length, 2)
  expect(onPhone(phoneId)).toEqual(['primeira', 'segunda'])
})

test('once sent it cannot be undone, nor by anybody else before', async () => {
  const { conversation: talk, phoneId } = await newTalk(t, ana)
  await saveSettings(t.database, { undoSendSeconds: 3 })
  const { body: message } = await writeWithKey(talk.id, 'está certo')
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
    const { body: message } = await writeWithKey(talk.id, `vez ${n}`)
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
  const { body: message } = await writeWithKey(talk.id, 'tchau')
  await ana.request('POST', `/api/conversations/${talk.id}/finalize`, {})
  expect(await undo(talk.id, message.id)).toMatchObject(refusal(409, 'conversations.completed'))
  await eventually(() => onPhone(phoneId).length, 2, 8000)
  expect(onPhone(phoneId)).toEqual(['tchau', 'Até logo'])
})

test('without the setting nothing waits', async () => {
  const { conversation: talk, phoneId } = await newTalk(t, ana)
  const { body } = await writeWithKey(talk.id, 'já')
  const due = sql`select not_before <= now() as "isDue" from outbox where message_id = ${body.id}`
  expect(await rows(t.database, due)).toEqual([{ isDue: true }])
  await eventually(() => onPhone(phoneId).length, 1)
})

test('an edited message is changed on the phone and here, with one earlier version', async () => {
  const { phone, id } = await talk()
  const message = await sent(id, 'O pedido chega quinta')
  const { status, body } = await edit(id, message.id, 'O pedido chega sexta')
  expect(status).toBe(200)
  expect(body).toMatchObject({ content: 'O pedido chega sexta' })
  expect(body.editedAt).not.toBeNull()
  expect(onPhone(phone)).toEqual(['O pedido chega sexta'])
  await t.settled()
  expect(await versionsOf(id, message.id)).toEqual(['O pedido chega quinta'])
  expect((await conversation(id)).lastMessage?.content).toBe('O pedido chega sexta')
  expect(await auditOf(message.id)).toEqual([{ action: 'message.edit', userId: ana.userId }])
  expect(await one(id, message.id)).toMatchObject({ deliveryStatus: 'delivered', content: body.content })
})

test('an edit finds the message with the 9 of the number or without', async () => {
  const { phone, id } = await talk('5521988887777')
  const message = await sent(id, 'antes')
  expect((await edit(id, message.id, 'depois')).status).toBe(200)
  expect(onPhone(phone)).toEqual(['depois'])
})

test('two edits keep both earlier texts, and an equal one changes nothing', async () => {
  const { id } = await talk()
  const message = await sent(id, 'um')
  for (const text of ['dois', 'três', 'três']) expect((await edit(id, message.id, text)).status).toBe(200)
  await t.settled()
  expect(await versionsOf(id, message.id)).toEqual(['um', 'dois'])
  expect(await auditOf(message.id)).toHaveLength(2)
  const elsewhere = `/api/conversations/${(await talk()).id}/messages/${message.id}/versions`
  expect(await ana.request('GET', elsewhere)).toMatchObject({ status: 404 })
})

test('a message is edited only by its author, not even by an administrator', async () => {
  const { id } = await talk()
  const message = await sent(id, 'minha')
  for (const who of [bruno, chefe])
    expect(await edit(id, message.id, 'sua', who)).toMatchObject(refusal(403, 'messages.not_yours'))
  const [theirs] = await messagesOf(id)
  expect((await edit(id, theirs?.id ?? 0, 'dele')).status).toBe(403)
  expect((await one(id, message.id)).content).toBe('minha')
})

test('an edit needs an open conversation, its message, and a text', async () => {
  const { id } = await talk()
  const other = await talk()
  const message = await sent(id, 'aqui')
  expect((await edit(other.id, message.id, 'lá')).status).toBe(404)
  for (const content of ['', '  \n', 7, 'x'.repeat(65_537)])
    expect((await edit(id, message.id, content)).status).toBe(400)
  await ana.request('POST', `/api/conversations/${id}/finalize`, {})
  expect(await edit(id, message.id, 'tarde')).toMatchObject({ body: { code: 'conversations.completed' } })
})

test('a message of one’s own can be edited for fifteen minutes', async () => {
  const { id } = await talk()
  const message = await sent(id, 'a tempo')
  await age(message.id, '14 minutes 50 seconds')
  expect((await edit(id, message.id, 'ainda')).status).toBe(200)
  await age(message.id, '15 minutes')
  expect(await edit(id, message.id, 'não mais')).toMatchObject({
    status: 409,
    body: { message: 'O WhatsApp só deixa editar até 15 minutos depois do envio.' },
  })
})

test('a message that still waits is sent with the edited text alone', async () => {
  const { phone, id } = await talk()
  await pauseSending(true)
  const message = await write(id, 'com erro')
  expect((await edit(id, message.id, 'sem erro')).body).toMatchObject({
    content: 'sem erro',
    editedAt: null,
    deliveryStatus: 'pending',
  })
  await pauseSending(false)
  await eventually(() => one(id, message.id), { deliveryStatus: 'delivered' })
  expect(onPhone(phone)).toEqual(['sem erro'])
  expect(await versionsOf(id, message.id)).toEqual([])
})

const acts: [string, (id: number, messageId: number) => Promise<{ status: number; body: unknown }>][] = [
  ['a reaction', (id, messageId) => react(id, messageId, '👍')],
  ['an edit', (id, messageId) => edit(id, messageId, 'mudou')],
  ['a deletion', (id, messageId) => remove(id, messageId)],
]

test.each(acts)('%s that finds WhatsApp away says so, and changes nothing', async (_what, act) => {
  const { phone, id } = await talk()
  const message = await sent(id, 'fica')
  t.simulator.control.setFaults({ disconnect: { on: true } })
  const refused = await act(id, message.id)
  t.simulator.control.setFaults({ disconnect: { on: false } })
  const reason = 'a Evolution API está sem conexão com o WhatsApp'
  expect(refused).toMatchObject({
    status: 502,
    body: { message: `Nada mudou no WhatsApp: ${reason}. Tente de novo.` },
  })
  expect(await one(id, message.id)).toMatchObject({ content: 'fica', deletedAt: null, reactions: [] })
  expect(onPhone(phone)).toEqual(['fica'])
  expect(await auditOf(message.id)).toEqual([])
  expect((await act(id, message.id)).status).toBe(200)
})

test.each(acts)("a change of a message (%s) waits while WhatsApp's socket connects", async (_what, act) => {
  const { id } = await talk()
  const message = await sent(id, 'fica')
  t.simulator.control.setFaults({ disconnect: { on: true, state: 'connecting' } })
  const made = act(id, message.id)
  await sleep(200)
  t.simulator.control.setFaults({ disconnect: { on: false, state: 'close' } })
  expect((await made).status).toBe(200)
})

test('an edit that WhatsApp refuses changes nothing', async () => {
  const { phone, id } = await talk()
  const message = await sent(id, 'fica')
  await t.sql`update messages set whatsapp_message_id = 'NOBODYKNOWS' || id where id = ${message.id}`
  expect(await edit(id, message.id, 'nunca')).toMatchObject(refusal(409, 'messages.change_refused'))
  expect((await one(id, message.id)).content).toBe('fica')
  expect(onPhone(phone)).toEqual(['fica'])
  expect(await auditOf(message.id)).toEqual([])
})

test('an edit stops waiting for a gateway that never answers', async () => {
  const { id } = await talk()
  const message = await sent(id, 'fica')
  const deaf = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(deaf, 'listening')
  const { port } = deaf.address() as AddressInfo
  await t.sql`update evolution_api_config set base_url = ${`http://127.0.0.1:${port}`}`
  try {
    const startedAt = performance.now()
    expect(await edit(id, message.id, 'não fica')).toMatchObject(refusal(502, 'gateway.unreachable'))
    expect((await remove(id, message.id)).status).toBe(502)
    expect(performance.now() - startedAt).toBeLessThan(8000)
  } finally {
    await t.sql`update evolution_api_config set base_url = ${t.simulator.url}`
    deaf.closeAllConnections()
    deaf.close()
  }
  expect(await one(id, message.id)).toMatchObject({ content: 'fica', deletedAt: null })
  expect((await edit(id, message.id, 'mudou')).status).toBe(200)
})

test('a deletion for everyone shows on the phone, in the list and in quotes', async () => {
  const { phone, id } = await talk()
  const message = await sent(id, 'foi engano')
  const quoting = await ana.request<Message>('POST', `/api/conversations/${id}/messages`, {
    content: 'sobre isto',
    quotedMessageId: message.id,
  })
  const { status, body } = await remove(id, message.id)
  expect(status).toBe(200)
  expect(body.deletedAt).not.toBeNull()
  expect(onPhone(phone)[0]).toBe('apagada')
  expect((await one(id, quoting.body.id)).quoted?.deletedAt).toBe(body.deletedAt)
  await eventually(() => one(id, quoting.body.id), { deliveryStatus: 'delivered' })
  await remove(id, quoting.body.id)
  expect((await conversation(id)).lastMessage?.deletedAt).not.toBeNull()
  expect(await auditOf(message.id)).toEqual([{ action: 'message.delete', userId: ana.userId }])
})

test('a message that two people delete at once is deleted once', async () => {
  const { id } = await talk()
  const message = await sent(id, 'uma vez')
  const both = await Promise.all([remove(id, message.id), remove(id, message.id, chefe)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const { version, deletedAt } = await one(id, message.id)
  await t.settled()
  expect(await remove(id, message.id)).toMatchObject({ status: 200, body: { version, deletedAt } })
})

test('only own messages are deleted, the team’s by an administrator', async () => {
  const { id } = await talk()
  const message = await sent(id, 'da Ana')
  expect(await remove(id, message.id, bruno)).toMatchObject(refusal(403, 'messages.not_yours'))
  const [theirs] = await messagesOf(id)
  expect((await remove(id, theirs?.id ?? 0, chefe)).status).toBe(403)
  expect((await remove(id, message.id, chefe)).status).toBe(200)
})

test('a message can be deleted for everyone for sixty hours', async () => {
  const { id } = await talk()
  const message = await sent(id, 'a tempo')
  await age(message.id, '60 hours')
  expect(await remove(id, message.id)).toMatchObject(refusal(409, 'messages.delete_too_late'))
  await age(message.id, '59 hours 59 minutes')
  expect((await remove(id, message.id)).status).toBe(200)
})

test('a message deleted before its send is never sent, and the next ones are', async () => {
  const { phone, id } = await talk()
  await pauseSending(true)
  const message = await write(id, 'nunca vai')
  const next = await write(id, 'vai')
  expect((await remove(id, message.id)).body).toMatchObject({ deliveryStatus: null })
  await pauseSending(false)
  await eventually(() => one(id, next.id), { deliveryStatus: 'delivered' })
  expect(onPhone(phone)).toEqual(['vai'])
  expect((await one(id, message.id)).deletedAt).not.toBeNull()
})

test('a message deleted before its send answers nobody: the client waits since their first', async () => {
  const { id, phone } = await talk()
  const { waitingSince } = await conversation(id)
  expect(waitingSince).not.toBeNull()
  await pauseSending(true)
  const [first, second] = [await write(id, 'um momento'), await write(id, 'já vejo')]
  await remove(id, first.id)
  expect(await conversation(id)).toMatchObject({ waitingFor: 'client', waitingSince: null })
  await remove(id, second.id)
  expect(await conversation(id)).toMatchObject({ waitingFor: 'operator', waitingSince })
  const third = await write(id, 'ainda vejo')
  t.simulator.control.sendText(phone, 'e então?')
  const again = await eventually(() => conversation(id), { waitingFor: 'operator' })
  expect(again.waitingSince).not.toBe(waitingSince)
  await remove(id, third.id)
  expect((await conversation(id)).waitingSince).toBe(waitingSince)
})

test.each(['sending', 'unknown'])('a message is neither edited nor deleted while it is %s', async (state) => {
  const { id } = await talk()
  await pauseSending(true)
  const message = await write(id, 'a caminho')
  await setState(message.id, state)
  for (const change of [edit(id, message.id, 'outra'), remove(id, message.id)])
    expect(await change).toMatchObject(refusal(409, 'messages.under_way'))
  expect(await one(id, message.id)).toMatchObject({ content: 'a caminho', deletedAt: null })
  await setState(message.id, 'failed')
})

test('a failed message cannot be edited, and one that is deleted is not tried again', async () => {
  const { id } = await talk()
  await pauseSending(true)
  const message = await write(id, 'falhou')
  await setState(message.id, 'failed')
  expect(await edit(id, message.id, 'outra')).toMatchObject(refusal(409, 'messages.not_editable'))
  expect(await remove(id, message.id)).toMatchObject({ status: 200, body: { content: 'falhou' } })
  const retried = await ana.request('POST', `/api/conversations/${id}/messages/${message.id}/retry`)
  expect(retried).toMatchObject(refusal(409, 'messages.not_retryable'))
})

test('a message claimed by a worker is being sent, and its deletion does not wait', async () => {
  const { id } = await talk()
  await pauseSending(true)
  const message = await write(id, 'quem chega primeiro')
  await inTransaction(t.database, async (db) => {
    // As an uncommitted claim leaves the row.
    await db.execute(sql`update outbox set state = 'sending' where message_id = ${message.id}`)
    const startedAt = performance.now()
    const { status, body } = await remove(id, message.id)
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'messages.under_way' })])
  })
})

test('a message deleted during a race with the worker is on no phone', async () => {
  const { phone, id } = await talk()
  for (let n = 0; n < atNight(40, 16); n++) {
    const message = await write(id, `corrida ${n}`)
    if (n % 4 > 0) await new Promise((resolve) => setTimeout(resolve, n % 4))
    const { status, body } = await remove(id, message.id)
    if (status === 409) continue
    expect(status).toBe(200)
    if (body.deliveryStatus === null) expect(onPhone(phone)).not.toContain(`corrida ${n}`)
    await eventually(
      () => Promise.resolve(onPhone(phone)),
      (all) => !all.includes(`corrida ${n}`),
    )
  }
  const all = await eventually(
    () => messagesOf(id),
    (found) => found.every(({ deliveryStatus }) => !['pending', 'sending'].includes(deliveryStatus ?? '')),
  )
  const shown = onPhone(phone).filter((text) => text !== 'apagada')
  const standing = all.filter(
    (one) => isCountedMessage(one.messageType) && one.senderId === ana.userId && one.deletedAt === null,
  )
  expect(standing.map(({ content }) => content).toSorted()).toEqual(
    shown.filter((text) => text.startsWith('corrida')).toSorted(),
  )
})
