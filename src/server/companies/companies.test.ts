import { describe, expect, test } from 'vitest'
import type { Company, CompanyOption } from '#shared/contacts/companies.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { addNumber } from '../testing/add-number.ts'
import { forAllTests, testApp } from '../testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

interface Page {
  companies: Company[]
  pagination: { page: number; limit: number; total: number; totalPages: number }
}
const create = (body: object, who = admin) => who.request<CompanyOption>('POST', '/api/companies', body)
const page = (query: string, who = admin) => who.get<Page>(`/api/companies?page=1&${query}`)

test('a company is created with its name trimmed, and written down', async () => {
  const { status, body } = await create({ name: '  Padaria Sol  ', phone: '11 4002-8922' })
  expect([status, body.name, body.isActive]).toEqual([201, 'Padaria Sol', true])
  const [entry] = await t.sql`select user_id as "userId", action, details from audit_logs
         where resource_type = 'company' and resource_id = ${String(body.id)}`
  expect(entry).toEqual({ userId: admin.userId, action: 'company.create', details: { name: 'Padaria Sol' } })
})

test('a company needs a name that is not blank', async () => {
  const { status, body } = await admin.request('POST', '/api/companies', { name: '   ' })
  expect([status, body.fields]).toEqual([400, { name: 'Nome é obrigatório' }])
})

test.each([
  ['abc', 'Telefone inválido'],
  ['1234', 'Telefone deve ter pelo menos 10 dígitos'],
  ['(20) 3333-4444', 'O DDD 20 não existe'],
  ['(11) 1234-5678', 'Este telefone não existe: confira os dígitos'],
])('a company with the telephone %s is refused with the reason', async (phone, reason) => {
  const { status, body } = await admin.request('POST', '/api/companies', { name: 'Sem Fone', phone })
  expect([status, body.message, body.fields]).toEqual([400, reason, { phone: reason }])
})

test('the telephone of a company is stored in its normal form, and one of before may stay', async () => {
  const { body } = await create({ name: 'Fones', phone: '0 15 11 3333-4441' })
  const stored = async () => (await page('search=Fones')).companies.find(({ id }) => id === body.id)?.phone
  expect(await stored()).toBe('551133334441')
  await t.sql`update companies set phone = '1133334441 ramal 2' where id = ${body.id}`
  const change = (phone: string) => admin.request('PUT', `/api/companies/${body.id}`, { phone })
  expect((await change('1133334441 ramal 2')).status).toBe(200)
  expect((await change('1133334441 ramal 3')).status).toBe(400)
  expect((await change('4004-1234')).status).toBe(200)
  expect(await stored()).toBe('4004-1234')
  await t.sql`delete from companies where id = ${body.id}`
})

test.each([
  ['half of a sign', 'Padaria \ud83d'],
  ['a NUL', 'Padaria \0'],
])('a company is refused by a name with %s, and nothing is kept', async (_what, name) => {
  const { status, body } = await admin.request('POST', '/api/companies', { name })
  expect([status, body.code]).toEqual([400, 'request.invalid'])
  expect((await page('search=Padaria')).companies.map((one) => one.name)).toEqual(['Padaria Sol'])
})

test('a company is made once, however many make it at the same instant', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      admin.request('POST', '/api/companies', { name: n % 2 ? 'Café Ímpar' : 'CAFÉ ÍMPAR' }),
    ),
  )
  const refused = answers.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(11)
  expect(refused[0]?.body.message).toBe('Já existe uma empresa com este nome.')
  expect((await page('search=ímpar')).companies).toHaveLength(1)
  expect((await page('search=IMPAR')).companies).toHaveLength(1)
})

describe('a company that is there', () => {
  const change = <Body = CompanyOption>(id: number, body: object, who = admin) =>
    who.request<Body>('PUT', `/api/companies/${id}`, body)
  const found = async (name: string) => (await page(`search=${encodeURIComponent(name)}`)).companies[0]
  const auditOf = (id: number) =>
    t.sql`select action, details, p.values -> 'changes' as changes from audit_logs l
            left join audit_personal p on p.log_id = l.id
           where resource_type = 'company' and resource_id = ${String(id)} and action <> 'company.create'`

  test('an existing company is changed in what the body has, and written down', async () => {
    const { body: made } = await create({ name: 'Oficina Lima', phone: '1133334444', responsibleName: 'Lia' })
    const { status, body } = await change(made.id, { name: ' Oficina Limão ', phone: '', isActive: false })
    expect([status, body]).toEqual([200, { id: made.id, name: 'Oficina Limão', isActive: false }])
    expect(await found('Oficina Limão')).toMatchObject({
      phone: null,
      responsibleName: 'Lia',
      isActive: false,
    })
    expect(await auditOf(made.id)).toEqual([
      {
        action: 'company.change',
        details: {
          name: 'Oficina Limão',
          changes: { name: ['Oficina Lima', 'Oficina Limão'], isActive: [true, false] },
        },
        changes: { phone: ['551133334444', null] },
      },
    ])
  })

  test('an existing company that gets what it has is not changed', async () => {
    const { body: made } = await create({ name: 'Igual' })
    const before = await found('Igual')
    expect((await change(made.id, { name: 'Igual', phone: '', isActive: true })).status).toBe(200)
    expect(await found('Igual')).toEqual(before)
    expect(await auditOf(made.id)).toEqual([])
  })

  test('a company may change the spelling of its name, but not take another’s', async () => {
    const { body: one } = await create({ name: 'Farmácia Um' })
    const { body: two } = await create({ name: 'Farmácia Dois' })
    const refused = await change<ErrorBody>(two.id, { name: 'FARMÁCIA UM' })
    expect([refused.status, refused.body.message]).toEqual([409, 'Já existe uma empresa com este nome.'])
    expect((await change(one.id, { name: 'FARMÁCIA UM' })).body.name).toBe('FARMÁCIA UM')
  })

  test('the second of two who edit a company is refused', async () => {
    const { body: made } = await create({ name: 'Disputada' })
    const updatedAt = (await found('Disputada'))?.updatedAt
    expect((await change(made.id, { name: 'Disputada A', updatedAt })).status).toBe(200)
    const late = await change<ErrorBody>(made.id, { name: 'Disputada B', updatedAt })
    expect([late.status, late.body.code]).toEqual([409, 'companies.changed'])
    expect((await found('Disputada'))?.name).toBe('Disputada A')
  })

  test('an existing company keeps one name, however many take it at the same instant', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, (_, n) => create({ name: `Corrida ${n}` })))
    const answers = await Promise.all(made.map(({ body }) => change(body.id, { name: 'Vencedora' })))
    expect(Map.groupBy(answers, ({ status }) => status).get(409)).toHaveLength(7)
    expect((await page('search=Vencedora')).companies).toHaveLength(1)
  })

  test('an existing company is deleted, and its contacts have none', async () => {
    const { body: made } = await create({ name: 'Passageira' })
    await t.sql`insert into contacts (name, phone, company_id, deleted_at) values
            ('Viva', '5511900000201', ${made.id}, null), ('Apagada', null, ${made.id}, now())`
    expect((await admin.request('DELETE', `/api/companies/${made.id}`)).status).toBe(204)
    expect(await found('Passageira')).toBeUndefined()
    const left = await t.sql`select company_id from contacts where name in ('Viva', 'Apagada')`
    expect(left).toEqual([{ company_id: null }, { company_id: null }])
    expect(await auditOf(made.id)).toMatchObject([
      { action: 'company.delete', details: { name: 'Passageira', contacts: 1 } },
    ])
  })

  test.each([
    ['PUT', { name: 'Nova' }],
    ['DELETE', undefined],
  ])('an existing company that is gone answers %s with 404', async (method, body) => {
    const { body: made } = await create({ name: `Some ${method}` })
    await admin.request('DELETE', `/api/companies/${made.id}`)
    const answer = await admin.request<ErrorBody>(method, `/api/companies/${made.id}`, body)
    expect([answer.status, answer.body.message]).toEqual([404, 'Empresa não encontrada'])
  })
})

test('the list is an array of all to choose from, by name, without a page', async () => {
  await create({ name: 'abelha', isActive: false })
  await create({ name: 'Zebra', phone: '1133334444', responsibleName: 'Ivo' })
  const { body } = await ana.request<CompanyOption[]>('GET', '/api/companies')
  const names = body.map(({ name }) => name)
  expect([names[0], names.at(-1)]).toEqual(['abelha', 'Zebra'])
  expect(body[0]).toEqual({ id: expect.any(Number), name: 'abelha', isActive: false })
})

test('the list counts its contacts and knows the last of their talks', async () => {
  const { body: made } = await create({ name: 'Contada' })
  await t.sql`insert into contacts (name, phone, company_id, deleted_at) values
          ('A', '5511900000101', ${made.id}, null), ('B', '5511900000102', ${made.id}, null),
          ('C', null, ${made.id}, now())`
  expect((await page('search=contada')).companies).toEqual([
    {
      ...made,
      phone: null,
      responsibleName: null,
      contactCount: 2,
      lastContactAt: null,
      updatedAt: expect.any(String),
    },
  ])
  await t.sql`insert into conversations (contact_id, instance_id, initiated_by, protocol, last_activity_at)
        select id, ${t.instanceId}, 'contact', '20260101000001', '2026-01-02T03:04:05Z' from contacts
        where phone = '5511900000101'`
  const [company] = (await page('search=contada')).companies
  expect(company?.lastContactAt).toBe('2026-01-02T03:04:05.000Z')
})

test('the list counts for whoever has some numbers only what these know', async () => {
  const { body: made } = await create({ name: 'De Dois Números', phone: '1144556677' })
  const other = await addNumber(t, 'loja2')
  await t.sql`insert into contacts (name, phone, company_id) values
          ('Só de cá', '5511900000901', ${made.id}), ('Só de lá', '5511900000902', ${made.id}),
          ('De ambos', '5511900000903', ${made.id}), ('De nenhum', '5511900000904', ${made.id})`
  const talk = (phone: string, instanceId: number, at: string) => t.sql`
    insert into conversations (contact_id, instance_id, initiated_by, protocol, last_activity_at)
         select id, ${instanceId}, 'contact', ${`202601010${phone.slice(-4)}${instanceId}`}, ${at}
           from contacts where phone = ${phone}`
  await talk('5511900000901', t.instanceId, '2026-01-01T00:00:00Z')
  await talk('5511900000902', other, '2026-03-01T00:00:00Z')
  await talk('5511900000903', t.instanceId, '2026-01-02T00:00:00Z')
  await talk('5511900000903', other, '2026-02-01T00:00:00Z')
  const rita = await t.signIn('supervisor', 'rita')
  const seen = async () =>
    (await page('search=de%20dois', rita)).companies.map((one) => [one.contactCount, one.lastContactAt])
  expect(await seen()).toEqual([[4, '2026-03-01T00:00:00.000Z']])
  await t.sql`update users set number_ids = array[${t.instanceId}::int] where id = ${rita.userId}`
  expect(await seen()).toEqual([[3, '2026-01-02T00:00:00.000Z']])
  await create({ name: 'Outra', phone: '1144556677' })
  const pairs = await rita.get<[Company, Company][]>('/api/companies/duplicates')
  expect(pairs.flat().find(({ id }) => id === made.id)?.contactCount).toBe(3)
  await t.sql`update companies set phone = null where phone = '551144556677'`
})

test('the list without canViewCompanies has only names and states, and searches no more', async () => {
  const { companies, pagination } = await page('limit=2', ana)
  expect(companies.map((one) => Object.keys(one).toSorted())).toEqual(
    Array.from({ length: 2 }, () => ['id', 'isActive', 'name']),
  )
  expect(pagination).toMatchObject({ page: 1, limit: 2, totalPages: Math.ceil(pagination.total / 2) })
  expect((await page('search=1133334444', ana)).pagination.total).toBe(0)
  expect((await page('search=ivo', ana)).companies).toEqual([])
  expect((await page('search=1133334444')).companies.map(({ name }) => name)).toEqual(['Zebra'])
  expect((await page('search=ivo')).companies.map(({ name }) => name)).toEqual(['Zebra'])
})

test('the list takes % and _ as they are written', async () => {
  await create({ name: '100%_pronto' })
  expect((await page('search=%25_')).companies.map(({ name }) => name)).toEqual(['100%_pronto'])
})

test('the list is found without its accents, in any case', async () => {
  await create({ name: 'Açougue do Žižek' })
  for (const search of ['acougue do zizek', 'AÇOUGUE', 'žiž'])
    expect((await page(`search=${encodeURIComponent(search)}`)).companies).toMatchObject([
      { name: 'Açougue do Žižek' },
    ])
})

test('the list is whole over its pages', async () => {
  const all = (await admin.get<CompanyOption[]>('/api/companies')).length
  const pages = await Promise.all(
    Array.from({ length: Math.ceil(all / 3) }, async (_, at) => {
      const { body } = await admin.request<Page>('GET', `/api/companies?page=${at + 1}&limit=3`)
      return body.companies.map(({ id }) => id)
    }),
  )
  expect(new Set(pages.flat()).size).toBe(all)
})

describe('two companies with the same phone', () => {
  const merge = (id: number, otherId: number, who = admin) =>
    who.request<ErrorBody & CompanyOption>('POST', `/api/companies/${id}/merge`, { otherId })
  const duplicates = async () =>
    (await admin.get<[Company, Company][]>('/api/companies/duplicates')).map((pair) =>
      pair.map(({ id }) => id),
    )

  test('two companies with one phone are suggested until they are kept apart', async () => {
    const a = (await create({ name: 'Pão & Cia', phone: '(11) 5821-4406' })).body.id
    const b = (await create({ name: 'Pao e Cia Ltda', phone: '+55 11 58214406' })).body.id
    await create({ name: 'Outra', phone: '11 5821-4407' })
    await create({ name: 'Sem telefone' })
    expect(await duplicates()).toEqual([[a, b]])
    expect(await admin.request('POST', `/api/companies/${b}/keep-apart`, { otherId: a })).toMatchObject({
      status: 204,
    })
    expect(await duplicates()).toEqual([])
  })

  test('two merged companies have the contacts of both and what either had', async () => {
    const a = (await create({ name: 'Sol', phone: '1158219999', isActive: false })).body.id
    const b = (await create({ name: 'Sol Ltda', responsibleName: 'Rita' })).body.id
    await t.sql`insert into contacts (name, phone, company_id) values ('Um', '5511900001111', ${b})`
    expect(await merge(a, b)).toMatchObject({ status: 200, body: { id: a, name: 'Sol', isActive: true } })
    const [found] = (await page('search=Sol')).companies.filter(({ id }) => [a, b].includes(id))
    expect(found).toMatchObject({ id: a, phone: '551158219999', responsibleName: 'Rita', contactCount: 1 })
    expect(await merge(a, b)).toMatchObject({ status: 404, body: { message: 'Empresa não encontrada' } })
    expect(await merge(a, a)).toMatchObject({ status: 404 })
  })

  test('a merged company keeps its own values where both have one', async () => {
    const a = (await create({ name: 'Lua', phone: '1158218888', responsibleName: 'Bia' })).body.id
    const b = (await create({ name: 'Lua Ltda', phone: '1158217777', responsibleName: 'Rui' })).body.id
    expect(await merge(a, b)).toMatchObject({ status: 200 })
    const [found] = (await page('search=Lua')).companies
    expect(found).toMatchObject({ id: a, name: 'Lua', phone: '551158218888', responsibleName: 'Bia' })
  })
})
