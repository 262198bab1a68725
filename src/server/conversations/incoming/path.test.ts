import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Draft } from '#shared/conversations/drafts.ts'
import type { Message } from '#shared/messages/messages.ts'
import { eventually, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const open = async (name: string) =>
  (await ana.get<Conversation[]>('/api/conversations')).find((row) => row.contact.name === name)
const messagesOf = (id: number) => ana.get<Message[]>(`/api/conversations/${id}/messages`)
/** Waits until the conversation is there. */
const appeared = async (name: string, isGood: (row: Conversation) => boolean = () => true) =>
  (await eventually(
    () => open(name),
    (row) => row !== undefined && isGood(row),
  )) as Conversation

let people = 0
/** A new client of that name, who has written 'oi'. */
async function talk(name: string) {
  const phone = t.simulator.control.createPhone({ name, number: `551198765${5000 + ++people}` })
  t.simulator.control.sendText(phone.id, 'oi')
  return { id: (await appeared(name)).id, phone }
}

test('a client writes, an operator answers, the ticks turn blue', async () => {
  const phone = t.simulator.control.createPhone({ name: 'Maria', number: '5511987654321' })
  t.simulator.control.sendText(phone.id, 'Bom dia, vocês entregam?')
  const conversation = await appeared('Maria')
  expect(conversation).toMatchObject({
    status: 'waiting',
    subStatus: 'FILA',
    waitingFor: 'operator',
    initiatedBy: 'contact',
    queuePosition: 1,
    lastMessage: { content: 'Bom dia, vocês entregam?' },
  })
  const sent = await ana.request('POST', `/api/conversations/${conversation.id}/messages`, {
    content: 'Entregamos sim!',
    clientMessageId: 'client-id-1',
  })
  expect(sent.status).toBe(201)
  expect(sent.body).toMatchObject({ clientMessageId: 'client-id-1', senderName: 'Ana' })
  await eventually(() => messagesOf(conversation.id), { [-1]: { deliveryStatus: 'delivered' } })
  t.simulator.control.open(phone.id)
  await eventually(() => messagesOf(conversation.id), { [-1]: { deliveryStatus: 'read' } })
  expect(await open('Maria')).toMatchObject({
    status: 'active',
    subStatus: 'OPERADOR',
    waitingFor: 'client',
    assignedUser: { name: 'Ana' },
    queuePosition: 0,
  })
  const received = t.simulator.control.chat(phone.id).filter((one) => one.from === 'company')
  expect(received.map((one) => one.text)).toEqual(['Entregamos sim!'])
})

test('eight messages of one second that arrive shuffled stand as they were written', async () => {
  const { id, phone } = await talk('Em Rajada')
  const second = Math.floor(Date.now() / 1000) - 300
  for (const n of [3, 1, 4, 6, 2, 5, 7, 8]) {
    const key = { remoteJid: `${phone.number}@s.whatsapp.net`, fromMe: false, id: `RAJADA${n}` }
    const data = { key, pushName: 'Em Rajada', message: { conversation: `${n}` }, messageTimestamp: second }
    // The gateway's clock, three hours behind UTC, when it first posted the body.
    const date_time = new Date(second * 1000 + 400 + n * 40 - 3 * 3_600_000).toISOString()
    const body = { event: 'messages.upsert', instance: t.simulator.instanceName, data, date_time }
    await t.simulator.control.inject({ body })
  }
  const all = await eventually(() => messagesOf(id), { length: 9 })
  expect(all.map(({ content }) => content)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', 'oi'])
  expect(all.every(({ metadata }) => !('postedMs' in metadata))).toBe(true)
})

test('posting the same clientMessageId twice at once makes one message and one send', async () => {
  const { id, phone } = await talk('Duplo')
  const post = () =>
    ana.request<Message>('POST', `/api/conversations/${id}/messages`, {
      content: 'uma vez',
      clientMessageId: 'same-intent',
    })
  const answers = await Promise.all([post(), post(), post(), post()])
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
  await eventually(() => messagesOf(id), { [-1]: { deliveryStatus: 'delivered' } })
  expect(t.simulator.control.chat(phone.id).filter((one) => one.from === 'company')).toHaveLength(1)
})

test('a number without WhatsApp is refused with its reason, and can be tried again', async () => {
  const { id, phone } = await talk('Sem Zap')
  t.simulator.control.changePhone(phone.id, { onWhatsApp: false })
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'alô?' })
  const failed = await eventually(() => messagesOf(id), { [-1]: { deliveryStatus: 'failed' } })
  expect(failed.at(-1)).toMatchObject({ failureReason: 'Número sem WhatsApp' })
  t.simulator.control.changePhone(phone.id, { onWhatsApp: true })
  const retried = await ana.request('POST', `/api/conversations/${id}/messages/${failed.at(-1)?.id}/retry`)
  expect(retried.status).toBe(200)
  await eventually(() => messagesOf(id), { [-1]: { deliveryStatus: 'delivered' } })
})

test('a message that WhatsApp refused after it was sent can be retried, and gets a new id', async () => {
  const { id } = await talk('Recusada')
  t.simulator.control.nextSendAnswers([{ text: 'vai ou não vai', acks: 'error' }])
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'vai ou não vai' })
  const refused = await eventually(() => messagesOf(id), { [-1]: { deliveryStatus: 'failed' } })
  expect(refused.at(-1)).toMatchObject({ failureReason: 'O WhatsApp não entregou a mensagem' })
  const again = await ana.request('POST', `/api/conversations/${id}/messages/${refused.at(-1)?.id}/retry`)
  expect(again.status).toBe(200)
  const sent = await eventually(() => messagesOf(id), { [-1]: { deliveryStatus: 'delivered' } })
  expect(sent.at(-1)?.whatsappMessageId).not.toBe(refused.at(-1)?.whatsappMessageId)
})

test('a message written on the phone itself is shown as such, and nobody is named', async () => {
  const { id, phone } = await talk('Celular')
  t.simulator.control.sendAsOwner(phone.id, { kind: 'text', text: 'respondi pelo celular' })
  const all = await eventually(() => messagesOf(id), { length: 2 })
  expect(all.at(-1)).toMatchObject({ senderType: 'user', senderId: null, metadata: { origin: 'phone' } })
  expect(await open('Celular')).toMatchObject({ waitingFor: 'client', assignedUserId: null })
})

test('a quote, a draft and the list name who wrote on our side, or that it was the phone', async () => {
  const { id, phone } = await talk('Quem Disse')
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'da Ana' })
  await eventually(() => messagesOf(id), { [-1]: { deliveryStatus: 'delivered' } })
  t.simulator.control.sendAsOwner(phone.id, { kind: 'text', text: 'do celular' })
  const last = await appeared('Quem Disse', (row) => row.lastMessage?.content === 'do celular')
  expect(last.lastMessage).toMatchObject({ senderType: 'user', origin: 'phone' })
  expect(last.lastMessage).not.toHaveProperty('senderId')
  const carla = await t.signIn('operator', 'carla')
  const senderOf = {
    'da Ana': { senderId: ana.userId, senderName: 'Ana' },
    'do celular': { origin: 'phone' },
  }
  const all = await messagesOf(id)
  for (const [content, sender] of Object.entries(senderOf)) {
    const original = all.find((message) => message.content === content)
    const quotedId = original?.whatsappMessageId ?? ''
    t.simulator.control.send(phone.id, { kind: 'text', text: `sobre ${content}`, quotedId })
    const quoting = await eventually(() => messagesOf(id), { [-1]: { content: `sobre ${content}` } })
    const { messageId, senderType, senderId, senderName, origin } = quoting.at(-1)?.quoted ?? {}
    expect({ messageId, senderType, senderId, senderName, origin }).toEqual({
      messageId: original?.id,
      senderType: 'user',
      senderId: undefined,
      senderName: undefined,
      origin: undefined,
      ...sender,
    })
    const draft = await carla.request<{ draft: Draft }>('PUT', `/api/conversations/${id}/draft`, {
      content: '',
      quotedMessageId: original?.id,
    })
    expect(draft.body.draft.quoted).toEqual(quoting.at(-1)?.quoted)
  }
})
