import { expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { ContactMerge, Duplicate } from '#shared/contacts/contact-merges.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, filled, forAllTests, including, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

let people = 0
const newNumber = () => `1195555${String(++people).padStart(4, '0')}`
const create = async (body: object = {}) =>
  (await chefe.request<Contact>('POST', '/api/contacts', { name: 'Rita', phone: newNumber(), ...body })).body
const read = (id: number) => chefe.get<Contact>(`/api/contacts/${id}`)
const merge = <Body = Contact>(id: number, otherId: number, who = chefe) =>
  who.request<Body>('POST', `/api/contacts/${id}/merge`, { otherId })
const merges = () => chefe.get<ContactMerge[]>('/api/contacts/merges')
const undo = (id: number) => chefe.request<ErrorBody>('POST', `/api/contacts/merges/${id}/undo`)
const undoNewest = async () => undo((await merges())[0]?.id ?? 0)
const duplicates = () => chefe.get<Duplicate[]>('/api/contacts/duplicates')
const pairsOf = async (...ids: number[]) =>
  (await duplicates()).filter(({ contacts }) => contacts.every(({ id }) => ids.includes(id)))
const talk = async (who = chefe) => newTalk(t, who)
const open = () => chefe.get<Conversation[]>('/api/conversations')
const textsOf = async (id: number) =>
  (
    await t.sql<{ content: string }>`
      select content from messages where conversation_id = ${id} and sender_type = 'contact'
           order by sort_at, id`
  ).map(({ content }) => content)
const write = async (phoneId: string, text: string) => {
  t.simulator.control.sendText(phoneId, text)
  await eventually(() => t.sql`select 1 from messages where content = ${text}`, filled)
}

test('two merged contacts have the data of both, and can be separated again', async () => {
  const kept = await create({ name: 'Rita', notes: 'tarde', tags: ['feira'] })
  const gone = await create({ name: 'Rita Souza', notes: 'manhã', email: 'rita@x.example', category: 'vip' })
  const { status, body } = await merge(kept.id, gone.id)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    name: 'Rita',
    phone: kept.phone,
    notes: 'tarde\n\nmanhã',
    email: 'rita@x.example',
    category: 'VIP',
    tags: ['feira'],
  })
  expect(await chefe.request('GET', `/api/contacts/${gone.id}`)).toMatchObject({ status: 404 })
  await chefe.request('PUT', `/api/contacts/${kept.id}`, { notes: 'tarde, e liga antes' })
  expect((await merges())[0]).toMatchObject({
    keptId: kept.id,
    mergedName: 'Rita Souza',
    mergedPhone: gone.phone,
    mergedBy: 'Chefe',
  })
  expect(await undoNewest()).toMatchObject({ status: 204 })
  const without = (contact: Contact) => ({ ...contact, updatedAt: undefined })
  expect(without(await read(gone.id))).toEqual(without(gone))
  // What was changed since stays changed.
  expect(without(await read(kept.id))).toEqual({ ...without(kept), notes: 'tarde, e liga antes' })
})

test('two merged contacts have one open conversation until they are separated', async () => {
  const [first, second] = [await talk(), await talk()]
  const [kept, gone] = [first.conversation, second.conversation]
  await write(second.phoneId, 'dois antes')
  await merge(kept.contactId, gone.contactId)
  expect(await textsOf(kept.id)).toEqual(['oi', 'oi', 'dois antes'])
  expect((await open()).map(({ id }) => id)).not.toContain(gone.id)
  await write(second.phoneId, 'dois depois')
  expect((await textsOf(kept.id)).at(-1)).toBe('dois depois')
  await undoNewest()
  expect(await textsOf(gone.id)).toEqual(['oi', 'dois antes'])
  expect(await textsOf(kept.id)).toEqual(['oi', 'dois depois'])
  const again = (await open()).filter(({ id }) => [kept.id, gone.id].includes(id))
  expect(again.map(({ id, contactId, subStatus }) => [id, contactId, subStatus])).toEqual([
    [kept.id, kept.contactId, 'FILA'],
    [gone.id, gone.contactId, 'FILA'],
  ])
  await write(second.phoneId, 'outra vez')
  expect((await textsOf(gone.id)).at(-1)).toBe('outra vez')
})

test('two merged contacts are answered at the number that wrote last', async () => {
  const [first, second] = [await talk(), await talk()]
  const { id, contactId } = first.conversation
  const phoneOf = async () => (await read(contactId)).phone
  const [one, other] = [first.conversation.contact.phone, second.conversation.contact.phone]
  await merge(contactId, second.conversation.contactId)
  expect(await phoneOf()).toBe(one)
  await write(second.phoneId, 'do outro número')
  expect(await phoneOf()).toBe(other)
  await chefe.request('POST', `/api/conversations/${id}/messages`, { content: 'para o outro' })
  await eventually(
    async () => t.simulator.control.chat(second.phoneId).map(({ text }) => text),
    including('para o outro'),
  )
  await write(first.phoneId, 'do primeiro')
  expect(await phoneOf()).toBe(one)
  await undoNewest()
  expect(await phoneOf()).toBe(one)
  expect((await read(second.conversation.contactId)).phone).toBe(other)
})

test('two merged contacts are blocked when one of them was', async () => {
  const { conversation } = await talk()
  const gone = await create()
  await chefe.request('POST', `/api/contacts/${gone.id}/block`)
  expect((await merge(conversation.contactId, gone.id)).body.isBlocked).toBe(true)
  expect((await open()).map(({ id }) => id)).not.toContain(conversation.id)
  await undoNewest()
  expect((await read(conversation.contactId)).isBlocked).toBe(false)
  expect((await read(gone.id)).isBlocked).toBe(true)
})

test('merged contacts cannot be separated twice, after a day, or under a later merge', async () => {
  const [a, b, c] = [await create(), await create(), await create()]
  await merge(a.id, b.id)
  const [first] = await merges()
  await merge(c.id, a.id)
  const [second] = await merges()
  expect((await undo(first?.id ?? 0)).body.message).toBe(
    'Um dos contatos foi excluído ou juntado a outro depois. Desfaça isso antes.',
  )
  await undo(second?.id ?? 0)
  expect(await undo(second?.id ?? 0)).toMatchObject({ status: 404 })
  await t.sql`update contact_merges set merged_at = merged_at - interval '25 hours' where id = ${first?.id}`
  expect((await undo(first?.id ?? 0)).body.message).toBe('Esta junção não pode mais ser desfeita.')
  expect((await merges()).map(({ id }) => id)).not.toContain(first?.id)
})

test('contacts to be merged must exist and be different', async () => {
  const { id } = await create()
  expect(await merge(id, id)).toMatchObject({ status: 404 })
  expect(await merge(id, 999_999)).toMatchObject({ status: 404 })
})

test('two contacts merged at once from both sides are one', async () => {
  const [a, b] = [await create(), await create()]
  const answers = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)])
  expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 404])
})

test('contacts whose name and number look alike are suggested, and no others', async () => {
  const end = '95550000'
  const a = await create({ name: 'Conceição Lima', phone: `11${end}` })
  const b = await create({ name: 'conceicao lima', phone: `21${end}` })
  const stranger = await create({ name: 'Zacarias', phone: `31${end}` })
  const typo = await create({ name: 'Conceição Lima', phone: '1195550001' })
  const reasons = (await pairsOf(a.id, b.id, typo.id, stranger.id)).map(({ reason, contacts }) => [
    reason,
    ...contacts.map(({ id }) => id),
  ])
  expect(reasons).toEqual([
    ['number', a.id, b.id],
    ['typo', a.id, typo.id],
  ])
})

test('similar contacts declared to be two are not suggested or merged again', async () => {
  const { conversation, phoneId } = await talk()
  const other = await create({ name: conversation.contact.name })
  const apart = await chefe.request('POST', `/api/contacts/${conversation.contactId}/keep-apart`, {
    otherId: other.id,
  })
  expect(apart.status).toBe(204)
  expect(await pairsOf(conversation.contactId, other.id)).toEqual([])
  // Its LID is that of the other one: WhatsApp takes them for one person.
  await t.sql`insert into contact_identities (contact_id, kind, value, jid)
        select ${other.id}, 'lid', '5550001', '5550001@lid'`
  await write(phoneId, 'sou eu')
  expect(await read(other.id)).toMatchObject({ id: other.id })
  expect(await read(conversation.contactId)).toMatchObject({ id: conversation.contactId })
})
