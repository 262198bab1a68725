import { beforeEach, expect, test } from 'vitest'
import type { ImportErrors } from '#shared/contacts/contact-imports.ts'
import type { Contact } from '#shared/contacts/contacts.ts'
import { contactFiles } from '#server/testing/files/contact-files.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const files = contactFiles(chefe)

let numbers = 0
const newNumber = () => `5541987${String(200_000 + ++numbers)}`
const csv = (...lines: string[][]) => lines.map((cells) => cells.join(';')).join('\n')
const head = ['Nome', 'Telefone', 'Setor fixo']
const contactWith = async (phone: string) => {
  const { contacts } = await chefe.get<{ contacts: Contact[] }>(`/api/contacts?search=${phone}`)
  return contacts.find((contact) => contact.phone === phone)
}
const sectorOf = async (phone: string) => (await contactWith(phone))?.sectorId
const errorsOf = async (id: number) =>
  (await chefe.get<ImportErrors>(`/api/contacts/imports/${id}/errors`)).rows

async function sector(name: string): Promise<number> {
  const { body } = await chefe.request<{ id: number }>('POST', '/api/sectors', { name, color: '#2563eb' })
  return body.id
}

const endAll = () => t.sql`update sectors set deleted_at = now(), is_active = false where deleted_at is null`

beforeEach(async () => {
  await t.sql`update contacts set sector_id = null`
  await endAll()
})

test('an import gives contacts the sector that their row names, whatever its spelling', async () => {
  const [finance, sales] = [await sector('Financeiro'), await sector('Relações')]
  const [one, two, three] = [newNumber(), newNumber(), newNumber()]
  const { body } = await files.upload(
    csv(head, ['Ana', one, 'FINANCEIRO'], ['Rui', two, 'relacoes'], ['Lia', three, '']),
  )
  expect(body.mapping).toEqual(['name', 'phone', 'sector'])
  await files.start(body.id)
  expect(await files.ended(body.id)).toMatchObject({ created: 3, errors: 0 })
  expect([await sectorOf(one), await sectorOf(two), await sectorOf(three)]).toEqual([finance, sales, null])
})

test('an import leaves the sector of a contact where the cell is blank, and ends it by a word', async () => {
  const finance = await sector('Financeiro')
  const phone = newNumber()
  await files.import(csv(head, ['Ana', phone, 'Financeiro']))
  expect(await files.import(csv(head, ['Ana Sá', phone, '']))).toMatchObject({ updated: 1 })
  expect(await sectorOf(phone)).toBe(finance)
  expect(await files.import(csv(head, ['Ana Sá', phone, 'nenhum']))).toMatchObject({ updated: 1 })
  expect(await sectorOf(phone)).toBeNull()
})

test('an import leaves out rows with a sector that does not exist, or takes nothing new', async () => {
  const [finance, old] = [await sector('Financeiro'), await sector('Antigo')]
  const [known, kept] = [newNumber(), newNumber()]
  await files.import(csv(head, ['Já é', kept, 'Antigo'], ['Outra', known, 'Financeiro']))
  await t.sql`update sectors set is_active = false where id = ${old}`
  const done = await files.import(
    csv(head, ['Nova', newNumber(), 'Finanças'], ['Outra', known, 'antigo'], ['Já é esta', kept, 'ANTIGO']),
  )
  expect(done).toMatchObject({ created: 0, updated: 1, errors: 2 })
  expect(await errorsOf(done.id)).toMatchObject([
    { line: 2, field: 'sector', value: 'Finanças', error: 'Setor não encontrado' },
    {
      line: 3,
      field: 'sector',
      value: 'antigo',
      error: 'O setor Antigo está inativo e não recebe novas conversas.',
    },
  ])
  expect([await sectorOf(known), await sectorOf(kept)]).toEqual([finance, old])
})

test('what is undone of an import gives contacts their sector of before', async () => {
  const [finance, sales, support] = [
    await sector('Financeiro'),
    await sector('Vendas'),
    await sector('Apoio'),
  ]
  const [moved, given, taken, gone] = [newNumber(), newNumber(), newNumber(), newNumber()]
  await files.import(
    csv(head, ['A', moved, 'Financeiro'], ['B', given, ''], ['C', taken, 'Vendas'], ['D', gone, 'Apoio']),
  )
  const done = await files.import(
    csv(
      head,
      ['A', moved, 'Vendas'],
      ['B', given, 'Vendas'],
      ['C', taken, 'Financeiro'],
      ['D', gone, 'Vendas'],
    ),
  )
  expect(done).toMatchObject({ updated: 4 })
  const person = await contactWith(taken)
  // Who was given another one since keeps it, and nobody gets one that is gone by now.
  await chefe.request('PUT', `/api/contacts/${person?.id}`, { sectorId: sales })
  expect((await chefe.request('DELETE', `/api/sectors/${support}?targetId=${finance}`)).status).toBe(204)
  await files.act(done.id, 'undo')
  expect(await files.ended(done.id)).toMatchObject({ state: 'undone', restored: 2 })
  const sectors = [await sectorOf(moved), await sectorOf(given), await sectorOf(taken), await sectorOf(gone)]
  expect(sectors).toEqual([finance, null, sales, sales])
})

test.each(['csv', 'xlsx'] as const)(
  'the sector of an exported contact comes back from the %s',
  async (format) => {
    const finance = await sector('Financeiro')
    const [one, two] = [newNumber(), newNumber()]
    const name = `Volta${format}`
    await files.import(csv(head, [name, one, 'Financeiro'], [name, two, '']))
    const answer = await fetch(`${t.app.url}/api/contacts/export?format=${format}&search=${name}`, {
      headers: { authorization: `Bearer ${chefe.token}` },
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    await t.sql`update contacts set sector_id = null`
    const { body } = await files.upload(bytes, `contatos.${format}`)
    expect(body.mapping.at(-1)).toBe('sector')
    await files.start(body.id)
    expect(await files.ended(body.id)).toMatchObject({ updated: 1, kept: 1, errors: 0 })
    expect([await sectorOf(one), await sectorOf(two)]).toEqual([finance, null])
  },
)

test('without sectors a file has no column of them, also where an earlier one had', async () => {
  const columns = ['Quem', 'Telefone', 'Setor fixo']
  const file = () => csv(columns, ['Ana', newNumber(), 'Financeiro'])
  await sector('Financeiro')
  await files.import(file(), { mapping: ['name', 'phone', 'sector'] })
  expect((await files.upload(file())).body.mapping).toEqual(['name', 'phone', 'sector'])
  await t.sql`update contacts set sector_id = null`
  await endAll()
  const { body } = await files.upload(file())
  expect(body.mapping).toEqual(['name', 'phone', null])
  expect((await files.start(body.id, { mapping: ['name', 'phone', 'sector'] })).body.code).toBe(
    'request.invalid',
  )
})

test('a sector that is deleted while a file is imported leaves no contact in it', async () => {
  const id = await sector('Financeiro')
  const phones = Array.from({ length: 400 }, newNumber)
  const { body } = await files.upload(csv(head, ...phones.map((phone, n) => [`P ${n}`, phone, 'Financeiro'])))
  await files.start(body.id)
  await chefe.request('DELETE', `/api/sectors/${id}?targetId=none`)
  const { created, errors } = await files.ended(body.id)
  expect(created + errors).toBe(phones.length)
  expect(await t.sql`select id from contacts where sector_id = ${id}`).toEqual([])
})
