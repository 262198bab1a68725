import { expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, filled, forAllTests, including, testApp } from '#server/testing/test-app.ts'
import type { Category } from '#shared/contacts/managed-categories.ts'
import { connectLive } from '#server/testing/live-client.ts'
import type { ContactMerge, Duplicate } from '#shared/contacts/contact-merges.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

let people = 0
/** A number that nobody has, without its country code. */
const newNumber = () => `1197777${String(++people).padStart(4, '0')}`
const create = <Body = Contact>(body: object, who = chefe) => who.request<Body>('POST', '/api/contacts', body)
const newContact = async (body: object = {}) =>
  (await create({ name: 'Dona Rita', phone: newNumber(), ...body })).body
const act = <Body = Contact>(id: number, path: string, who = chefe) =>
  who.request<Body>('POST', `/api/contacts/${id}/${path}`)
const remove = (id: number, who = chefe) => who.request<ErrorBody>('DELETE', `/api/contacts/${id}`)
const read = (id: number) => chefe.request<Contact>('GET', `/api/contacts/${id}`)
const refusal = ({ status, body }: { status: number; body: ErrorBody }) => [status, body.message]
const auditOf = async (id: number) =>
  (
    await t.sql<{ action: string }>`
      select action from audit_logs where resource_type = 'contact' and resource_id = ${String(id)}
           order by id`
  ).map(({ action }) => action)
const count = async (phone: string) =>
  t.sql`select id from contacts where phone = ${phone} and deleted_at is null`

test('a new contact has what was entered, in its normal form, and is audited', async () => {
  const phone = newNumber()
  const { status, body } = await create({
    name: '  Dona Rita ',
    phone: `+55 (11) ${phone.slice(2, 7)}-${phone.slice(7)}`,
    email: 'rita@feira.example',
    category: 'vip',
    notes: 'só à tarde',
    tags: ['Feira', 'feira', ''],
    companyId: null,
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Dona Rita',
    phone: `55${phone}`,
    email: 'rita@feira.example',
    category: 'VIP',
    notes: 'só à tarde',
    tags: ['feira'],
    isBlocked: false,
  })
  expect(await auditOf(body.id)).toEqual(['contact.create'])
})

test('a new contact has the default category, no company and no tags', async () => {
  expect(await newContact()).toMatchObject({ category: 'general', company: null, tags: [], email: null })
})

test('of five who create one number at once four are refused with its contact', async () => {
  const phone = newNumber()
  const answers = await Promise.all(
    [phone, `+55${phone}`, `55${phone}`, `(11) ${phone.slice(2)}`, `55 11 ${phone.slice(3)}`].map((typed) =>
      create<Contact & ErrorBody>({ name: 'Rita', phone: typed }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
    'Este telefone já é do contato Rita.',
  )
  expect(await count(`55${phone}`)).toHaveLength(1)
})

test.each([
  [{ name: '' }, 'Nome é obrigatório'],
  [{ category: 'inexistente' }, 'Categoria não encontrada'],
  [{ companyId: 999_999 }, 'Empresa não encontrada'],
])('a new contact with %j is refused with a message, and nothing is stored', async (wrong, message) => {
  const phone = newNumber()
  const answer = await create<ErrorBody>({ name: 'Rita', phone, ...wrong })
  expect(JSON.stringify(answer.body)).toContain(message)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(await count(`55${phone}`)).toHaveLength(0)
})

test('a new contact who writes is recognized by their number', async () => {
  const phone = newNumber()
  const { id } = await newContact({ phone })
  const { id: written } = t.simulator.control.createPhone({ name: 'Rita', number: `55${phone}` })
  t.simulator.control.sendText(written, 'oi')
  await eventually(() => t.sql`select id from conversations where contact_id = ${id}`, { length: 1 })
  expect(await read(id)).toMatchObject({ body: { name: 'Dona Rita' } })
})

test('a deleted contact frees its number, and can be restored for a minute', async () => {
  const { id, phone } = await newContact({ tags: ['feira'] })
  expect(await remove(id)).toMatchObject({ status: 204 })
  expect(await read(id)).toMatchObject({ status: 404 })
  const back = await act(id, 'restore')
  expect(back).toMatchObject({ status: 200, body: { id, phone, tags: ['feira'] } })
  // Pressed twice, it is restored once.
  expect(await act(id, 'restore')).toMatchObject({ status: 200 })
  expect(await auditOf(id)).toEqual(['contact.create', 'contact.delete', 'contact.restore'])
  await remove(id)
  await t.sql`update contacts set deleted_at = deleted_at - interval '61 seconds' where id = ${id}`
  expect(refusal(await act<ErrorBody>(id, 'restore'))).toEqual([404, 'Contato não encontrado'])
  expect(refusal(await act<ErrorBody>(999_999, 'restore'))).toEqual([404, 'Contato não encontrado'])
})

test('a restored contact does not take its number from another contact', async () => {
  const { id, phone } = await newContact()
  await remove(id)
  const heir = await newContact({ name: 'Outra', phone: `+${phone}` })
  expect(refusal(await act<ErrorBody>(id, 'restore'))).toEqual([409, 'Este telefone já é do contato Outra.'])
  await remove(heir.id)
  expect(await act(id, 'restore')).toMatchObject({ status: 200 })
  const [identity] = await t.sql<{ contactId: number }>`
    select contact_id as "contactId" from contact_identities where kind = 'phone' and value = ${phone}`
  expect(identity?.contactId).toBe(id)
})

test('a contact with an open conversation cannot be deleted', async () => {
  const conversation = await given.conversation(t, chefe)
  expect(refusal(await remove(conversation.contactId))).toEqual([
    409,
    'Este contato tem uma conversa aberta. Finalize a conversa antes de excluir o contato.',
  ])
  expect(await read(conversation.contactId)).toMatchObject({ status: 200 })
})

test('a contact that was merged cannot be restored as a deleted one', async () => {
  const { id } = await newContact()
  await t.sql`with gone as (delete from contact_identities where contact_id = ${id})
        update contacts set deleted_at = app_now(), phone = null where id = ${id}`
  expect(await act(id, 'restore')).toMatchObject({ status: 404 })
})

test('the open conversation of a blocked contact is completed without a text', async () => {
  const { conversation, phoneId } = await newTalk(t, chefe)
  const { contactId } = conversation
  const said = () => t.simulator.control.chat(phoneId).filter(({ from }) => from === 'company')
  const before = said()
  expect(await act(contactId, 'block')).toMatchObject({ status: 200, body: { isBlocked: true } })
  const [ended] = await t.sql`select c.status, m.metadata #>> '{event,act}' as act, m.sender_id as by,
               (select count(*)::int from queue_pending_conversations q
                 where q.conversation_id = c.id and q.processed_at is null) as waiting
          from conversations c join messages m on m.conversation_id = c.id
         where c.id = ${conversation.id} order by m.id desc limit 1`
  expect(ended).toEqual({ status: 'completed', act: 'blocked', by: chefe.userId, waiting: 0 })
  // Again, it changes nothing and is not written down twice.
  await act(contactId, 'block')
  t.simulator.control.sendText(phoneId, 'alô?')
  // A message that comes after it is handled after it.
  await newTalk(t, chefe)
  expect(said()).toEqual(before)
  expect(await t.sql`select id from conversations where contact_id = ${contactId}`).toEqual([
    { id: conversation.id },
  ])
  expect(await act(contactId, 'unblock')).toMatchObject({ status: 200, body: { isBlocked: false } })
  expect((await auditOf(contactId)).filter((action) => action.endsWith('block'))).toEqual([
    'contact.block',
    'contact.unblock',
  ])
})

let names = 0
const newName = () => `Atacado ${++names}`
const createCategory = <Body = { id: number }>(body: object, who = chefe) =>
  who.request<Body>('POST', '/api/contact-categories', body)
const newCategory = async (body: object = {}) =>
  (await createCategory({ name: newName(), color: '#CA8A04', ...body })).body.id
const change = (id: number, body: object, who = chefe) =>
  who.request<ErrorBody>('PUT', `/api/contact-categories/${id}`, body)
const removeCategory = (id: number, who = chefe) =>
  who.request<ErrorBody>('DELETE', `/api/contact-categories/${id}`)
const managed = async (id: number) =>
  (await chefe.get<Category[]>('/api/contact-categories/managed')).find((category) => category.id === id)
const offered = async () =>
  (await bruno.get<{ name: string }[]>('/api/contact-categories')).map(({ name }) => name)
const contactIn = async (category: string) => {
  const { contactId } = await given.conversation(t, chefe)
  await chefe.request('PUT', `/api/contacts/${contactId}`, { category })
  return contactId
}
const categoryOf = async (id: number) => (await chefe.get<Contact>(`/api/contacts/${id}`)).category

test('categories are offered by priority, without inactive ones', async () => {
  const name = newName()
  const id = await newCategory({ name, priority: 10, description: ' no fim ' })
  expect((await offered()).at(-1)).toBe(name)
  await contactIn(name)
  expect(await managed(id)).toMatchObject({
    name,
    description: 'no fim',
    priority: 10,
    color: '#ca8a04',
    isActive: true,
    contactCount: 1,
  })
  expect(await change(id, { isActive: false })).toMatchObject({ status: 204 })
  expect(await offered()).not.toContain(name)
  expect((await managed(id))?.isActive).toBe(false)
})

test.each([
  [{ name: ' ' }, 400, 'Nome é obrigatório'],
  [{ color: 'azul' }, 400, 'Use o formato #rrggbb, como #2563eb'],
  [{ color: '' }, 400, 'Cor é obrigatória'],
  [{ priority: 0 }, 400, 'De 1 a 10'],
  [{ priority: 11 }, 400, 'De 1 a 10'],
  [{ name: 'vip' }, 409, 'Já existe uma categoria com este nome.'],
  [{ name: 'Geral' }, 409, 'Já existe uma categoria com este nome.'],
])('a category with %j is refused with a message', async (wrong, status, message) => {
  const answer = await createCategory<ErrorBody>({ name: newName(), color: '#ca8a04', ...wrong })
  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.body)).toContain(message)
})

test('a category is made once, however many ask at once', async () => {
  const name = newName()
  const answers = await Promise.all([1, 2, 3].map(() => createCategory({ name, color: '#ca8a04' })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
})

test('a renamed category keeps its contacts, and its colour is shown in every tab', async () => {
  const name = newName()
  const id = await newCategory({ name })
  const contactId = await contactIn(name)
  const tab = await connectLive(t.app.url, { token: bruno.token })
  expect(await change(id, { name: `${name} B`, color: '#dc2626' })).toMatchObject({ status: 204 })
  const shown = await tab.heard(
    'conversation_updated',
    ({ data }) => data.conversation.contact.category === `${name} B`,
  )
  expect(shown).toMatchObject({ data: { conversation: { contact: { categoryColor: '#dc2626' } } } })
  expect(await categoryOf(contactId)).toBe(`${name} B`)
  const [log] = await t.sql`
    select action, details from audit_logs where resource_type = 'category' order by id desc limit 1`
  expect(log).toEqual({
    action: 'category.change',
    details: { name: `${name} B`, changes: { name: [name, `${name} B`], color: ['#ca8a04', '#dc2626'] } },
  })
  await tab.close()
})

test('a category is not overwritten by somebody who has not seen the last change', async () => {
  const id = await newCategory()
  const updatedAt = (await managed(id))?.updatedAt
  await change(id, { priority: 2 })
  expect(refusal(await change(id, { priority: 5, updatedAt }))).toEqual([
    409,
    'Um colega mudou esta categoria enquanto você editava.',
  ])
  expect((await managed(id))?.priority).toBe(2)
})

test('a deleted category is removed from its contacts, also from restored ones', async () => {
  const name = newName()
  const id = await newCategory({ name })
  const contactId = await contactIn(name)
  const { body: gone } = await chefe.request<Contact>('POST', '/api/contacts', {
    name: 'Rita',
    phone: '11966660001',
    category: name,
  })
  await chefe.request('DELETE', `/api/contacts/${gone.id}`)
  expect(await removeCategory(id)).toMatchObject({ status: 204 })
  expect(await categoryOf(contactId)).toBe('')
  await chefe.request('POST', `/api/contacts/${gone.id}/restore`)
  expect(await categoryOf(gone.id)).toBe('')
  expect(refusal(await removeCategory(id))).toEqual([404, 'Categoria não encontrada'])
})

test('a category loses no contact that gets it while it is renamed', async () => {
  const name = newName()
  const id = await newCategory({ name })
  const contactIds = await Promise.all([1, 2, 3, 4].map(() => contactIn('vip')))
  await Promise.all([
    ...contactIds.map((contactId) => chefe.request('PUT', `/api/contacts/${contactId}`, { category: name })),
    change(id, { name: `${name} B` }),
  ])
  // Who came too late for the old name was refused, and still has the category before.
  for (const contactId of contactIds) expect([`${name} B`, 'VIP']).toContain(await categoryOf(contactId))
})

const contactOf = (id: number) => chefe.get<Contact>(`/api/contacts/${id}`)
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
  const kept = await newContact({ name: 'Rita', notes: 'tarde', tags: ['feira'] })
  const gone = await newContact({
    name: 'Rita Souza',
    notes: 'manhã',
    email: 'rita@x.example',
    category: 'vip',
  })
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
  expect(without(await contactOf(gone.id))).toEqual(without(gone))
  // What was changed since stays changed.
  expect(without(await contactOf(kept.id))).toEqual({ ...without(kept), notes: 'tarde, e liga antes' })
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

test('two who are separated after a colleague was blocked wait in the queue, not for them', async () => {
  const eva = await t.signIn('operator')
  const [kept, gone] = [(await talk()).conversation, (await talk()).conversation]
  for (const [{ id }, who] of [
    [kept, chefe],
    [gone, eva],
  ] as const)
    await who.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: who.userId })
  await merge(kept.contactId, gone.contactId)
  await chefe.request('POST', `/api/users/${eva.userId}/toggle-block`, {})
  expect(await undoNewest()).toMatchObject({ status: 204 })
  const now = new Map((await open()).map((one) => [one.id, one]))
  expect(now.get(kept.id)).toMatchObject({ subStatus: 'OPERADOR', assignedUserId: chefe.userId })
  expect(now.get(gone.id)).toMatchObject({ subStatus: 'FILA', assignedUserId: null })
})

test('two merged contacts are answered at the number that wrote last', async () => {
  const [first, second] = [await talk(), await talk()]
  const { id, contactId } = first.conversation
  const phoneOf = async () => (await contactOf(contactId)).phone
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
  expect((await contactOf(second.conversation.contactId)).phone).toBe(other)
})

test('two merged contacts keep the name of one, and have their own again when separated', async () => {
  const [first, second] = [await talk(), await talk()]
  const nameOf = async ({ conversation }: typeof first) => (await contactOf(conversation.contactId)).name
  const [one, other] = [await nameOf(first), await nameOf(second)]
  await merge(first.conversation.contactId, second.conversation.contactId)
  // A name of the same second is no newer one.
  const aMinutePasses = () =>
    t.sql`update contacts set gateway_named_at = gateway_named_at - interval '1 minute'`
  await aMinutePasses()
  await write(second.phoneId, 'do outro número')
  expect(await nameOf(first)).toBe(one)
  await undoNewest()
  expect([await nameOf(first), await nameOf(second)]).toEqual([one, other])
  await aMinutePasses()
  t.simulator.control.changePhone(first.phoneId, { name: 'Rita Nova' })
  await write(first.phoneId, 'mudei de nome')
  expect(await nameOf(first)).toBe('Rita Nova')
})

test('two merged contacts are blocked when one of them was', async () => {
  const { conversation } = await talk()
  const gone = await newContact()
  await chefe.request('POST', `/api/contacts/${gone.id}/block`)
  expect((await merge(conversation.contactId, gone.id)).body.isBlocked).toBe(true)
  expect((await open()).map(({ id }) => id)).not.toContain(conversation.id)
  await undoNewest()
  expect((await contactOf(conversation.contactId)).isBlocked).toBe(false)
  expect((await contactOf(gone.id)).isBlocked).toBe(true)
})

test('merged contacts cannot be separated twice, after a day, or under a later merge', async () => {
  const [a, b, c] = [await newContact(), await newContact(), await newContact()]
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
  const { id } = await newContact()
  expect(await merge(id, id)).toMatchObject({ status: 404 })
  expect(await merge(id, 999_999)).toMatchObject({ status: 404 })
})

test('two contacts merged at once from both sides are one', async () => {
  const [a, b] = [await newContact(), await newContact()]
  const answers = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)])
  expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 404])
})

test('contacts whose name and number look alike are suggested, and no others', async () => {
  const end = '95550000'
  const a = await newContact({ name: 'Conceição Lima', phone: `11${end}` })
  const b = await newContact({ name: 'conceicao lima', phone: `21${end}` })
  const stranger = await newContact({ name: 'Zacarias', phone: `31${end}` })
  const typo = await newContact({ name: 'Conceição Lima', phone: '1195550001' })
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
  const other = await newContact({ name: conversation.contact.name })
  const apart = await chefe.request('POST', `/api/contacts/${conversation.contactId}/keep-apart`, {
    otherId: other.id,
  })
  expect(apart.status).toBe(204)
  expect(await pairsOf(conversation.contactId, other.id)).toEqual([])
  // Its LID is that of the other one: WhatsApp takes them for one person.
  await t.sql`insert into contact_identities (contact_id, kind, value, jid)
      select ${other.id}, 'lid', '5550001', '5550001@lid'`
  await write(phoneId, 'sou eu')
  expect(await contactOf(other.id)).toMatchObject({ id: other.id })
  expect(await contactOf(conversation.contactId)).toMatchObject({ id: conversation.contactId })
})
