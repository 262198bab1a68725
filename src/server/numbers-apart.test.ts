import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import type { Message } from '#shared/messages/messages.ts'
import { addNumber } from '#server/testing/add-number.ts'
import { above, eventually, forAllTests, including, testApp, withoutJobs } from '#server/testing/test-app.ts'

/** Much longer than anything of a healthy number takes. */
const hangMs = 60_000

const t = forAllTests(() =>
  testApp({}, { ...withoutJobs, gatewayTimes: { sendMs: hangMs, mediaMs: hangMs }, fetchWaitsMs: [60_000] }),
)
const ana = forAllTests(() => t.signIn('admin', 'ana'))
let b: number
let silent: Server
const held = new Set<Socket>()

beforeAll(async () => {
  b = await addNumber(t, 'loja2')
  // It takes calls, and never answers.
  silent = createServer((socket) => {
    held.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await setUrl(t.simulator.url)
  for (const socket of held) socket.destroy()
  held.clear()
})
afterAll(() => void silent.close())

const setUrl = (url: string) =>
  t.sql`update evolution_api_config set base_url = ${url}, failures = 0, breaker_until = null
         where id = ${t.instanceId}`
const hangFirst = () => setUrl(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)

let people = 0
/** New clients who write to a number, and their conversations. */
async function talks(count: number, instance: string): Promise<{ id: number; phoneId: string }[]> {
  const names = Array.from({ length: count }, () => `Cliente ${++people}`)
  const phones = names.map((name) => {
    const phone = t.simulator.control.createPhone({ name })
    t.simulator.control.send(phone.id, { kind: 'text', text: 'oi', instance })
    return { name, phoneId: phone.id }
  })
  const open = await eventually(
    () => ana.get<Conversation[]>('/api/conversations'),
    (found) => names.every((name) => found.some(({ contact }) => contact.name === name)),
  )
  return phones.map(({ name, phoneId }) => ({
    id: open.find(({ contact }) => contact.name === name)?.id ?? 0,
    phoneId,
  }))
}

/** Sends what a person writes. */
const reply = async (id: number, content: string) =>
  expect((await ana.request('POST', `/api/conversations/${id}/messages`, { content })).status).toBe(201)
const gotBy = (phoneId: string) =>
  t.simulator.control
    .oracle()
    .received.filter((entry) => entry.phone === phoneId)
    .map(({ text }) => text)

test('replies of one number leave while the gateway of another takes calls and never answers', async () => {
  const ofA = await talks(20, 'loja1')
  const [ofB] = await talks(1, 'loja2')
  await hangFirst()
  for (const { id } of ofA) await reply(id, 'da primeira')
  await eventually(() => t.sql`select from outbox where state = 'sending'`, { length: above(7) })
  for (const n of [1, 2, 3]) await reply(ofB?.id ?? 0, `da segunda ${n}`)
  await eventually(
    () => gotBy(ofB?.phoneId ?? ''),
    (texts) => texts.filter((text) => text.startsWith('da segunda')).length === 3,
  )
  expect(gotBy(ofB?.phoneId ?? '').filter((text) => text.startsWith('da'))).toEqual([
    'da segunda 1',
    'da segunda 2',
    'da segunda 3',
  ])
})

test('a number with hours of its own is closed while another is open, and asks on its own', async () => {
  const day = new Date().getUTCDay()
  const settings = `/api/evolution-config/${b}/settings`
  const closed = {
    // Every day but those that may be today somewhere.
    workingHours: { start: '09:00', end: '18:00', days: [(day + 3) % 7] },
    isAutoReplyEnabled: true,
    autoReplyMessage: 'A segunda está fechada',
  }
  expect((await ana.request('PATCH', settings, closed)).status).toBe(200)
  const [atA] = await talks(1, 'loja1')
  const [atB] = await talks(1, 'loja2')
  await eventually(() => gotBy(atB?.phoneId ?? ''), including('A segunda está fechada'))
  expect(gotBy(atA?.phoneId ?? '')).not.toContain('A segunda está fechada')
  const asking = {
    workingHours: { start: '00:00', end: '23:59', days: [0, 1, 2, 3, 4, 5, 6] },
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
    preAttendanceEnabled: true,
    preAttendanceMessage: 'Escolha o setor da segunda',
  }
  expect((await ana.request('PATCH', settings, asking)).body).toMatchObject({ own: asking })
  const asked = t.simulator.control.createPhone({ name: 'Escolhe' })
  t.simulator.control.send(asked.id, { kind: 'text', text: 'oi', instance: 'loja2' })
  await eventually(
    () => gotBy(asked.id),
    (texts) => texts.some((text) => text.includes('Escolha o setor da segunda')),
  )
  const names = Object.keys({ ...closed, ...asking })
  const none = Object.fromEntries(names.map((name) => [name, null]))
  expect((await ana.request<ManagedNumber>('PATCH', settings, none)).body.own).toEqual({})
  expect((await ana.request('PATCH', settings, { timezone: 'America/Manaus' })).status).toBe(400)
  expect((await ana.request('PATCH', settings, { lunchBreak: { enabled: true } })).status).toBe(400)
})

const image = {
  kind: 'image',
  base64: Buffer.from('foto').toString('base64'),
  mimetype: 'image/png',
} as const

/** Where the files of a conversation are; null for one that has not come yet. */
const fileUrls = async (id: number) =>
  (await ana.get<Message[]>(`/api/conversations/${id}/messages`))
    .filter(({ messageType }) => messageType === 'image')
    .map(({ fileUrl }) => fileUrl)

test('files of one number are fetched while those of another do not come', async () => {
  const ofA = await talks(4, 'loja1')
  const [ofB] = await talks(1, 'loja2')
  await hangFirst()
  for (const { phoneId } of ofA) t.simulator.control.send(phoneId, { ...image, instance: 'loja1' })
  await eventually(() => t.sql`select from media_fetches where tries > 0`, { length: above(1) })
  t.simulator.control.send(ofB?.phoneId ?? '', { ...image, instance: 'loja2' })
  await eventually(
    () => fileUrls(ofB?.id ?? 0),
    (urls) => urls.length === 1 && urls[0] !== null,
  )
})

test('the connection of one number is looked at while the gateway of another does not answer', async () => {
  await hangFirst()
  await t.sql`update evolution_api_config set status = 'close' where id = ${b}`
  t.database.signals.send('connections')
  await eventually(
    () => t.sql`select from evolution_api_config where id = ${b} and status = 'open'`,
    { length: 1 },
    // The question to the other one is given up after ten seconds.
    8000,
  )
})

test('a send of one number is verified while the record of another cannot be read', async () => {
  const ofA = await talks(7, 'loja1')
  const [ofB] = await talks(1, 'loja2')
  await hangFirst()
  for (const { id } of [...ofA, ofB ?? { id: 0 }])
    await t.sql`
      with m as (insert into messages (conversation_id, instance_id, sender_type, sender_id, content,
                                       delivery_status, sort_at, sent_at)
                 select id, instance_id, 'user', ${ana.userId}, 'sem resposta', 'unknown', now(), now()
                   from conversations where id = ${id} returning *)
      insert into outbox (instance_id, conversation_id, message_id, state, tries, first_attempt_at,
                          unknown_since, is_recorded)
        select instance_id, conversation_id, id, 'unknown', 1, app_now() - interval '2 hours',
               app_now() - interval '1 hour', true from m`
  const state = () =>
    t.sql`select state from outbox where conversation_id = ${ofB?.id} and tries = 1
                             and first_attempt_at < app_now() - interval '1 hour'`
  // Its gateway's record lacks it, so after an hour it has failed.
  await eventually(state, ([row]) => row?.['state'] === 'failed')
})
