import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import type { ContactImport, ImportErrors } from '#shared/contacts/contact-imports.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Contact } from '#shared/contacts/contacts.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { contactOf } from '#server/contacts/identity/identity.ts'
import { contactFiles } from '#server/testing/files/contact-files.ts'
import { given } from '#server/testing/given.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'
import { trimImports } from './trim.ts'

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

const files = contactFiles(chefe)

let numbers = 0
/** A number that nobody has, in its normal form. */
const newNumber = () => `5541988${String(100_000 + ++numbers)}`
const contactWith = async (phone: string) => {
  const { contacts } = await chefe.get<{ contacts: Contact[] }>(`/api/contacts?search=${phone}`)
  return contacts.find((contact) => contact.phone === phone)
}
const csv = (...lines: string[][]) => lines.map((cells) => cells.join(';')).join('\n')
const head = ['Nome', 'Fone', 'Email', 'Empresa', 'Tipo', 'Tags', 'Obs']
const errorsOf = (id: number, query = '') =>
  chefe.get<ImportErrors>(`/api/contacts/imports/${id}/errors${query}`)
const actionsSince = async (id: number) =>
  (
    await t.sql<{ action: string }>`select action from audit_logs where action like 'contact.import%'
             and details ->> 'importId' = ${String(id)} order by id`
  ).map(({ action }) => action)

/** Many rows with names of their own. */
const many = (count: number, name = 'Pessoa') => {
  const phones = Array.from({ length: count }, newNumber)
  return { phones, text: csv(['Nome', 'Fone'], ...phones.map((phone, n) => [`${name} ${n}`, phone])) }
}

test('a file is read before anything is written, and says what is in it', async () => {
  const known = newNumber()
  await files.import(csv(['Nome', 'Fone'], ['Já existe', known]))
  const wrong = [
    ['Sem fone', '', '3'],
    ['Curto', '11 3333', '4'],
  ]
  const text = csv(['NOME', 'FONE', 'CPF'], ['Rita', newNumber(), '1'], [], ['Rui', known, '2'], ...wrong)
  const { status, body } = await files.upload(text, 'meus contatos.csv')
  expect(status).toBe(201)
  expect(body).toMatchObject({
    fileName: 'meus contatos.csv',
    sizeBytes: text.length,
    format: 'csv',
    encoding: 'utf-8',
    hasBom: false,
    separator: ';',
    columns: [
      { name: 'NOME', sample: 'Rita' },
      { name: 'FONE', sample: expect.stringMatching(/^5541/) },
      { name: 'CPF', sample: '1' },
    ],
    totalRows: 4,
    knownRows: 1,
    errors: 2,
    mapping: ['name', 'phone', null],
    mappingFrom: null,
    state: 'read',
    uploadedBy: 'Chefe',
  })
  expect(body.firstRows).toHaveLength(4)
})

test.each([
  ['a PDF', Buffer.from('%PDF-1.4\n1 0 obj\n'), 'Não conseguimos ler este arquivo: ele parece um PDF.'],
  [
    'a picture',
    Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'),
    'Não conseguimos ler este arquivo: ele parece uma imagem.',
  ],
  ['a page', Buffer.from('  <table><tr>'), 'Não conseguimos ler este arquivo: ele parece uma página da web.'],
  [
    'a broken archive',
    Buffer.from('PK\u0003\u0004nada', 'latin1'),
    'Não conseguimos ler este arquivo: ele está incompleto.',
  ],
  ['other bytes', Buffer.from([1, 0, 2, 0, 3]), 'Não conseguimos ler este arquivo: ele não é um texto.'],
  ['nothing', Buffer.from(''), 'O arquivo está vazio.'],
  ['a header alone', Buffer.from('Nome;Fone\n\n;\n'), 'O arquivo não tem nenhuma linha abaixo do cabeçalho.'],
])('a file of %s is refused with a message, and leaves nothing behind', async (_, bytes, message) => {
  const count = () => t.sql`select count(*) from contact_imports`
  const before = await count()
  const { status, body } = await files.upload(bytes, 'contatos.csv')
  expect(status).toBe(422)
  expect(body.message).toMatch(new RegExp(`^${message.replaceAll('.', String.raw`\.`)}`))
  expect(await count()).toEqual(before)
})

test('a file that is larger than 50 MB is refused', async () => {
  const { status, body } = await files.upload(Buffer.alloc(50 * 1024 * 1024 + 1, 'a;b\n'))
  expect([status, body.message]).toEqual([413, 'O arquivo deve ter no máximo 50MB'])
})

test('a file is discarded as long as nothing of it was imported', async () => {
  const { body } = await files.upload(many(1).text)
  const discard = () => chefe.request('DELETE', `/api/contacts/imports/${body.id}`)
  expect((await discard()).status).toBe(204)
  expect((await discard()).status).toBe(404)
  const { id } = await files.import(many(1).text)
  expect((await chefe.request('DELETE', `/api/contacts/imports/${id}`)).status).toBe(409)
})

test('a file with the columns of an earlier one is mapped as that one was', async () => {
  const columns = ['Quem', 'Onde', 'Nota']
  const mapping = ['name', 'phone', null] as const
  await files.import(csv(columns, ['Lia', newNumber(), '']), { mapping: [...mapping] })
  const { body } = await files.upload(csv(columns, ['Léo', newNumber(), '']))
  expect(body.mapping).toEqual(mapping)
  expect(body.mappingFrom).not.toBeNull()
})

test('a file begins only when name and telephone have a column each', async () => {
  const { body } = await files.upload(csv(['A', 'B'], ['Lia', newNumber()]))
  const startWith = async (...mapping: ('name' | 'phone' | null)[]) =>
    (await files.start(body.id, { mapping })).body.code
  expect(await startWith('name', null)).toBe('imports.no_phone')
  expect(await startWith('phone', null)).toBe('imports.no_name')
  expect(await startWith('name', 'phone', 'phone')).toBe('request.invalid')
  expect((await files.read(body.id)).state).toBe('read')
})

test('vCards are imported like rows, and those that cannot be are named by their place', async () => {
  const [first, second] = [newNumber(), newNumber()]
  const cards = [
    ['N:Prado;Jussara', `TEL;TYPE=CELL:+${first}`, 'TEL;TYPE=HOME:1', 'ORG:Prado', 'CATEGORIES:VIP,Sul'],
    ['FN:Sem telefone'],
    ['FN:Lauro', `TEL:+${second}`],
  ]
  const text = cards.map((lines) => ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n'))
  const { body } = await files.upload(text.join(''), 'agenda.vcf')
  expect(body).toMatchObject({
    format: 'vcf',
    encoding: 'utf-8',
    separator: null,
    totalRows: 3,
    knownRows: 0,
    errors: 1,
  })
  await files.start(body.id)
  expect(await files.ended(body.id)).toMatchObject({ state: 'done', created: 2, errors: 1 })
  expect(await contactWith(first)).toMatchObject({
    name: 'Jussara Prado',
    company: { name: 'Prado' },
    tags: ['VIP', 'Sul'],
  })
  expect((await errorsOf(body.id)).rows).toMatchObject([{ line: 3, field: 'phone' }])
})

test('a field may have several columns: names are joined, and a mobile telephone counts first', async () => {
  const mobile = newNumber()
  const columns = ['Nome', 'Sobrenome', 'Fone fixo', 'Celular', 'Nota 1', 'Nota 2']
  const row = ['Ana', 'Sá', '(41) 3333-1601', mobile, 'liga', 'à tarde']
  const done = await files.import(csv(columns, row, ['Rui', '', '(41) 3333-1602', '', '', '']), {
    mapping: ['name', 'name', 'phone', 'phone', 'notes', 'notes'],
  })
  expect(done).toMatchObject({ created: 2, errors: 0 })
  expect(await contactWith(mobile)).toMatchObject({ name: 'Ana Sá', notes: 'liga\nà tarde' })
  expect(await contactWith('554133331602')).toMatchObject({ name: 'Rui' })
})

test('an import creates contacts with everything that the rows say', async () => {
  const [full, bare] = [newNumber(), newNumber()]
  const company = `Prado ${full}`
  const done = await files.import(
    csv(
      head,
      [
        'Jussara Prado',
        `+${full}`,
        'jussara@prado.example',
        company,
        'fornecedor',
        'boleto, obra|VIP',
        'à vista',
      ],
      ['Nivaldo', bare.slice(2), '', company.toUpperCase(), '', '', ''],
    ),
  )
  expect(done).toMatchObject({ state: 'done', doneRows: 2, created: 2, updated: 0, errors: 0, kept: 0 })
  expect(await contactWith(full)).toMatchObject({
    name: 'Jussara Prado',
    email: 'jussara@prado.example',
    company: { name: company },
    category: 'Fornecedor',
    tags: ['boleto', 'obra', 'VIP'],
    notes: 'à vista',
  })
  expect(await contactWith(bare)).toMatchObject({
    category: 'general',
    email: null,
    company: { name: company },
  })
  // A message from the number finds the contact.
  const identity = { phone: full, lid: undefined, jid: `${full}@s.whatsapp.net`, name: 'Ju' }
  const found = await inTransaction(t.database, (db) => contactOf(db, identity))
  expect(found.id).toBe((await contactWith(full))?.id)
  expect(await actionsSince(done.id)).toEqual(['contact.import', 'contact.import_end'])
})

test('an import leaves out rows that the form would refuse, with its words', async () => {
  const good = newNumber()
  const { id, created, errors } = await files.import(
    csv(
      head,
      ['', newNumber()],
      ['Ana', '9876'],
      ['Bia', 'não tem número'],
      ['Caio', newNumber(), 'caio@@loja'],
      ['Davi', newNumber(), '', '', 'inexistente'],
      ['Eva', good],
      ['F'.repeat(201), newNumber()],
    ),
  )
  expect([created, errors]).toEqual([1, 6])
  const { rows: found, counts, pagination } = await errorsOf(id)
  expect(found.slice(0, 5)).toEqual([
    { line: 2, field: 'name', value: '', error: 'Nome é obrigatório' },
    { line: 3, field: 'phone', value: '9876', error: 'Telefone deve ter pelo menos 10 dígitos' },
    { line: 4, field: 'phone', value: 'não tem número', error: 'Telefone inválido' },
    { line: 5, field: 'email', value: 'caio@@loja', error: 'Email inválido' },
    { line: 6, field: 'category', value: 'inexistente', error: 'Categoria não encontrada' },
  ])
  expect(found[5]?.line).toBe(8)
  expect(pagination.total).toBe(6)
  expect(counts).toContainEqual({ field: 'phone', count: 2 })
  const phones = await errorsOf(id, '?field=phone&limit=1&page=2')
  expect(phones.rows.map(({ line }) => line)).toEqual([4])
  expect(phones.pagination).toEqual({ page: 2, limit: 1, total: 2, totalPages: 2 })
  const { body } = await chefe.request<string>('GET', `/api/contacts/imports/${id}/errors/export`)
  const lines = body.split('\r\n')
  expect(lines[0]).toBe('Nome;Fone;Email;Empresa;Tipo;Tags;Obs;Erro')
  expect(lines[2]).toBe('Ana;9876;;;;;;Telefone deve ter pelo menos 10 dígitos')
  expect(lines).toHaveLength(8)
})

test('an import of the same file twice gives the same contacts', async () => {
  const { text, phones } = many(1200)
  const snapshot = () =>
    t.sql`select id, name, phone, updated_at from contacts where phone = any(${sql.param(phones)}::text[])
           order by id`
  expect(await files.import(text)).toMatchObject({ created: 1200, kept: 0 })
  const before = await snapshot()
  expect(await files.import(text)).toMatchObject({ created: 0, updated: 0, kept: 1200, errors: 0 })
  expect(await snapshot()).toEqual(before)
})

test('an import takes a number twice in a file for one contact, also in blocks of their own', async () => {
  const twice = newNumber()
  const others = many(600).text.split('\n').slice(1)
  const first = [`Nome;Fone`, `Primeira;${twice}`, `Segunda;+${twice}`]
  const { created, updated } = await files.import([...first, ...others, `Terceira;${twice}`].join('\n'))
  expect([created, updated]).toEqual([601, 2])
  expect((await contactWith(twice))?.name).toBe('Terceira')
})

test('an import updates known contacts by what the row says, or skips them', async () => {
  const phone = newNumber()
  await files.import(csv(head, ['Rita', phone, 'rita@a.example', '', 'VIP', 'fiel', 'antiga']))
  const row = csv(head, ['Rita Lima', phone, '', '', '', 'obra', ''])
  expect(await files.import(row, { known: 'skip' })).toMatchObject({ updated: 0, kept: 1 })
  expect((await contactWith(phone))?.name).toBe('Rita')
  expect(await files.import(row)).toMatchObject({ updated: 1, kept: 0 })
  expect(await contactWith(phone)).toMatchObject({
    name: 'Rita Lima',
    email: 'rita@a.example',
    category: 'VIP',
    tags: ['fiel', 'obra'],
    notes: 'antiga',
  })
})

test('an import creates no company for whoever may not', async () => {
  const operator = await t.signIn('operator')
  const flags = { canImportContacts: true, canCreateContacts: true, canEditContacts: true }
  await chefe.request('PUT', `/api/user-permissions/${operator.userId}`, {
    ...flags,
    canCreateCompanies: false,
  })
  const own = contactFiles(operator)
  const name = `Nova ${newNumber()}`
  const done = await own.import(csv(head, ['Ana', newNumber(), '', name]))
  expect(done).toMatchObject({ created: 0, errors: 1 })
  expect((await errorsOf(done.id)).rows[0]).toMatchObject({
    field: 'company',
    error: 'Empresa não encontrada',
  })
  // Whoever may not edit contacts does not update them by a file.
  await chefe.request('PUT', `/api/user-permissions/${operator.userId}`, { ...flags, canEditContacts: false })
  const { body } = await own.upload(many(1).text)
  expect((await own.start(body.id)).status).toBe(403)
  expect((await own.start(body.id, { known: 'skip' })).status).toBe(200)
  await own.ended(body.id)
})

test('an import of a spreadsheet is one like any other', async () => {
  const phone = newNumber()
  const bytes = await writeXlsx({
    sheets: [
      {
        name: 'A',
        rows: [
          ['Nome', 'Celular'],
          ['Zoé', Number(phone)],
          ['', 'x'],
        ],
      },
    ],
  })
  const { body } = await files.upload(bytes, 'lista.xlsx')
  expect(body).toMatchObject({ format: 'xlsx', encoding: null, separator: null, totalRows: 2 })
  await files.start(body.id)
  expect(await files.ended(body.id)).toMatchObject({ created: 1, errors: 1 })
  expect((await contactWith(phone))?.name).toBe('Zoé')
})

test('of a spreadsheet the sheet, the row of the headings and hidden rows are chosen', async () => {
  const [hidden, shown, other] = [newNumber(), newNumber(), newNumber()]
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Capa', rows: [] },
      {
        name: 'Clientes',
        rows: [['Clientes da loja'], ['Nome', 'Celular'], ['Rui', hidden], ['Zoé', shown]],
        rowDefs: new Map([[2, { hidden: true }]]),
      },
      { name: 'Fornecedores', rows: [['Ana', other]] },
    ],
  })
  const { body } = await files.upload(bytes, 'lista.xlsx')
  expect(body).toMatchObject({
    sheets: [
      { name: 'Capa', rows: 0, hidden: 0 },
      { name: 'Clientes', rows: 4, hidden: 1 },
      { name: 'Fornecedores', rows: 1, hidden: 0 },
    ],
    choice: { sheet: 1, headerLine: 2, withHidden: false },
    firstLines: [
      { line: 1, text: 'Clientes da loja' },
      { line: 2, text: 'Nome · Celular' },
      { line: 4, text: `Zoé · ${shown}` },
    ],
    mapping: ['name', 'phone'],
    totalRows: 1,
  })
  const choose = (choice: object) =>
    chefe.request<ContactImport & { code: string }>('PUT', `/api/contacts/imports/${body.id}/rows`, choice)
  expect((await choose({ sheet: 2, withHidden: false })).body.code).toBe('imports.empty')
  expect((await choose({ sheet: 3, withHidden: false })).status).toBe(400)
  expect((await choose({ sheet: 1, headerLine: 3, withHidden: true })).body).toMatchObject({
    columns: [{ name: 'Rui' }, { name: hidden }],
    totalRows: 1,
  })
  expect((await choose({ sheet: 1, withHidden: true })).body).toMatchObject({
    choice: { headerLine: 2, withHidden: true },
    totalRows: 2,
  })
  await files.start(body.id)
  expect((await choose({ sheet: 1, withHidden: false })).status).toBe(409)
  expect(await files.ended(body.id)).toMatchObject({ created: 2, errors: 0 })
  expect((await contactWith(hidden))?.name).toBe('Rui')
})

test('a file that an earlier version has read is imported', async () => {
  const { phones, text } = many(2)
  const { body } = await files.upload(text)
  const [stored] = await t.sql<{ storedName: string }>`update contact_imports set header_line = null
      where id = ${body.id} returning stored_name as "storedName"`
  await t.app.files.remove(stored?.storedName ?? '')
  const spooled = await t.app.files.spool(Readable.from([Buffer.from(text)]), 1000)
  await t.app.files.keep(stored?.storedName ?? '', spooled)
  await files.start(body.id)
  expect(await files.ended(body.id)).toMatchObject({ created: phones.length, errors: 0 })
})

test('an import of two files with the same numbers at once ends with one contact for each', async () => {
  const { phones, text } = many(1500)
  const backwards = ['Nome;Fone', ...text.split('\n').slice(1).toReversed()].join('\n')
  // An instance works on one import at a time.
  const second = await t.startAnother()
  const [one, other] = await Promise.all([files.import(text), files.import(backwards)])
  await second.stop()
  expect([one.state, other.state]).toEqual(['done', 'done'])
  expect((one.created ?? 0) + (other.created ?? 0)).toBe(1500)
  const [found] = await t.sql<{ n: number }>`select count(*)::int as n from contacts where deleted_at is null
           and phone = any(${sql.param(phones)}::text[])`
  expect(found?.n).toBe(1500)
})

test('an import pushes the open conversations of the contacts that it changes', async () => {
  const { id, contact } = await given.conversation(t, chefe)
  await files.import(csv(['Nome', 'Fone'], ['Nome do arquivo', contact.phone ?? '']))
  const renamed = await chefe.get<Conversation>(`/api/conversations/${id}`)
  expect(renamed.contact.name).toBe('Nome do arquivo')
  const events = await t.sql`
      select 1 from events where type = 'conversation_updated' and conversation_id = ${id}`
  expect(events.length).toBeGreaterThan(0)
})

describe('on the way, an import', () => {
  /** Starts a file of 2000 rows and stops it while a block waits for its commit. */
  const halted = async () => {
    const { text, phones } = many(2000)
    const { body } = await files.upload(text)
    const release = armFailpoints('import.block=sleep:150@2')
    await files.start(body.id)
    const progress = () => files.read(body.id)
    await expect.poll(async () => (await progress()).doneRows, { timeout: 20_000 }).toBeGreaterThan(0)
    const { status } = await files.act(body.id, 'stop')
    release()
    expect(status).toBe(200)
    return { id: body.id, phones, text }
  }

  test('a running import is stopped after a block, and goes on behind it', async () => {
    const { id, phones } = await halted()
    const stopped = await files.read(id)
    expect(stopped).toMatchObject({ state: 'stopped', canContinue: true, undoUntil: expect.any(String) })
    expect(stopped.doneRows).toBeGreaterThan(0)
    expect(stopped.doneRows).toBeLessThan(2000)
    expect(stopped.created).toBe(stopped.doneRows)
    expect((await files.act(id, 'stop')).body.code).toBe('imports.changed')
    await files.act(id, 'continue')
    expect(await files.ended(id)).toMatchObject({ state: 'done', doneRows: 2000, created: 2000, kept: 0 })
    expect(await contactWith(phones[1999] ?? '')).toMatchObject({ name: 'Pessoa 1999' })
    expect(await actionsSince(id)).toEqual([
      'contact.import',
      'contact.import_stop',
      'contact.import_continue',
      'contact.import_end',
    ])
  })

  test('a failed import keeps whole blocks, and resumes without doubling any', async () => {
    const { text } = many(1500)
    const { body } = await files.upload(text)
    const release = armFailpoints('import.block=throw@2')
    await files.start(body.id)
    const failed = await files.ended(body.id)
    release()
    expect(failed).toMatchObject({ state: 'failed', doneRows: 100, created: 100, canContinue: true })
    await files.act(body.id, 'continue')
    expect(await files.ended(body.id)).toMatchObject({ state: 'done', created: 1500, updated: 0, kept: 0 })
  })

  test('a running import begins once, and is undone only when nobody works on it', async () => {
    const { body } = await files.upload(many(1000).text)
    const release = armFailpoints('import.block=sleep:100')
    const starts = await Promise.all([files.start(body.id), files.start(body.id)])
    expect(starts.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    expect((await files.act(body.id, 'undo')).status).toBe(409)
    expect((await files.act(body.id, 'continue')).status).toBe(409)
    release()
    expect(await files.ended(body.id)).toMatchObject({ created: 1000 })
  })
})

test('an undone import deletes what it created and restores what it changed', async () => {
  const [talking, changed, edited, fresh] = [newNumber(), newNumber(), newNumber(), newNumber()]
  await files.import(
    csv(head, ['Antes', changed, 'antes@a.example', '', 'VIP'], ['Antes', edited, 'antes@a.example']),
  )
  const done = await files.import(
    csv(
      head,
      ['Depois', changed, 'depois@a.example', '', 'Lead', 'nova'],
      ['Depois', edited, 'depois@a.example'],
      ['Nova', fresh],
      ['Conversa', talking],
    ),
  )
  const person = await contactWith(edited)
  await chefe.request('PUT', `/api/contacts/${person?.id}`, { email: 'colega@a.example' })
  const { id: talkingId } = (await contactWith(talking)) ?? { id: 0 }
  const sent = await chefe.request('POST', `/api/contacts/${talkingId}/send-message`, { content: 'Oi' })
  expect(sent.status).toBe(201)
  await files.act(done.id, 'undo')
  expect(await files.ended(done.id)).toMatchObject({
    state: 'undone',
    deleted: 1,
    restored: 2,
    undoneRows: 4,
  })
  expect(await contactWith(fresh)).toBeUndefined()
  expect(await contactWith(talking)).toMatchObject({ name: 'Conversa' })
  expect(await contactWith(changed)).toMatchObject({
    name: 'Antes',
    email: 'antes@a.example',
    category: 'VIP',
    tags: [],
  })
  expect(await contactWith(edited)).toMatchObject({ name: 'Antes', email: 'colega@a.example' })
  expect((await actionsSince(done.id)).slice(-2)).toEqual(['contact.import_undo', 'contact.import_undone'])
  for (const what of ['undo', 'continue'] as const) expect((await files.act(done.id, what)).status).toBe(409)
  // The numbers are free again.
  expect(await files.import(csv(['Nome', 'Fone'], ['Outra', fresh]))).toMatchObject({ created: 1 })
})

test('an undone import takes the companies along that only it has used, and says how many', async () => {
  const [one, two, three, kept] = [newNumber(), newNumber(), newNumber(), newNumber()]
  const [own, shared, talked, edited] = ['Só dela', 'Também de outros', 'Com conversa', 'Editada'].map(
    (name) => `${name} ${one}`,
  ) as [string, string, string, string]
  await files.import(csv(head, ['Já havia', kept]))
  const done = await files.import(
    csv(
      head,
      ['Um', one, '', own],
      ['Já havia', kept, '', own],
      ['Dois', two, '', shared],
      ['Três', three, '', talked],
      ['Quatro', newNumber(), '', edited],
    ),
  )
  const companies = async () => {
    const found = await chefe.get<{ companies: { id: number; name: string }[] }>(
      `/api/companies?page=1&limit=50&search=${one}`,
    )
    return found.companies
  }
  const idOf = async (name: string) => (await companies()).find((company) => company.name === name)?.id
  const outsider = await files.import(csv(head, ['Outro', newNumber(), '', shared]))
  expect(outsider).toMatchObject({ created: 1, ownCompanies: 0 })
  await chefe.request('PUT', `/api/companies/${await idOf(edited)}`, { responsibleName: 'Ana' })
  const talking = await contactWith(three)
  await chefe.request('POST', `/api/contacts/${talking?.id}/send-message`, { content: 'Oi' })
  expect((await files.read(done.id)).ownCompanies).toBe(1)
  await files.act(done.id, 'undo')
  expect(await files.ended(done.id)).toMatchObject({
    state: 'undone',
    deleted: 3,
    restored: 1,
    deletedCompanies: 1,
    ownCompanies: 0,
  })
  expect((await companies()).map(({ name }) => name).toSorted()).toEqual([talked, edited, shared].toSorted())
  expect((await contactWith(kept))?.company).toBeNull()
  const [end] = await t.sql`select details ->> 'companies' as companies from audit_logs
                             where action = 'contact.import_undone' order by id desc limit 1`
  expect(end).toEqual({ companies: '1' })
})

test('an undone import counts each contact once, and none that it does not touch', async () => {
  const [typed, twice, fresh] = [newNumber(), newNumber(), newNumber()]
  const { id } = await inTransaction(t.database, (db) =>
    contactOf(db, { phone: typed, lid: undefined, jid: `${typed}@s.whatsapp.net`, name: 'Do WhatsApp' }),
  )
  await files.import(csv(head, ['Antes', twice]))
  const others = many(600).text.split('\n').slice(1)
  const done = await files.import(
    [
      'Nome;Fone',
      `Do arquivo;${typed}`,
      `Meio;${twice}`,
      `Nova;${fresh}`,
      ...others,
      `Fim;${twice}`,
      `Nova de novo;${fresh}`,
    ].join('\n'),
  )
  expect(done).toMatchObject({ created: 601, updated: 4 })
  await chefe.request('PUT', `/api/contacts/${id}`, { name: 'Digitado' })
  await files.act(done.id, 'undo')
  expect(await files.ended(done.id)).toMatchObject({ deleted: 601, restored: 1, undoneRows: 605 })
  expect((await contactWith(twice))?.name).toBe('Antes')
  // The name that was typed since is nobody else's.
  expect(await t.sql`select name, has_gateway_name as "isOfGateway" from contacts where id = ${id}`).toEqual([
    { name: 'Digitado', isOfGateway: false },
  ])
})

test('an undone import is not undone after a day', async () => {
  const { id } = await files.import(many(1).text)
  await t.sql`update contact_imports set ended_at = ended_at - interval '25 hours' where id = ${id}`
  expect((await files.read(id)).undoUntil).toBeNull()
  expect((await files.act(id, 'undo')).body.code).toBe('imports.too_old')
})

test('files and rows of imports are deleted after thirty days', async () => {
  const old = await files.import(csv(['Nome', 'Fone'], ['', 'x'], ['Ana', newNumber()]))
  const young = await files.import(many(1).text)
  const stored = async (id: number) => {
    const [row] = await t.sql<{ name: string }>`
      select stored_name as name from contact_imports where id = ${id}`
    return row?.name ?? ''
  }
  const [oldName, youngName] = [await stored(old.id), await stored(young.id)]
  const isStored = async (name: string) => (await t.app.files.read(name))?.destroy() !== undefined
  expect(await isStored(oldName)).toBe(true)
  await t.sql`update contact_imports set created_at = created_at - interval '31 days' where id = ${old.id}`
  await trimImports(t.database, t.app.files)
  expect((await chefe.request('GET', `/api/contacts/imports/${old.id}`)).status).toBe(404)
  expect(await isStored(oldName)).toBe(false)
  const left = await t.sql`select 1 from contact_import_rows where import_id = ${old.id}`
  expect(left).toHaveLength(0)
  expect((await files.read(young.id)).state).toBe('done')
  expect(await isStored(youngName)).toBe(true)
})
