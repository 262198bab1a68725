import { setTimeout } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import type { SendAnswer } from '#simulator/control-api.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import { createLog } from '#server/platform/log.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, every, filled, forAllTests, not, testApp } from '#server/testing/test-app.ts'
import { spread, testAtNight } from '#server/testing/nightly.ts'
import { startOutboxWorker } from './outbox.ts'
import { claimMessage } from './outbox-claim.ts'
import { endLeases, resolveUnconfirmed } from './outbox-unconfirmed.ts'
import { usualTimes } from './outbox-times.ts'

/** Longer than the send timeout, which a busy machine does not exceed by itself. */
const hangMs = 2100
const sendTimeoutMs = 1500
const gaveUp = 'Não foi possível confirmar o envio; confira no celular'
const log = createLog('silent')

const t = forAllTests(() => testApp({}, { gatewayTimes: { sendMs: sendTimeoutMs } }))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
afterEach(async () => {
  vi.restoreAllMocks()
  t.simulator.control.clearSendAnswers()
  t.simulator.control.setFaults({ dropWebhook: { on: false } })
  await reachable()
})

const gateway = (change: SQL) => t.sql`update evolution_api_config set ${change}`
/** The gateway is where it was, and nothing is held against it. */
async function reachable() {
  await gateway(sql`base_url = ${t.simulator.url}, failures = 0, breaker_until = null, status = 'open'`)
  for (const channel of ['connections', 'outbox'] as const) t.database.signals.send(channel)
}
const answerNext = (...answers: SendAnswer[]) => t.simulator.control.nextSendAnswers(answers)

interface Chat {
  id: number
  phoneId: string
  name: string
}

/** A new conversation in which the client waits for an answer. */
async function newChat(): Promise<Chat> {
  const { conversation, phoneId } = await newTalk(t, ana)
  return { id: conversation.id, phoneId, name: conversation.contact.name }
}

const openOf = async (name: string) =>
  (await ana.get<Conversation[]>('/api/conversations')).find((row) => row.contact.name === name)
const messagesOf = (chat: Chat) => ana.get<Message[]>(`/api/conversations/${chat.id}/messages`)
const ours = async (chat: Chat) =>
  (await messagesOf(chat)).filter((one) => one.senderType === 'user' && isCountedMessage(one.messageType))
const send = async (chat: Chat, content: string, who = ana) => {
  const answer = await who.request<Message>('POST', `/api/conversations/${chat.id}/messages`, { content })
  expect(answer.status).toBe(201)
  return answer.body
}
/** The texts on the client's phone, in order. */
const received = (chat: Chat) =>
  t.simulator.control
    .oracle()
    .received.filter((entry) => entry.phone === chat.phoneId)
    .map((entry) => entry.text)

const outboxOf = async (messageId: number) =>
  (
    await t.sql<{ state: string; tries: number; lastError: string | null }>`
      select state, tries, last_error as "lastError" from outbox where message_id = ${messageId}`
  )[0]

const became = (chat: Chat, messageId: number, ...statuses: (string | null)[]) =>
  eventually(
    async () => (await messagesOf(chat)).find((message) => message.id === messageId),
    (message) => message !== undefined && statuses.includes(message.deliveryStatus),
  )

/** Verifies all unconfirmed sends now, as the worker does every few seconds. */
async function verify(): Promise<void> {
  await t.sql`update outbox set lease_until = null where state = 'unknown'`
  await resolveUnconfirmed(t.database, t.app.gateway, log)
}

/** Makes the unconfirmed sends older. */
const age = (interval: string) =>
  t.sql`update outbox set unknown_since = unknown_since - ${interval}::interval where state = 'unknown'`

const verifyAfter = async (interval: string) => {
  await age(interval)
  await verify()
}

/** Sends a message in a new conversation that the gateway answers so that nobody knows what became of it. */
async function unconfirmed(content: string, answer: SendAnswer = { delivered: false }) {
  const chat = await newChat()
  answerNext({ status: 500, ...answer })
  const { id } = await send(chat, content)
  await became(chat, id, 'unknown')
  return { chat, id }
}

/** Lets an unconfirmed message fail for want of any proof; the gateway stays out of reach. */
async function isGivenUp(chat: Chat, id: number): Promise<void> {
  await gateway(sql`base_url = 'http://127.0.0.1:1'`)
  await verifyAfter('11 minutes')
  await became(chat, id, 'failed')
}

/** Reports the first message on the client's phone, as the gateway does. @returns its id */
async function echo(chat: Chat, conversation: string) {
  const [copy] = t.simulator.control.oracle().received.filter((entry) => entry.phone === chat.phoneId)
  const key = { remoteJid: `${copy?.phoneNumber}@s.whatsapp.net`, fromMe: true, id: copy?.waId }
  const messageTimestamp = Math.floor(Date.now() / 1000)
  const data = { key, message: { conversation }, messageTimestamp }
  await t.simulator.control.inject({ event: 'send.message', data })
  return copy?.waId
}

const allDelivered = (chat: Chat) =>
  eventually(() => ours(chat), every({ deliveryStatus: 'delivered' }), 40_000)

test('the number is locked after the row of the outbox by an answer, as it is by a claim', async () => {
  const chat = await newChat()
  const held = Promise.withResolvers<void>()
  vi.spyOn(t.app.gateway, 'sendText').mockImplementationOnce(async () => {
    await held.promise
    return { kind: 'unknown', detail: '500', isRecorded: true }
  })
  await inTransaction(t.database, async (claim) => {
    const { id } = await send(chat, 'ao mesmo tempo')
    // As a claim of the row would, from before the answer is recorded.
    await eventually(() => outboxOf(id), { state: 'sending' })
    await claim.execute(sql`select from outbox where message_id = ${id} for update`)
    held.resolve()
    await eventually(
      () =>
        t.sql`select from pg_stat_activity where wait_event_type = 'Lock'
                                    and datname = current_database()`,
      filled,
    )
    await claim.execute(sql`set local lock_timeout = '500ms'`)
    await claim.execute(sql`update evolution_api_config set failures = failures`)
  })
})

const ambiguous: [string, SendAnswer][] = [
  ['a time-out', { hangMs }],
  ['a 500', { status: 500 }],
  ['a 502', { status: 502, body: '<html>Bad Gateway</html>' }],
  ['a 504', { status: 504, body: '' }],
  ['a 400 that is no refusal', { status: 400, body: { response: { message: ['Error: Timed Out'] } } }],
  ['a 404 of a proxy', { status: 404, body: '404 page not found' }],
  ['a 201 without an id', { status: 201, body: { status: 'PENDING' } }],
  ['a 408', { status: 408, body: '<html>408 Request Time-out</html>' }],
  ['a 503', { status: 503, body: '' }],
  ['a page with 200', { status: 200, body: '<html>Login</html>' }],
  ['a connection that is cut before the answer', { cut: 'before' }],
  ['a connection that is cut within the answer', { cut: 'within' }],
]

test.each(spread(ambiguous, 3))('%s, delivered and echoed: sent once, by the echo', async (_name, answer) => {
  const chat = await newChat()
  answerNext({ ...answer, delivered: true, echo: 'early', stored: true })
  const { id } = await send(chat, 'uma vez')
  await became(chat, id, 'delivered')
  await verifyAfter('61 seconds')
  expect(await ours(chat)).toMatchObject([{ id, content: 'uma vez', failureReason: null }])
  expect(received(chat)).toEqual(['uma vez'])
})

test.each(spread(ambiguous, 3))(
  '%s, delivered and never echoed: sent once, by the record',
  async (_name, answer) => {
    const chat = await newChat()
    answerNext({ ...answer, delivered: true, echo: 'never', stored: true })
    const { id } = await send(chat, 'sem eco')
    await became(chat, id, 'unknown', 'sent', 'delivered')
    await verifyAfter('61 seconds')
    await became(chat, id, 'delivered')
    expect(await ours(chat)).toMatchObject([{ id, content: 'sem eco' }])
    expect(received(chat)).toEqual(['sem eco'])
  },
)

test('the record is not asked again and again for what it is not expected to have', async () => {
  const asked = vi.spyOn(t.app.gateway, 'findSent')
  const chat = await newChat()
  const refused = { status: 400, body: { response: { message: ['Error: Timed Out'] } } }
  answerNext({ ...refused, delivered: false, echo: 'never', stored: false })
  const { id } = await send(chat, 'sem registro')
  await became(chat, id, 'unknown')
  for (let n = 0; n < 3; n++) await verify()
  expect(asked).not.toHaveBeenCalled()
  await verifyAfter('61 seconds')
  // The worker of the app may have been the one that asked.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(1)
  await became(chat, id, 'failed')
})

test.each(
  spread(
    ambiguous.filter(([name]) => !name.startsWith('a 400')),
    3,
  ),
)('%s, not delivered: sent once, when the record has not had it for a minute', async (_name, answer) => {
  const { chat, id } = await unconfirmed('de novo', {
    ...answer,
    delivered: false,
    echo: 'never',
    stored: false,
  })
  await verifyAfter('50 seconds')
  // Too early to be sure that it is absent.
  expect(await outboxOf(id)).toMatchObject({ state: 'unknown', tries: 1 })
  expect(received(chat)).toEqual([])
  await verifyAfter('11 seconds')
  await became(chat, id, 'delivered')
  expect(await outboxOf(id)).toMatchObject({ state: 'sent', tries: 2 })
  expect(await ours(chat)).toHaveLength(1)
  expect(received(chat)).toEqual(['de novo'])
})

test('a 400 is not on record, so absence proves nothing: it fails, and the next message goes', async () => {
  const chat = await newChat()
  const body = { response: { message: ['Error: Timed Out'] } }
  answerNext({ status: 400, body, delivered: true, echo: 'never', stored: false })
  const { id } = await send(chat, 'chegou, dizem')
  const next = await send(chat, 'a seguinte')
  await became(chat, id, 'unknown')
  await verifyAfter('61 seconds')
  expect(await became(chat, id, 'failed')).toMatchObject({ failureReason: gaveUp })
  await became(chat, next.id, 'delivered')
  expect(received(chat)).toEqual(['chegou, dizem', 'a seguinte'])
})

test('what WhatsApp refused stays refused when the answer never comes', async () => {
  const chat = await newChat()
  answerNext({ hangMs, delivered: false, echo: 'early', stored: true, acks: 'error' })
  const { id } = await send(chat, 'recusada depois')
  await became(chat, id, 'failed')
  await eventually(() => t.sql`select failures from evolution_api_config where id = ${t.instanceId}`, {
    0: { failures: 1 },
  })
  expect(await ours(chat)).toMatchObject([{ id, deliveryStatus: 'failed' }])
})

test('webhooks of the last minute are processed before anything is sent again', async () => {
  const { chat, id } = await unconfirmed('espera a entrada')
  await t.sql`insert into webhook_inbox
          (instance_id, instance_name, event, dedupe_key, lane, payload, received_at, not_before)
        values (${t.instanceId}, 'loja1', 'send.message', 'waits', 'waits', '{}',
                now() - interval '30 seconds', now() + interval '1 hour')`
  await verifyAfter('61 seconds')
  expect(await outboxOf(id)).toMatchObject({ state: 'unknown', tries: 1 })
  await t.sql`delete from webhook_inbox where dedupe_key = 'waits'`
  await verify()
  await became(chat, id, 'delivered')
  expect(received(chat)).toEqual(['espera a entrada'])
})

test('a gateway whose clock is forty minutes behind ours is believed too', async () => {
  const { chat, id } = await unconfirmed('relógios', { delivered: true, echo: 'never', stored: true })
  await t.sql`update outbox set first_attempt_at = first_attempt_at + interval '40 minutes'
         where message_id = ${id}`
  await verifyAfter('61 seconds')
  await became(chat, id, 'delivered')
  expect(received(chat)).toEqual(['relógios'])
})

test('an echo that comes once the send is unconfirmed resolves it', async () => {
  const chat = await newChat()
  t.simulator.control.setFaults({ dropWebhook: { on: true, oneIn: 1, events: ['send.message'] } })
  // Not in the record, which would resolve it before it is seen.
  answerNext({ status: 500, delivered: true, stored: false, echo: 'late' })
  const { id } = await send(chat, 'eco tardio')
  await became(chat, id, 'unknown')
  t.simulator.control.setFaults({ dropWebhook: { on: false } })
  const waId = await echo(chat, 'eco tardio')
  await became(chat, id, 'sent', 'delivered')
  expect(await ours(chat)).toMatchObject([{ id, whatsappMessageId: waId }])
})

test('while the gateway is closed nothing is sent again, however long the record lacks it', async () => {
  const { chat, id } = await unconfirmed('espera')
  t.simulator.control.setFaults({ disconnect: { on: true, state: 'close' } })
  await verifyAfter('61 seconds')
  expect(await outboxOf(id)).toMatchObject({ state: 'unknown', tries: 1 })
  t.simulator.control.setFaults({ disconnect: { on: false } })
  await verify()
  await became(chat, id, 'delivered')
  expect(received(chat)).toEqual(['espera'])
})

test('after four tries it has failed, visibly, and the next message of the conversation goes', async () => {
  const chat = await newChat()
  answerNext(...Array.from({ length: 4 }, () => ({ status: 500, delivered: false })))
  const { id } = await send(chat, 'nunca')
  const next = await send(chat, 'a seguinte')
  for (let n = 1; n <= 4; n++) {
    await eventually(() => outboxOf(id), { state: 'unknown', tries: n })
    expect((await outboxOf(next.id))?.state).toBe('pending')
    await gateway(sql`failures = 0, breaker_until = null`)
    await verifyAfter('61 seconds')
  }
  expect(await became(chat, id, 'failed')).toMatchObject({ failureReason: gaveUp })
  await became(chat, next.id, 'delivered')
  expect(received(chat)).toEqual(['a seguinte'])
})

test('after ten minutes without any proof it has failed, also when the record cannot be read', async () => {
  const { chat, id } = await unconfirmed('sem prova')
  await gateway(sql`base_url = 'http://127.0.0.1:1'`)
  await verifyAfter('9 minutes')
  expect((await outboxOf(id))?.state).toBe('unknown')
  await verifyAfter('2 minutes')
  expect(await became(chat, id, 'failed')).toMatchObject({ failureReason: gaveUp })
})

test('one that was given up and turns out to have arrived is shown as sent', async () => {
  const { chat, id } = await unconfirmed('chegou sim', {
    delivered: true,
    echo: 'never',
    stored: false,
    acks: 'none',
  })
  await isGivenUp(chat, id)
  await reachable()
  await echo(chat, 'chegou sim')
  expect(await became(chat, id, 'sent')).toMatchObject({ failureReason: null })
  expect(await ours(chat)).toHaveLength(1)
})

test('a failed message is tried again at the word of a person, and arrives once', async () => {
  const { chat, id } = await unconfirmed('mais uma vez')
  await isGivenUp(chat, id)
  await reachable()
  const path = `/api/conversations/${chat.id}/messages/${id}/retry`
  const answers = await Promise.all([ana.request('POST', path), ana.request('POST', path)])
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await became(chat, id, 'delivered')
  expect(received(chat)).toEqual(['mais uma vez'])
})

test.each<[string, SendAnswer, string]>([
  ['401', { status: 401 }, 'aguardando: o gateway recusou a chave de acesso'],
  ['403', { status: 403 }, 'aguardando: o gateway recusou a chave de acesso'],
  [
    '404, without the instance',
    { status: 404, body: { response: { message: ['The "loja1" instance does not exist'] } } },
    'aguardando: a Evolution API não tem a instância do número',
  ],
  ['429', { status: 429, body: { error: 'Too Many Requests' } }, 'aguardando: o gateway pediu uma pausa'],
  [
    '503, without a license',
    { status: 503, body: { error: 'service not activated', code: 'LICENSE_REQUIRED' } },
    'aguardando: a Evolution API precisa de uma licença',
  ],
])(
  'a message that is answered with %s waits, says why, and goes before the next',
  async (_what, answer, why) => {
    const chat = await newChat()
    answerNext({ ...answer, delivered: false })
    const { id } = await send(chat, 'primeira')
    const next = await send(chat, 'segunda')
    await eventually(async () => (await ours(chat)).find((one) => one.id === id), {
      deliveryStatus: 'pending',
      failureReason: why,
    })
    expect(await outboxOf(id)).toMatchObject({ state: 'pending', tries: 0 })
    expect(await outboxOf(next.id)).toMatchObject({ state: 'pending', tries: 0 })
    await t.sql`update outbox set not_before = now() where message_id = ${id}`
    await reachable()
    await became(chat, next.id, 'delivered')
    expect(received(chat)).toEqual(['primeira', 'segunda'])
    expect(await ours(chat)).toMatchObject([{ failureReason: null }, { failureReason: null }])
  },
)

test('a gateway that asks for a pause is left alone by all conversations of its number', async () => {
  const [one, other] = [await newChat(), await newChat()]
  answerNext({ status: 429, delivered: false })
  const asked = vi.spyOn(t.app.gateway, 'sendText')
  const first = await send(one, 'cedo demais')
  await eventually(() => outboxOf(first.id), { lastError: (error) => error?.startsWith('429') === true })
  const second = await send(other, 'depois')
  await t.sql`update outbox set not_before = now() where state = 'pending'`
  t.database.signals.send('outbox')
  await setTimeout(500)
  expect(asked).toHaveBeenCalledTimes(1)
  await reachable()
  for (const [chat, id] of [
    [one, first.id],
    [other, second.id],
  ] as const)
    await became(chat, id, 'delivered')
})

test('413 fails at once with its reason, and the next message goes', async () => {
  const failureReason = 'Texto grande demais para o gateway'
  const chat = await newChat()
  answerNext({ status: 413, delivered: false })
  const { id } = await send(chat, 'recusada')
  const next = await send(chat, 'seguinte')
  expect(await became(chat, id, 'failed')).toMatchObject({ failureReason })
  await became(chat, next.id, 'delivered')
  expect(await outboxOf(id)).toMatchObject({ state: 'failed', tries: 1 })
  expect(received(chat)).toEqual(['seguinte'])
})

test('what was refused and comes back as an echo has been sent, and is one message', async () => {
  const chat = await newChat()
  answerNext({ status: 413, delivered: true, echo: 'late', stored: true })
  const { id } = await send(chat, 'foi mesmo assim')
  await became(chat, id, 'delivered')
  expect(await ours(chat)).toMatchObject([{ id, failureReason: null }])
})

test('a connection that is refused is tried again until there is one, and costs no try', async () => {
  const chat = await newChat()
  await gateway(sql`base_url = 'http://127.0.0.1:1'`)
  const { id } = await send(chat, 'quando der')
  for (let n = 0; n < 6; n++) {
    await eventually(() => outboxOf(id), { lastError: 'ECONNREFUSED', state: 'pending', tries: 0 })
    expect(await ours(chat)).toMatchObject([{ failureReason: 'aguardando: o gateway não responde' }])
    await t.sql`update outbox set not_before = now(), last_error = null where message_id = ${id}`
    // As somebody finds who looks before it is away again.
    await gateway(sql`failures = 0, breaker_until = null, status = 'open'`)
    t.database.signals.send('outbox')
  }
  await reachable()
  await t.sql`update outbox set not_before = now() where message_id = ${id}`
  await became(chat, id, 'delivered')
  expect(received(chat)).toEqual(['quando der'])
})

test('an address that is not allowed is never called', async () => {
  const chat = await newChat()
  await gateway(sql`base_url = 'http://169.254.169.254'`)
  const { id } = await send(chat, 'endereço proibido')
  await eventually(() => outboxOf(id), { lastError: 'gateway.address_refused', state: 'pending' })
  await reachable()
  await t.sql`update outbox set not_before = now() where message_id = ${id}`
  await became(chat, id, 'delivered')
})

test('what was written on the phone before is not taken for the proof', async () => {
  const chat = await newChat()
  t.simulator.control.sendAsOwner(chat.phoneId, { kind: 'text', text: 'pode ser' })
  await eventually(() => ours(chat), { length: 1 })
  answerNext({ status: 500, delivered: false })
  const { id } = await send(chat, 'pode ser')
  await became(chat, id, 'unknown')
  await verify()
  expect((await outboxOf(id))?.state).toBe('unknown')
  await verifyAfter('61 seconds')
  await became(chat, id, 'delivered')
  expect(await ours(chat)).toHaveLength(2)
  expect(received(chat)).toEqual(['pode ser', 'pode ser'])
})

test('the echo of a message belongs to the one under way, not to an older one given up', async () => {
  const chat = await newChat()
  answerNext({ status: 500, delivered: false })
  const first = await send(chat, 'ok')
  await became(chat, first.id, 'unknown')
  await isGivenUp(chat, first.id)
  await reachable()
  answerNext({ echo: 'early', hangMs: 100 })
  const second = await send(chat, 'ok')
  await became(chat, second.id, 'delivered')
  expect(await ours(chat)).toMatchObject([
    { id: first.id, deliveryStatus: 'failed' },
    { id: second.id, deliveryStatus: 'delivered' },
  ])
  expect((await outboxOf(second.id))?.state).toBe('sent')
  expect(received(chat)).toEqual(['ok'])
})

test('an unconfirmed automatic text does not take the place of the same one sent before', async () => {
  const chat = await newChat()
  const finalize = (id: number) => ana.request('POST', `/api/conversations/${id}/finalize`, {})
  expect((await finalize(chat.id)).status).toBe(200)
  const goodbye = () =>
    t.sql<{ id: number; status: string; waId: string | null }>`
      select m.id, delivery_status as status, whatsapp_message_id as "waId" from messages m
            join conversations c on c.id = m.conversation_id
            join contacts k on k.id = c.contact_id
           where k.name = ${chat.name} and m.delivery_status is not null order by m.id`
  await eventually(goodbye, ([one]) => one?.status === 'delivered')
  const [sent] = await goodbye()
  t.simulator.control.sendText(chat.phoneId, 'mais uma coisa')
  const again = await eventually(() => openOf(chat.name), not(undefined))
  answerNext({ status: 500, delivered: false })
  expect((await finalize(again?.id ?? 0)).status).toBe(200)
  await eventually(goodbye, (all) => all[1]?.status === 'unknown')
  await verify()
  expect(await goodbye()).toMatchObject([sent, { status: 'unknown', waId: null }])
  await verifyAfter('61 seconds')
  await eventually(goodbye, (all) => all[1]?.status === 'delivered')
  expect(received(chat)).toHaveLength(2)
})

test('the order is kept over answers that say nothing, and every message arrives once', async () => {
  const chat = await newChat()
  answerNext(
    { status: 500, delivered: true, echo: 'never', stored: true },
    {},
    { hangMs, delivered: false, stored: false },
    { status: 400, delivered: true, echo: 'early' },
    { status: 502, delivered: false },
  )
  const texts = Array.from({ length: 6 }, (_, n) => `mensagem ${n + 1}`)
  for (const text of texts) await send(chat, text)
  await eventually(
    async () => {
      await age('61 seconds')
      await gateway(sql`failures = 0, breaker_until = null`)
      await verify()
      return ours(chat)
    },
    every({ deliveryStatus: 'delivered' }),
    15_000,
  )
  expect(received(chat)).toEqual(texts)
  expect((await ours(chat)).map((message) => message.content)).toEqual(texts)
})

test('the order of what two operators write at once is the same for everybody', async () => {
  const chat = await newChat()
  const bruno = await t.signIn('operator')
  await Promise.all(Array.from({ length: 24 }, (_, n) => send(chat, `texto ${n}`, n % 2 === 0 ? ana : bruno)))
  const all = await allDelivered(chat)
  expect(all).toHaveLength(24)
  expect(received(chat)).toEqual(all.map((message) => message.content))
})

test('with two instances, one message of a conversation is under way, and others do not wait', async () => {
  const second = await t.startAnother({
    config: { ...t.config, secretKey: undefined },
    gatewayTimes: { sendMs: 5000 },
  })
  const underWay = new Map<string, number>()
  let most = 0
  let mostTogether = 0
  for (const { gateway: one } of [t.app, second]) {
    const original = one.sendText
    vi.spyOn(one, 'sendText').mockImplementation(async (db, instanceId, message) => {
      const now = (underWay.get(message.to) ?? 0) + 1
      underWay.set(message.to, now)
      most = Math.max(most, now)
      mostTogether = Math.max(
        mostTogether,
        [...underWay.values()].reduce((a, b) => a + b),
      )
      try {
        return await original(db, instanceId, message)
      } finally {
        underWay.set(message.to, (underWay.get(message.to) ?? 1) - 1)
      }
    })
  }
  const chats = [await newChat(), await newChat(), await newChat()]
  answerNext(...Array.from({ length: 30 }, () => ({ hangMs: 30, echo: 'never' as const })))
  await Promise.all(
    chats.flatMap((chat) => Array.from({ length: 10 }, (_, n) => send(chat, `${chat.name} ${n}`))),
  )
  for (const chat of chats) {
    const all = await allDelivered(chat)
    expect(received(chat)).toEqual(all.map((message) => message.content))
  }
  await second.stop()
  expect(most).toBe(1)
  expect(mostTogether).toBeGreaterThan(1)
})

/** Leaves the row as a process does that is killed during the send. */
async function killedOver(chat: Chat, content: string): Promise<number> {
  await t.sql`update installation set sends_paused_until = now() + interval '1 hour'`
  const { id } = await send(chat, content)
  await t.sql`update outbox set state = 'sending', tries = 1, first_attempt_at = app_now(),
               lease_until = now() + interval '1 hour' where message_id = ${id}`
  await t.sql`update messages set delivery_status = 'sending' where id = ${id}`
  await t.sql`update installation set sends_paused_until = null`
  return id
}
const leaseEnds = () =>
  t.sql`update outbox set lease_until = now() - interval '1 second' where state = 'sending'`

test('what a worker had sent when it died is resolved by the record, with no resend', async () => {
  const chat = await newChat()
  const id = await killedOver(chat, 'já foi')
  answerNext({ echo: 'never' })
  const phone = t.simulator.control.phones().find(({ id: phoneId }) => phoneId === chat.phoneId)
  const jid = `${phone?.number}@s.whatsapp.net`
  await t.app.gateway.sendText(t.database, t.instanceId, { to: jid, text: 'já foi', quoted: undefined })
  await verify()
  // The lease has not ended.
  expect((await outboxOf(id))?.state).toBe('sending')
  await leaseEnds()
  await verify()
  await became(chat, id, 'sent', 'delivered')
  expect(received(chat)).toEqual(['já foi'])
})

test('a worker that died alone is followed by one that verifies before the lease ends', async () => {
  const chat = await newChat()
  const id = await killedOver(chat, 'estava sozinho')
  await verify()
  expect((await outboxOf(id))?.state).toBe('sending')
  await endLeases(t.database)
  await verify()
  expect((await outboxOf(id))?.state).toBe('unknown')
  await verifyAfter('61 seconds')
  await became(chat, id, 'delivered')
  expect(received(chat)).toEqual(['estava sozinho'])
})

test('a worker that starts looks at once, and tries a gateway that a dead one was probing', async () => {
  const chat = await newChat()
  const id = await killedOver(chat, 'começo')
  await gateway(sql`breaker_until = now() + interval '1 hour'`)
  await endLeases(t.database)
  const isProbed = sql`select breaker_until <= now() as "isOver"
                         from evolution_api_config where id = ${t.instanceId}`
  expect(await rows(t.database, isProbed)).toEqual([{ isOver: true }])
  // Only the first verification of the new worker can fall into this minute, and the running worker may
  // come first.
  const findSent = vi.fn(t.app.gateway.findSent)
  for (let n = 0; n < 3 && findSent.mock.calls.length === 0; n++) {
    await t.sql`update outbox set lease_until = now() where state in ('sending', 'unknown')`
    const times = { ...usualTimes, verifyMs: 60_000 }
    const second = startOutboxWorker(
      { database: t.openAgain(), gateway: { ...t.app.gateway, findSent }, files: t.app.files, log },
      times,
    )
    await eventually(() => outboxOf(id), { state: 'unknown' })
    await second.stop()
  }
  expect(findSent).toHaveBeenCalled()
  await gateway(sql`breaker_until = null`)
  await verifyAfter('61 seconds')
  await became(chat, id, 'delivered')
})

test('what a dead instance was sending is looked after within twenty seconds', async () => {
  const chat = await newChat()
  await t.sql`update installation set sends_paused_until = now() + interval '1 hour'`
  const { id } = await send(chat, 'herança')
  await inTransaction(t.database, async (db) => {
    await db.execute(sql`update installation set sends_paused_until = null`)
    await claimMessage(db, usualTimes.leaseMs)
  })
  await eventually(() => outboxOf(id), { state: 'unknown' }, 20_000)
  await verifyAfter('61 seconds')
  await became(chat, id, 'delivered')
  expect(received(chat)).toEqual(['herança'])
})

testAtNight('what an instance that stands still is claiming is soon sent by another one', async () => {
  const chat = await newChat()
  await t.sql`update installation set sends_paused_until = now() + interval '1 hour'`
  const { id } = await send(chat, 'parada')
  const isLocked = Promise.withResolvers<void>()
  const frozen = inTransaction(t.openAgain(), async (db) => {
    await db.execute(sql`update installation set sends_paused_until = null`)
    expect(await claimMessage(db, usualTimes.leaseMs)).toMatchObject({ messageId: id })
    isLocked.resolve()
    // As a process that is stopped, or a machine that is gone, keeps its transaction open.
    await setTimeout(20_000)
    await db.execute(sql`select`)
  }).catch((error: unknown) => error)
  await isLocked.promise
  // Its locks are let go of without what it has done.
  expect(await frozen).toBeInstanceOf(Error)
  await t.sql`update installation set sends_paused_until = null`
  t.database.signals.send('outbox')
  await became(chat, id, 'sent', 'delivered')
  expect(received(chat)).toEqual(['parada'])
})

test('a send that takes longer than its lease stays that of the instance which is at it', async () => {
  const chat = await newChat()
  const held = Promise.withResolvers<void>()
  await t.sql`update installation set sends_paused_until = now() + interval '1 hour'`
  const { id } = await send(chat, 'devagar')
  const sendText = vi.spyOn(t.app.gateway, 'sendText').mockImplementationOnce(async () => {
    await held.promise
    return { kind: 'not_sent', detail: 'closed', hindrance: 'busy' }
  })
  const leaseMs = 600
  const slow = startOutboxWorker(
    { database: t.openAgain(), gateway: t.app.gateway, files: t.app.files, log },
    { ...usualTimes, leaseMs },
  )
  // The worker of the app claims nothing meanwhile.
  await t.sql`create function is_short() returns trigger language plpgsql as
    $$ begin
         if new.state = 'sending' and new.lease_until > now() + interval '5 seconds' then return null; end if;
         return new;
       end $$`
  await t.sql`create trigger is_short before update on outbox for each row execute function is_short()`
  await t.sql`update installation set sends_paused_until = null`
  t.database.signals.send('outbox')
  await eventually(() => outboxOf(id), { state: 'sending' })
  for (const endMs = performance.now() + 3 * leaseMs; performance.now() < endMs;) {
    await resolveUnconfirmed(t.database, t.app.gateway, log)
    expect((await outboxOf(id))?.state).toBe('sending')
    await setTimeout(50)
  }
  expect(sendText).toHaveBeenCalledTimes(1)
  held.resolve()
  await eventually(() => outboxOf(id), { state: 'pending', tries: 0 })
  await t.sql`drop trigger is_short on outbox`
  await slow.stop()
  await eventually(() => outboxOf(id), { state: 'sent' })
  expect(received(chat)).toEqual(['devagar'])
})

test('an answer that nothing left counts also where the lease was over before it came', async () => {
  const chat = await newChat()
  const held = Promise.withResolvers<void>()
  vi.spyOn(t.app.gateway, 'sendText').mockImplementationOnce(async () => {
    await held.promise
    return { kind: 'not_sent', detail: 'closed', hindrance: 'busy' }
  })
  const { id } = await send(chat, 'não saiu')
  await eventually(() => outboxOf(id), { state: 'sending' })
  // As after the database was away for longer than a lease.
  await eventually(
    async () => {
      await leaseEnds()
      await verify()
      return outboxOf(id)
    },
    { state: 'unknown' },
  )
  held.resolve()
  await eventually(() => outboxOf(id), { state: 'pending', tries: 0 })
  await gateway(sql`breaker_until = null, failures = 0`)
  await became(chat, id, 'delivered')
  expect(received(chat)).toEqual(['não saiu'])
})

test('two that verify unconfirmed sends at the same time send nothing twice', async () => {
  const chats = await Promise.all(Array.from({ length: 5 }, () => newChat()))
  const ids = []
  for (const chat of chats) ids.push(await killedOver(chat, 'em dúvida'))
  await leaseEnds()
  await verify()
  await age('61 seconds')
  await t.sql`update outbox set lease_until = null where state = 'unknown'`
  await Promise.all(Array.from({ length: 4 }, () => resolveUnconfirmed(t.database, t.app.gateway, log)))
  for (const [index, chat] of chats.entries()) {
    await became(chat, ids[index] ?? 0, 'delivered')
    expect(received(chat)).toEqual(['em dúvida'])
  }
})

test('the breaker opens after five failures: nobody calls before a probe, then all goes', async () => {
  const chats = await Promise.all(Array.from({ length: 6 }, () => newChat()))
  const [last, ...failing] = chats.toReversed()
  if (!last) throw new Error('no chat')
  answerNext(...failing.map(() => ({ status: 500, delivered: false })))
  const calls = vi.spyOn(t.app.gateway, 'sendText')
  for (const chat of failing) {
    const { id } = await send(chat, 'falha')
    await became(chat, id, 'unknown')
  }
  const state = async () =>
    (
      await t.sql<{ isOpen: boolean; seconds: number; failures: number }>`
        select breaker_until > now() as "isOpen", failures,
                   extract(epoch from breaker_until - now())::float8 as seconds
              from evolution_api_config where id = ${t.instanceId}`
    )[0]
  const open = await state()
  expect(open).toMatchObject({ isOpen: true, failures: 5 })
  expect(open?.seconds).toBeGreaterThan(5)
  expect(open?.seconds).toBeLessThanOrEqual(18)
  const { id } = await send(last, 'depois')
  t.database.signals.send('outbox')
  await eventually(() => t.sql`select 1 from outbox where message_id = ${id} and state = 'pending'`, {
    length: 1,
  })
  expect(calls).toHaveBeenCalledTimes(5)
  expect(await outboxOf(id)).toMatchObject({ state: 'pending', tries: 0 })
  await gateway(sql`breaker_until = now()`)
  t.database.signals.send('outbox')
  await became(last, id, 'delivered')
  const after = await eventually(state, { failures: 0 })
  expect(after).toMatchObject({ failures: 0, isOpen: null })
})
