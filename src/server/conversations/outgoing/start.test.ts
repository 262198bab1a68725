import { afterEach, expect, test } from 'vitest'
import type { ContactCard } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { eventually, forAllTests, testApp } from '#server/testing/test-app.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('supervisor', 'ana'))
afterEach(() => resetSettings(t.database))

let people = 0
/** Somebody with WhatsApp who has never written. */
function stranger() {
  people += 1
  const number = `5511942${String(people).padStart(6, '0')}`
  const phone = t.simulator.control.createPhone({ name: `Pessoa ${people}`, number })
  return { phone: phone.id, number, name: `Pessoa ${people}` }
}
const byPhone = (phone: string, name = '', who = ana) =>
  who.request<ContactCard>('POST', '/api/contacts/by-phone', { phone, name })
interface Started {
  existing: boolean
  conversationId: number | null
  pendingCreation: boolean
}
const start = (contactId: number, who = ana) =>
  who.request<Started>('POST', `/api/contacts/${contactId}/start-conversation`)
interface Sent {
  conversation: Conversation
  message: Message
}
const write = (contactId: number, content: string, clientMessageId?: string, who = ana) =>
  who.request<Sent>('POST', `/api/contacts/${contactId}/send-message`, { content, clientMessageId })
const received = (phone: string) =>
  t.simulator.control
    .chat(phone)
    .filter(({ from }) => from === 'company')
    .map(({ text }) => text)

test('the contact of a number is created once, however it is written', async () => {
  const spellings = ['11987650001', '1187650001', '+5511987650001', '551187650001']
  const answers = await Promise.all(spellings.map((phone) => byPhone(phone, 'Dona Lúcia')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers[0]?.body).toMatchObject({ name: 'Dona Lúcia', phone: '5511987650001' })
})

test.each(['', ' ', '\u3164', '\u200b\u2800'])(
  'a contact is called by the number where %j is their name',
  async (name) => {
    const phone = `1198765010${['', ' ', '\u3164', '\u200b\u2800'].indexOf(name)}`
    expect((await byPhone(phone, name)).body.name).toMatch(/^\(11\) 98765-010\d$/)
  },
)

test('a contact keeps their name when somebody shares another', async () => {
  const first = await byPhone('11987650002', 'Seu Zé')
  expect((await byPhone('11987650002', 'Zé da padaria')).body).toEqual(first.body)
})

test.each(['', 'abc', '123', '1'.repeat(30)])(
  'the contact of a number needs a number, not %j',
  async (phone) => {
    expect(await byPhone(phone)).toMatchObject({ status: 400 })
  },
)

test('a started conversation is pending until the first message', async () => {
  const { phone, number, name } = stranger()
  const contact = (await byPhone(number, name)).body
  expect((await start(contact.id)).body).toMatchObject({
    existing: false,
    conversationId: null,
    pendingCreation: true,
    contact: { id: contact.id, name },
  })
  const sent = await write(contact.id, 'Bom dia! É a Ana, da loja.')
  expect(sent.status).toBe(201)
  expect(sent.body.conversation).toMatchObject({
    status: 'active',
    subStatus: 'OPERADOR',
    waitingFor: 'client',
    initiatedBy: 'operator',
    assignedUserId: ana.userId,
    queuePosition: 0,
  })
  await eventually(() => Promise.resolve(received(phone)), { length: 1 })
  expect(received(phone)).toEqual(['Bom dia! É a Ana, da loja.'])
  expect((await start(contact.id)).body).toMatchObject({
    existing: true,
    conversationId: sent.body.conversation.id,
    pendingCreation: false,
  })
  t.simulator.control.sendText(phone, 'Oi, Ana')
  await eventually(() => ana.get<Conversation>(`/api/conversations/${sent.body.conversation.id}`), {
    waitingFor: 'operator',
  })
})

test('the first message reaches a mobile that WhatsApp knows without its 9', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Mineiro', number: '553197776655' })
  const contact = (await byPhone('31997776655', 'Mineiro')).body
  expect(contact.phone).toBe('5531997776655')
  const sent = await write(contact.id, 'Bom dia!')
  await t.settled()
  await write(contact.id, 'Tudo bem?')
  await eventually(() => Promise.resolve(received(phone.id)), { length: 2 })
  const { id } = sent.body.conversation
  const all = await ana.get<Message[]>(`/api/conversations/${id}/messages`)
  expect(all.filter(({ deliveryStatus }) => deliveryStatus === 'failed')).toEqual([])
  control.sendText(phone.id, 'Tudo!')
  await eventually(() => ana.get<Conversation>(`/api/conversations/${id}`), { waitingFor: 'operator' })
})

test('the notice is sent once, just before the first message', async () => {
  await saveSettings(t.database, { operatorInitiatedWarningMessage: 'Olá {{contact}}, é a loja.' })
  const { phone, number, name } = stranger()
  const contact = (await byPhone(number, name)).body
  await write(contact.id, 'primeira')
  await write(contact.id, 'segunda')
  await eventually(() => Promise.resolve(received(phone)), { length: 3 })
  expect(received(phone)).toEqual([`Olá ${name}, é a loja.`, 'primeira', 'segunda'])
})

test('twenty first messages at once, of two people, make one conversation and lose none', async () => {
  const bruno = await t.signIn('supervisor', 'bruno')
  const contact = (await byPhone(stranger().number)).body
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      write(contact.id, `m${n}`, `first-of-all-${n}`, n % 2 ? ana : bruno),
    ),
  )
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]))
  const ids = new Set(sent.map(({ body }) => body.conversation.id))
  expect(ids.size).toBe(1)
  const [id] = ids
  const all = await ana.get<Message[]>(`/api/conversations/${id}/messages`)
  expect(new Set(all.map(({ content }) => content)).size).toBe(20)
})

test('repeating a first message with its clientMessageId is the same message', async () => {
  const contact = (await byPhone(stranger().number)).body
  const sent = await Promise.all([1, 2, 3, 4].map(() => write(contact.id, 'uma vez', 'once-and-only')))
  expect(new Set(sent.map(({ body }) => body.message.id)).size).toBe(1)
})

test('a conversation started with a client who has just written answers them', async () => {
  const { phone, number } = stranger()
  const contact = (await byPhone(number)).body
  t.simulator.control.sendText(phone, 'oi')
  const { conversationId } = (await eventually(() => start(contact.id), { body: { existing: true } })).body
  const sent = await write(contact.id, 'oi, Maria')
  expect(sent.body.conversation).toMatchObject({
    id: conversationId,
    initiatedBy: 'contact',
    assignedUserId: ana.userId,
  })
})

test('no conversation is started with a blocked or unknown contact', async () => {
  const contact = (await byPhone(stranger().number)).body
  await t.database.execute(`update contacts set is_blocked = true where id = ${contact.id}`)
  expect(await start(contact.id)).toMatchObject({ status: 403, body: { code: 'contacts.blocked' } })
  expect(await write(contact.id, 'oi')).toMatchObject({ status: 403, body: { code: 'contacts.blocked' } })
  expect(await start(999_999)).toMatchObject({ status: 404, body: { code: 'contacts.not_found' } })
  expect(await write(999_999, 'oi')).toMatchObject({ status: 404 })
})

test('the text before a conversation that we begin is that of its sector, where it has one', async () => {
  const [made] = await t.sql`
    insert into sectors (name, color, own_settings)
    values ('Vendas', '#2563eb', '{"operatorInitiatedWarningMessage": "Fala a equipe de vendas."}')
    returning id`
  await saveSettings(t.database, { operatorInitiatedWarningMessage: 'Fala a loja.' })
  const { phone, number, name } = stranger()
  const { id } = (await byPhone(number, name)).body
  await t.sql`update contacts set sector_id = ${made?.['id']} where id = ${id}`
  expect((await write(id, 'olá')).body.conversation.sectorId).toBe(made?.['id'])
  await eventually(() => received(phone)[0], 'Fala a equipe de vendas.')
})
