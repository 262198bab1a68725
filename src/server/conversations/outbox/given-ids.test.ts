import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Encoding, SendAnswer } from '#simulator/control-api.ts'
import type { Message } from '#shared/messages/messages.ts'
import { createLog } from '#server/platform/log.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, forAllTests, formOf, testApp } from '#server/testing/test-app.ts'
import { resolveUnconfirmed } from './outbox-unconfirmed.ts'

const t = forAllTests(() => testApp({}, { gatewayTimes: { sendMs: 500 } }))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const log = createLog('silent')

/** The gateway is of this release, and we have seen that. */
async function gatewayIs(version: Encoding) {
  t.simulator.control.setVersion(version)
  await eventually(
    () => {
      t.database.signals.send('connections')
      return t.sql<{ release: string }>`select release from evolution_api_config`
    },
    ([row]) => row?.release?.startsWith(version) === true,
    10_000,
  )
}

beforeEach(() => gatewayIs('2.4'))
afterEach(() => t.simulator.control.clearSendAnswers())

async function newChat() {
  const { conversation, phoneId } = await newTalk(t, ana)
  return { id: conversation.id, phoneId }
}
type Chat = Awaited<ReturnType<typeof newChat>>

async function send({ id }: Chat, content: string, ...answers: SendAnswer[]) {
  t.simulator.control.nextSendAnswers(answers.map((answer) => ({ text: content, ...answer })))
  const answer = await ana.request<Message>('POST', `/api/conversations/${id}/messages`, { content })
  expect(answer.status).toBe(201)
  return answer.body.id
}

interface Sent extends Record<string, unknown> {
  state: string
  givenId: string | null
  waId: string | null
}
const sentOf = async (messageId: number) =>
  (
    await t.sql<Sent>`select o.state, o.given_id as "givenId", m.whatsapp_message_id as "waId"
                        from outbox o join messages m on m.id = o.message_id where m.id = ${messageId}`
  )[0]
const became = (messageId: number, state: string) =>
  eventually(
    () => sentOf(messageId),
    (sent) => sent?.state === state,
    10_000,
  )

/** What our number has sent to the phone, by the console or by the company's own phone. */
const received = ({ phoneId }: Chat) =>
  t.simulator.control
    .oracle()
    .received.filter(({ phone }) => phone === phoneId)
    .map(({ text, fromConsole, times }) => [text, fromConsole, times])

/** Verifies what is not known after it has been so for a while. */
async function verifyLater() {
  await t.settled()
  await t.sql`update outbox set lease_until = null, unknown_since = unknown_since - interval '61 seconds'
               where state = 'unknown'`
  await resolveUnconfirmed(t.database, t.app.gateway, log)
}

const lost: SendAnswer = { cut: 'before', echo: 'never' }

test('a send is known by the id that it was given, before and after its answer', async () => {
  const id = await send(await newChat(), 'com número próprio')
  const { givenId, waId } = (await became(id, 'sent')) ?? {}
  expect(givenId).toMatch(/^3EB0[0-9A-F]{18}$/)
  expect(waId).toBe(givenId)
})

test('a send whose answer is lost is found by its id, whatever else says the same', async () => {
  const chat = await newChat()
  const id = await send(chat, 'certo', { ...lost, delivered: true, stored: true })
  await became(id, 'unknown')
  t.simulator.control.sendAsOwner(chat.phoneId, { kind: 'text', text: 'certo' })
  await verifyLater()
  const { givenId, waId } = (await became(id, 'sent')) ?? {}
  expect(waId).toBe(givenId)
  expect(received(chat)).toEqual([
    ['certo', true, 1],
    ['certo', false, 1],
  ])
})

test('a send that did not leave is sent again under its id, though the phone wrote the same', async () => {
  const chat = await newChat()
  const id = await send(chat, 'certo', { ...lost, delivered: false, stored: false })
  const before = await became(id, 'unknown')
  t.simulator.control.sendAsOwner(chat.phoneId, { kind: 'text', text: 'certo' })
  await verifyLater()
  const after = await became(id, 'sent')
  expect(after).toMatchObject({ givenId: before?.givenId, waId: before?.givenId })
  expect(received(chat)).toEqual([
    ['certo', false, 1],
    ['certo', true, 1],
  ])
  const shown = await ana.get<Message[]>(`/api/conversations/${chat.id}/messages`)
  expect(shown.filter(({ content }) => content === 'certo')).toHaveLength(2)
})

test('a send is confirmed by the echo of its id alone', async () => {
  const chat = await newChat()
  const id = await send(chat, 'eco', { ...lost, delivered: true, stored: true, echo: 'early' })
  const { givenId, waId } = (await became(id, 'sent')) ?? {}
  expect(waId).toBe(givenId)
  expect(received(chat)).toEqual([['eco', true, 1]])
})

test('a voice message is given no id, since the gateway would give it another', async () => {
  const chat = await newChat()
  t.simulator.control.nextSendAnswers([{ ...lost, delivered: true, stored: true }])
  const voice = Buffer.concat([
    Buffer.from('OggS\0\x02', 'latin1'),
    Buffer.alloc(22),
    Buffer.from('\x13OpusHead\x01'),
  ])
  const form = formOf({ conversationId: String(chat.id), isVoice: 'true' }, 'voz.ogg', voice)
  const { status, body } = await ana.request<{ message: Message }>('POST', '/api/media/upload', form)
  expect(status).toBe(201)
  const { id } = body.message
  expect((await became(id, 'unknown'))?.givenId).toBeNull()
  await verifyLater()
  await became(id, 'sent')
  expect(received(chat)).toHaveLength(1)
})

test('a gateway that was set back, which we have not seen, is asked for what was said', async () => {
  const chat = await newChat()
  t.simulator.control.setVersion('2.3.7')
  const id = await send(chat, 'de volta à 2.3.7', { ...lost, delivered: true, stored: true })
  await became(id, 'unknown')
  await verifyLater()
  const { givenId, waId } = (await became(id, 'sent')) ?? {}
  expect(givenId).not.toBeNull()
  expect(waId).not.toBe(givenId)
  expect(received(chat)).toEqual([['de volta à 2.3.7', true, 1]])
})

test('a gateway that was set back meanwhile, as we have seen since, is asked for what was said', async () => {
  const chat = await newChat()
  t.simulator.control.setVersion('2.3.7')
  const id = await send(chat, 'entre duas versões', { ...lost, delivered: true, stored: true })
  expect((await became(id, 'unknown'))?.givenId).not.toBeNull()
  await gatewayIs('2.3.7')
  await gatewayIs('2.4')
  await verifyLater()
  await became(id, 'sent')
  expect(received(chat)).toEqual([['entre duas versões', true, 1]])
})

test('a gateway that answers with another id than the given one keeps none', async () => {
  const chat = await newChat()
  const other = { key: { remoteJid: '5511@s.whatsapp.net', fromMe: true, id: '3EB0FFFFFFFFFFFFFFFFFF' } }
  await became(await send(chat, 'outro', { body: other }), 'sent')
  const keepsIds = async () =>
    (await t.sql<{ keepsIds: boolean }>`select keeps_ids as "keepsIds" from evolution_api_config`)[0]
  await eventually(keepsIds, { keepsIds: false })
  t.database.signals.send('connections')
  await sleep(1500)
  expect(await keepsIds()).toEqual({ keepsIds: false })
  await gatewayIs('2.3.7')
})

test('a send that somebody tries again has its id still, unless WhatsApp had refused it', async () => {
  const chat = await newChat()
  const id = await send(chat, 'de novo', { ...lost, delivered: false, stored: false })
  const first = await became(id, 'unknown')
  await t.sql`update outbox set state = 'failed', lease_until = null where message_id = ${id}`
  await t.sql`update messages set delivery_status = 'failed' where id = ${id}`
  const retry = () => ana.request('POST', `/api/conversations/${chat.id}/messages/${id}/retry`)
  expect((await retry()).status).toBeLessThan(300)
  expect(await became(id, 'sent')).toMatchObject({ waId: first?.givenId })
  await t.settled()
  await t.sql`update messages set delivery_status = 'failed' where id = ${id}`
  expect((await retry()).status).toBeLessThan(300)
  const second = await eventually(
    () => sentOf(id),
    (sent) => sent?.state === 'sent' && sent.waId !== null,
  )
  expect(second?.waId).not.toBe(first?.givenId)
})
