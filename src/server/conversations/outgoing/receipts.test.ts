import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import {
  connectionClosed,
  type CountedGateway,
  startCountedGateway,
} from '#server/testing/servers/counted-gateway.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { above, eventually, forAllTests, not, testApp } from '#server/testing/test-app.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
afterEach(() => resetSettings(t.database))

/** A new conversation, assigned to Ana unless told otherwise. */
async function talk({ isTaken = true } = {}) {
  const { conversation, phoneId } = await newTalk(t, ana)
  const { id } = conversation
  if (isTaken)
    await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  return { phone: phoneId, id }
}
/** Waits for the contact's nth message, and returns the newest one. */
const lastOf = async (id: number, count = 1) => {
  const all = await eventually(
    () => ana.get<Message[]>(`/api/conversations/${id}/messages`),
    (rows) => rows.filter(({ senderType }) => senderType === 'contact').length >= count,
  )
  return all.at(-1)?.id ?? 0
}
const read = (id: number, lastMessageId: number, who = ana) =>
  who.request('PUT', `/api/conversations/${id}/read`, { lastMessageId })
/** The ticks of the client's messages. */
const ticks = (phone: string) =>
  t.simulator.control
    .chat(phone)
    .filter(({ from }) => from === 'phone')
    .map(({ ack }) => ack)
const turnsBlue = (phone: string, wanted: string[]) =>
  eventually(
    () => ticks(phone),
    (now) => JSON.stringify(now) === JSON.stringify(wanted),
  )
const receiptOf = async (id: number) =>
  (await t.database.query.conversations.findFirst({ where: eq(conversations.id, id) }))?.receiptMessageId
/** The number of receipts that the gateway has received. */
const countReceipts = () =>
  t.simulator.control.log().filter(({ detail }) => detail === 'mensagens lidas').length
/** Waits for the receipt of another conversation: receipts that were due earlier have been sent before it. */
async function flushReceipts() {
  const { phone, id } = await talk()
  await read(id, await lastOf(id))
  await turnsBlue(phone, ['read'])
}

test('the client sees blue ticks when the assigned operator reads', async () => {
  const { phone, id } = await talk()
  const last = await lastOf(id)
  const before = countReceipts()
  await Promise.all(Array.from({ length: 8 }, () => read(id, last)))
  await turnsBlue(phone, ['read'])
  t.simulator.control.sendText(phone, 'e agora?')
  const next = await lastOf(id, 2)
  await t.settled()
  expect(ticks(phone)).toEqual(['read', 'delivered'])
  await read(id, next)
  await turnsBlue(phone, ['read', 'read'])
  await read(id, next)
  await ana.request('DELETE', `/api/conversations/${id}/read`)
  await read(id, next)
  await flushReceipts()
  expect(countReceipts() - before).toBe(3)
})

test('the client sees no blue ticks when somebody else only looks', async () => {
  const { phone, id } = await talk()
  await read(id, await lastOf(id), bruno)
  await flushReceipts()
  expect(ticks(phone)).toEqual(['delivered'])
  await bruno.request('POST', `/api/conversations/${id}/messages`, { content: 'posso ajudar?' })
  await turnsBlue(phone, ['read'])
})

test('the client sees blue ticks once a queued conversation is answered or taken', async () => {
  const { phone, id } = await talk({ isTaken: false })
  const last = await lastOf(id)
  await read(id, last)
  await flushReceipts()
  expect(ticks(phone)).toEqual(['delivered'])
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  await read(id, last)
  await turnsBlue(phone, ['read'])
})

test('the client sees no blue ticks of what was read while receipts were off', async () => {
  await saveSettings(t.database, { readReceiptsEnabled: false })
  const { phone, id } = await talk()
  await read(id, await lastOf(id))
  await eventually(
    () => receiptOf(id),
    (taken) => typeof taken === 'number',
  )
  await resetSettings(t.database)
  await flushReceipts()
  t.simulator.control.sendText(phone, 'e agora?')
  await read(id, await lastOf(id, 2))
  await turnsBlue(phone, ['delivered', 'read'])
})

test('the ticks reach a number without its 9, of which only messages by a hidden number came', async () => {
  const { control } = t.simulator
  const identity = 'lid-2.3.6' as const
  const phone = control.createPhone({ name: 'Olga', number: '553188872001', identity })
  control.sendText(phone.id, 'oi')
  const conversation = await eventually(
    async () =>
      (await ana.get<Conversation[]>('/api/conversations')).find(({ contact }) => contact.name === 'Olga'),
    not(undefined),
  )
  const id = conversation?.id ?? 0
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  await read(id, await lastOf(id))
  await turnsBlue(phone.id, ['read'])
})

test('a gateway that refuses fails no answer, and is called again when it is back', async () => {
  const { phone, id } = await talk()
  const last = await lastOf(id)
  const { control } = t.simulator
  control.setFaults({ disconnect: { on: true, state: 'close' } })
  expect((await read(id, last)).status).toBe(200)
  await eventually(() => control.log().some(({ detail }) => detail.includes('Read messages fail')), true)
  // Whoever reads on meanwhile claims no later receipt without the earlier one.
  expect((await read(id, last)).status).toBe(200)
  control.setFaults({ disconnect: { on: false } })
  await turnsBlue(phone, ['read'])
  const asked = countReceipts()
  await flushReceipts()
  expect(countReceipts()).toBe(asked + 1)
})

describe('a gateway that says it is connected, and is not', () => {
  let gateway: CountedGateway
  let answersReceipts = true
  beforeAll(async () => {
    gateway = await startCountedGateway((endpoint) => {
      if (endpoint === '/webhook/find') return 'cut'
      if (endpoint === '/chat/markMessageAsRead' && !answersReceipts) return undefined
      const isState = endpoint === '/instance/connectionState'
      return isState ? { status: 200, body: { instance: { state: 'open' } } } : connectionClosed
    })
  })
  afterAll(() => gateway.close())
  afterEach(() => setAddress(t.simulator.url))

  test('a gateway that lies about its state is asked with pauses', async () => {
    const { phone, id } = await talk()
    const last = await lastOf(id)
    await setAddress(gateway.url)
    // A number that has connected again has its webhook compared, too.
    await t.sql`update evolution_api_config set last_connected_at = now()`
    expect((await read(id, last)).status).toBe(200)
    await eventually(() => gateway.count('/chat/markMessageAsRead'), above(0))
    await setTimeout(1500)
    expect(gateway.count('/chat/markMessageAsRead')).toBeLessThanOrEqual(2)
    expect(gateway.count('/webhook/find')).toBeLessThanOrEqual(2)
    expect(gateway.count('/instance/connectionState')).toBeLessThanOrEqual(4)
    await setAddress(t.simulator.url)
    await t.sql`update evolution_api_config set status = 'connecting'`
    t.database.signals.send('connections')
    await turnsBlue(phone, ['read'])
  })

  test('a receipt that a dying server was sending is sent by the next one', async () => {
    const { phone, id } = await talk()
    const last = await lastOf(id)
    const before = gateway.count('/chat/markMessageAsRead')
    answersReceipts = false
    await setAddress(gateway.url)
    await read(id, last)
    await eventually(() => gateway.count('/chat/markMessageAsRead'), above(before))
    t.simulator.control.sendText(phone, 'e agora?')
    const next = await lastOf(id, 2)
    // A call that is never answered is as good as a dead server, and this is what the next one does.
    await setAddress(t.simulator.url)
    t.database.signals.send('connected')
    await turnsBlue(phone, ['read', 'delivered'])
    await eventually(() => dueOf(id), null)
    await read(id, next)
    await turnsBlue(phone, ['read', 'read'])
  })
})

const dueOf = async (id: number) =>
  (await t.database.query.conversations.findFirst({ where: eq(conversations.id, id) }))?.receiptDueId
const setAddress = (url: string) => t.sql`update evolution_api_config set base_url = ${url}`
