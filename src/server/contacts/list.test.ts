import { beforeAll, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import { forAllTests, testApp } from '../testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))

beforeAll(async () => {
  await t.sql`
    insert into contacts (name, phone, email, category, deleted_at) values
      ('Conceição Araújo', '5511987654321', 'conceicao@padaria.example', 'cliente', null),
      ('João da Conceição', '5521912345678', null, 'vip', null),
      ('álvaro 100%', '5521933334444', null, 'general', null),
      ('Zulmira', null, 'zulmira@araujo.example', 'Cliente', null),
      ('Conceição Antiga', '5511900000000', null, 'cliente', now())`
})

interface Page {
  contacts: Contact[]
  pagination: { page: number; limit: number; total: number; totalPages: number }
}
const list = async (query: Record<string, string>, who = ana) =>
  who.request<Page>('GET', `/api/contacts?${new URLSearchParams(query).toString()}`)
const names = async (query: Record<string, string>) =>
  (await list(query)).body.contacts.map(({ name }) => name)

test('contacts are listed by name, by page, without deleted ones', async () => {
  const first = await list({ limit: '2' })
  expect(first.body.contacts.map(({ name }) => name)).toEqual(['álvaro 100%', 'Conceição Araújo'])
  expect(first.body.pagination).toEqual({ page: 1, limit: 2, total: 4, totalPages: 2 })
  expect(await names({ limit: '2', page: '2' })).toEqual(['João da Conceição', 'Zulmira'])
  expect(await names({ page: '9' })).toEqual([])
})

test.each([
  ['conceicao', ['Conceição Araújo', 'João da Conceição']],
  ['CONCEIÇÃO joão', ['João da Conceição']],
  ['(11) 98765', ['Conceição Araújo']],
  ['araujo.example', ['Zulmira']],
  ['100%', ['álvaro 100%']],
  ['%', ['álvaro 100%']],
  ['_', []],
])('the list of contacts is searched for %s', async (search, found) => {
  expect(await names({ search })).toEqual(found)
})

test('the list of contacts is filtered by a category in whatever case', async () => {
  expect(await names({ category: 'cliente' })).toEqual(['Conceição Araújo', 'Zulmira'])
  expect(await names({ category: 'cliente', search: 'zul' })).toEqual(['Zulmira'])
  expect(await names({ category: 'all', search: 'zul' })).toEqual(['Zulmira'])
})
