import { describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'
import { isErased, printOf } from './erased.ts'
import { addressOf } from './identity.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('supervisor', 'ana'))

const conversationsOf = async (ending: string) =>
  (await ana.get<Conversation[]>('/api/conversations')).filter(({ contact }) =>
    contact.phone?.endsWith(ending),
  )
const contactsOf = (ending: string) =>
  t.sql<{ id: number; phone: string }>`
    select id, phone from contacts where phone like ${`%${ending}`} and deleted_at is null`
const received = (id: string) =>
  t.simulator.control.chat(id).flatMap(({ from, text }) => (from === 'company' ? [text] : []))
const create = (name: string, phone: string) => ana.request<Contact>('POST', '/api/contacts', { name, phone })
const write = (contactId: number, content: string) =>
  ana.request('POST', `/api/contacts/${contactId}/send-message`, { content })

describe.each([
  // The form that is typed, the form of WhatsApp's address, and the one that both get.
  ['Hernán', '+54 11 5555-4444', '5491155554444', '5491155554444'],
  ['Rosario', '+54 9 341 555-1234', '543415551234', '5493415551234'],
  ['Lupita', '+52 55 1234 5678', '5215512345678', '525512345678'],
  ['Chucho', '+52 1 81 1234 5678', '528112345678', '528112345678'],
  ['Maria', '(85) 98888-9914', '558588889914', '5585988889914'],
])('%s, who is entered as %s and writes from %s', (name, typed, number, phone) => {
  const ending = phone.slice(-10)

  test('is one contact with one conversation, answered at the address that WhatsApp knows', async () => {
    const person = t.simulator.control.createPhone({ name, number })
    const { status, body: contact } = await create(name, typed)
    expect([status, contact.phone]).toEqual([201, phone])
    expect((await write(contact.id, 'Bom dia!')).status).toBe(201)
    await t.settled()
    expect(received(person.id)).toEqual(['Bom dia!'])
    t.simulator.control.sendText(person.id, 'hola')
    await t.settled()
    expect(await contactsOf(ending)).toEqual([{ id: contact.id, phone }])
    expect(await conversationsOf(ending)).toMatchObject([{ contactId: contact.id, messageCount: 2 }])
    expect(await addressOf(t.database, contact.id)).toBe(`${number}@s.whatsapp.net`)
    await ana.request('POST', `/api/conversations/${(await conversationsOf(ending))[0]?.id}/messages`, {
      content: 'Tudo bem?',
      clientMessageId: `again-${number}`,
    })
    await t.settled()
    expect(received(person.id)).toEqual(['Bom dia!', 'Tudo bem?'])
  })
})

test('somebody whose number was stored as WhatsApp has it stays the same contact', async () => {
  const person = t.simulator.control.createPhone({ name: 'Antigua', number: '5213312345678' })
  const [contact] = await t.sql<{ id: number }>`
    insert into contacts (name, phone) values ('Antigua', '5213312345678') returning id`
  await t.sql`insert into contact_identities (contact_id, kind, value, jid)
              values (${contact?.id}, 'phone', '5213312345678', '5213312345678@s.whatsapp.net')`
  t.simulator.control.sendText(person.id, 'hola')
  await t.settled()
  expect(await contactsOf('12345678')).toContainEqual({ id: contact?.id, phone: '523312345678' })
  expect(await conversationsOf('3312345678')).toMatchObject([{ contactId: contact?.id }])
})

test('nobody is lost whose number the rules do not know', async () => {
  const person = t.simulator.control.createPhone({ name: 'Sem regra', number: '99912345678' })
  t.simulator.control.sendText(person.id, 'oi')
  await t.settled()
  expect(await conversationsOf('99912345678')).toMatchObject([{ contact: { phone: '99912345678' } }])
})

test('somebody who was anonymized under the form of an earlier version stays so', async () => {
  const print = printOf(t.app.secrets, { kind: 'phone', value: '5215587654321' })
  const [contact] = await t.sql<{ id: number }>`
    insert into contacts (name, erased_at) values ('Contato anonimizado', now()) returning id`
  await t.sql`insert into privacy_requests (kind, contact_id, user_id, proof, fingerprints)
              values ('anonymize', ${contact?.id}, ${ana.userId}, '{}', array[${print}])`
  const erased = await isErased(t.database, t.app.secrets, ['525587654321', '525512345678'])
  expect([...erased]).toEqual(['525587654321'])
})
