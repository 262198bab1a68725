import { parse } from 'csv-parse/sync'
import { sql } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import { contactFiles } from '#server/testing/files/contact-files.ts'
import { formulaVectors as vectors } from '#server/testing/inputs/formula-vectors.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

const download = async (query: Record<string, string>, who = chefe) => {
  const answer = await fetch(`${t.app.url}/api/contacts/export?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${who.token}` },
  })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const records = async (query: Record<string, string> = {}): Promise<string[][]> => {
  const { bytes } = await download({ format: 'csv', ...query })
  return parse(bytes, { bom: true, delimiter: ';' })
}
const exported = [
  'Nome',
  'Telefone',
  'Email',
  'Empresa',
  'Categoria',
  'Etiquetas',
  'Notas',
  'Bloqueado',
  'Criado em',
]

const computes = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u

test('no cell of hundreds of hostile texts is a formula, in a CSV file or a spreadsheet', async () => {
  expect(vectors.length).toBeGreaterThan(500)
  await t.sql`insert into contacts (name, phone, email, notes, tags)
        select 'Vetor ' || v.n, '55119' || lpad(v.n::text, 8, '0'), v.text, v.text, array[v.text]
          from unnest(${sql.param(vectors)}::text[]) with ordinality v(text, n)`
  const [head, ...found] = await records({ search: 'vetor' })
  expect(head).toEqual(exported)
  expect(found).toHaveLength(vectors.length)
  for (const cells of found) {
    const [name = '', , email, , , tags, notes] = cells
    const vector = vectors[Number(name.slice(6)) - 1]
    // Only the apostrophe is added.
    for (const cell of [email, tags, notes]) expect(cell).toBe(`'${vector}`)
    expect(cells.filter((cell) => computes.test(cell))).toEqual([])
  }
  const { bytes, answer } = await download({ format: 'xlsx', search: 'vetor' })
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=contatos-[\d-]+\.xlsx$/)
  const { sheets } = await readXlsx(bytes)
  const sheet = sheets[0]?.rows ?? []
  expect(sheet[0]).toEqual(exported)
  expect(sheet).toHaveLength(vectors.length + 1)
  expect(sheet.flat().filter((cell) => typeof cell === 'string' && computes.test(cell))).toEqual([])
})

test('a spreadsheet has times as dates in the zone of the settings, and telephones as text', async () => {
  await t.sql`insert into contacts (name, phone, created_at)
        values ('Data Certa', '5545988880001', '2026-12-01T01:30:00Z')`
  const { bytes } = await download({ format: 'xlsx', search: 'data certa' })
  const { sheets } = await readXlsx(bytes)
  const row = sheets[0]?.rows[1] ?? []
  expect(row[1]).toBe('(45) 98888-0001')
  expect(row[8]).toEqual(new Date('2026-11-30T22:30:00Z'))
})

test('telephone numbers leave as they are, and come back the same', async () => {
  await t.sql`insert into contacts (name, phone, category, tags, notes, is_blocked, created_at)
        values ('Foz Brasil', '5545988887777', '', '{"a","=b"}', '+5511987654321', true,
                '2026-01-02T15:04:00Z'),
               ('Foz Fixo', '554533334444', 'general', '{}', null, false, '2026-01-02T15:04:00Z'),
               ('Foz Lisboa', '351912345678', 'VIP', '{}', '-12,5', false, '2026-01-02T15:04:00Z')`
  const found = await records({ search: 'foz' })
  expect(found.slice(1)).toEqual([
    [
      'Foz Brasil',
      '(45) 98888-7777',
      '',
      '',
      'Sem categoria',
      'a, =b',
      '+5511987654321',
      'Sim',
      '02/01/2026 12:04',
    ],
    ['Foz Fixo', '(45) 3333-4444', '', '', 'Geral', '', '', 'Não', '02/01/2026 12:04'],
    ['Foz Lisboa', '+351912345678', '', '', 'VIP', '', '-12,5', 'Não', '02/01/2026 12:04'],
  ])
  const { bytes } = await download({ format: 'csv', search: 'foz' })
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  const again = await contactFiles(chefe).import(bytes)
  expect(again).toMatchObject({ created: 0, updated: 0, kept: 3, errors: 0 })
})

test('an export is what the list shows by the same filter, however many, and recorded with it', async () => {
  await t.sql`insert into contacts (name, phone, category, tags)
        select 'Lote ' || lpad(n::text, 5, '0'), '55219' || lpad(n::text, 8, '0'), 'Lead', '{"do lote"}'
          from generate_series(1, 2500) n`
  const filter = { search: 'lote', category: 'lead', tag: 'DO LOTE' }
  const found = await records(filter)
  expect(found.slice(1).map(([name]) => name)).toEqual(
    Array.from({ length: 2500 }, (_, n) => `Lote ${String(n + 1).padStart(5, '0')}`),
  )
  const { body } = await chefe.request<{ contacts: Contact[] }>(
    'GET',
    `/api/contacts?${new URLSearchParams(filter).toString()}`,
  )
  expect(body.contacts.map(({ name }) => name)).toEqual(found.slice(1, 11).map(([name]) => name))
  expect(await records({ search: 'ninguém tem este nome' })).toEqual([exported])
  const [recorded] = await t.sql`
      select details from audit_logs where action = 'contact.export' and (details ->> 'rows')::int = 2500`
  expect(recorded).toEqual({ details: { filter, format: 'csv', rows: 2500 } })
})

test('an export in a format that does not exist is refused', async () => {
  expect((await download({ format: 'pdf' })).answer.status).toBe(400)
})
