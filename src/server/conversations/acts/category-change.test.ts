import { expect, test } from 'vitest'
import type { Category } from '#shared/contacts/managed-categories.ts'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { given } from '#server/testing/given.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

let names = 0
const newName = () => `Atacado ${++names}`
const create = <Body = { id: number }>(body: object, who = chefe) =>
  who.request<Body>('POST', '/api/contact-categories', body)
const newCategory = async (body: object = {}) =>
  (await create({ name: newName(), color: '#CA8A04', ...body })).body.id
const change = (id: number, body: object, who = chefe) =>
  who.request<ErrorBody>('PUT', `/api/contact-categories/${id}`, body)
const remove = (id: number, who = chefe) => who.request<ErrorBody>('DELETE', `/api/contact-categories/${id}`)
const managed = async (id: number) =>
  (await chefe.get<Category[]>('/api/contact-categories/managed')).find((category) => category.id === id)
const offered = async () =>
  (await bruno.get<{ name: string }[]>('/api/contact-categories')).map(({ name }) => name)
const refusal = ({ status, body }: { status: number; body: ErrorBody }) => [status, body.message]
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
  [{ color: 'azul' }, 400, 'Cor é obrigatória'],
  [{ priority: 0 }, 400, 'De 1 a 10'],
  [{ priority: 11 }, 400, 'De 1 a 10'],
  [{ name: 'vip' }, 409, 'Já existe uma categoria com este nome.'],
  [{ name: 'Geral' }, 409, 'Já existe uma categoria com este nome.'],
])('a category with %j is refused with a message', async (wrong, status, message) => {
  const answer = await create<ErrorBody>({ name: newName(), color: '#ca8a04', ...wrong })
  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.body)).toContain(message)
})

test('a category is made once, however many ask at once', async () => {
  const name = newName()
  const answers = await Promise.all([1, 2, 3].map(() => create({ name, color: '#ca8a04' })))
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
  expect(await remove(id)).toMatchObject({ status: 204 })
  expect(await categoryOf(contactId)).toBe('')
  await chefe.request('POST', `/api/contacts/${gone.id}/restore`)
  expect(await categoryOf(gone.id)).toBe('')
  expect(refusal(await remove(id))).toEqual([404, 'Categoria não encontrada'])
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
