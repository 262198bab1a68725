import { expect, test } from 'vitest'
import type { ImportErrors } from '#shared/contacts/contact-imports.ts'
import { contactFiles } from '#server/testing/files/contact-files.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const files = contactFiles(chefe)

/** Numbers as address books, spreadsheets and WhatsApp Web give them, with what each is. */
const given: readonly (readonly [name: string, written: string, phone: string])[] = [
  ['Tronco', '041987651501', '5541987651501'],
  ['Parênteses', '(041) 98765-1502', '5541987651502'],
  ['Fixo', '(041) 3333-1503', '554133331503'],
  ['Operadora', '015 41 98765-1504', '5541987651504'],
  ['Internacional', '00 55 41 98765-1505', '5541987651505'],
  ['Decimal', '41987651506.0', '5541987651506'],
  ['Decimal fixo', '4133331507.0', '554133331507'],
  ['Zap Web', '+55\u00a041\u00a098765\u20111509', '5541987651509'],
  ['Agenda', '\u202a+55 41 98765-1510\u202c', '5541987651510'],
  ['Traço', '(41) 98765\u20131511', '5541987651511'],
  ['WaMe', 'https://wa.me/5541987651512', '5541987651512'],
  ['Certo', '(41) 98765-1513', '5541987651513'],
]
const local = ['Sem DDD', '98765-1508'] as const

const csv = (rows: readonly (readonly string[])[]) =>
  ['Nome;Telefone', ...rows.map(([name = '', written = '']) => `${name};${written}`)].join('\n')
const stored = () =>
  t.sql<{
    name: string
    phone: string
  }>`select name, phone from contacts where deleted_at is null order by phone`

test('every spelling of a file is understood, and one without area code is refused by its line', async () => {
  await t.sql`update evolution_api_config set owner_jid = null`
  const rows = [...given.slice(0, 7), local, ...given.slice(7)]
  const job = await files.import(csv(rows))
  expect(job).toMatchObject({ state: 'done', created: 12, errors: 1, areaCode: null })
  const errors = await chefe.get<ImportErrors>(`/api/contacts/imports/${job.id}/errors`)
  expect(errors.rows).toEqual([{ line: 9, field: 'phone', value: '98765-1508', error: 'Falta o DDD' }])
  expect(await stored()).toEqual(
    given.map(([name, , phone]) => ({ name, phone })).toSorted((a, b) => a.phone.localeCompare(b.phone)),
  )
})

test('the same file again knows everybody, by every spelling', async () => {
  const { body } = await files.upload(csv(given))
  expect(body).toMatchObject({ totalRows: 12, knownRows: 12 })
})

test('a number without area code has that of the connected numbers, when it is one', async () => {
  await t.sql`update evolution_api_config set owner_jid = '5541988887777:3@s.whatsapp.net'`
  const job = await files.import(csv([local]))
  expect(job).toMatchObject({ created: 1, errors: 0, areaCode: '41' })
  expect(await stored()).toContainEqual({ name: 'Sem DDD', phone: '5541987651508' })
})
