import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { AuditLog, AuditPage } from '#shared/audit/audit-logs.ts'
import type { Database } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { given } from '#server/testing/given.ts'
import { eventually, forAllTests, not, testApp } from '#server/testing/test-app.ts'
import { eraseFromAudit, record } from './audit.ts'
import { inTransaction } from '#server/platform/database/db.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const list = async (query: Record<string, string | number> = {}, who = chefe) => {
  const words = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) words.set(key, String(value))
  return who.request<AuditPage & { code: string; fields?: object }>(
    'GET',
    `/api/audit-logs?${words.toString()}`,
  )
}
const actionsOf = async (query: Record<string, string | number>) =>
  (await list(query)).body.rows.map(({ action }) => action)
const row = async (query: Record<string, string | number>): Promise<AuditLog> => {
  const { body } = await list({ ...query, limit: 1 })
  const [first] = body.rows
  if (!first) throw new Error('nothing found')
  return first
}
const at = (address: string) =>
  ({
    id: chefe.userId,
    name: 'Chefe',
    role: 'admin',
    sessionId: 1,
    source: { address, device: 'Prova/1.0' },
  }) as const

/** Rows with times of their own, as if they had been recorded then. */
async function recordAt(database: Database, instants: string[]): Promise<void> {
  for (const instant of instants) {
    const id = await record(database, at('198.51.100.9'), {
      action: 'user.block',
      resourceId: 777,
      details: { freed: 0 },
    })
    await database.execute(sql`alter table audit_logs disable trigger user`)
    await database.execute(sql`update audit_logs set created_at = ${instant} where id = ${id}`)
    await database.execute(sql`alter table audit_logs enable trigger user`)
  }
}

test('the audit log tells who did what to whom, from where, and its place in the chain', async () => {
  const { body: made } = await chefe.request<{ id: number }>('POST', '/api/users', {
    username: 'bruno',
    name: 'Bruno Tavares',
    email: 'bruno@teste.example',
    password: 'uma-senha-boa',
  })
  await chefe.request('PUT', `/api/users/${made.id}`, { role: 'supervisor', name: 'Bruno T.' })
  const found = await eventually(() => row({ group: 'user' }), { position: not(null) })
  expect(found).toEqual({
    id: expect.any(Number),
    position: expect.any(Number),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    actor: { kind: 'person', id: chefe.userId, name: 'Chefe', role: 'admin' },
    address: '127.0.0.1',
    device: 'node',
    sessionSince: expect.any(String),
    action: 'user.update',
    resource: { type: 'user', id: String(made.id), name: 'Bruno T.' },
    outcome: 'done',
    repeats: 1,
    details: { changes: { role: ['operator', 'supervisor'] } },
    personal: { changes: { name: ['Bruno Tavares', 'Bruno T.'] } },
    isErased: false,
  })
})

test('the audit log calls a company by its name, and a conversation by that of its contact', async () => {
  const conversation = await given.conversation(t, chefe)
  const { contact } = conversation
  await t.sql`insert into companies (id, name) overriding system value values (4711, 'Padaria')`
  await t.sql`insert into audit_logs (action, resource_type, resource_id, details, created_at)
              select 'company.change', type, id, details::jsonb, '2021-07-01T12:00:00Z'
                from (values ('company', '4711', '{}'), ('contact', ${String(contact.id)}, '{}'),
                             ('conversation', ${String(conversation.id)}, '{}'),
                             ('conversation', '1999999999', ${`{"contactId": ${contact.id}}`}),
                             ('message', '1', ${`{"conversationId": ${conversation.id}}`}),
                             ('conversation', '1999999999', '{}'), ('category', '1', '{}'))
                     as rows (type, id, details)`
  const { body } = await list({ from: '2021-07-01', to: '2021-07-01' })
  const names = body.rows.map(({ resource }) => resource.name).toReversed()
  expect(names).toEqual(['Padaria', ...Array<string>(4).fill(contact.name), null, null])
})

test('the audit log names what was typed and the address of a failed login', async () => {
  await t.request('POST', '/api/auth/login', { username: 'ninguem', password: 'segredo-da-casa' })
  const failed = await row({ group: 'auth', outcome: 'refused' })
  expect(failed).toMatchObject({
    action: 'auth.login_failed',
    actor: { kind: 'stranger', id: null, name: null },
    address: '127.0.0.1',
    details: { reason: 'auth.invalid_credentials', attempt: 1 },
    personal: { typed: 'ninguem' },
  })
  expect(JSON.stringify(failed)).not.toContain('segredo')
})

test.each([
  ['minha-Senha', 'minha-senha'],
  ['chefe minha-senha', 'minha-senha'],
])('the audit log keeps nothing of a password that was typed as the name: %j', async (username, password) => {
  await t.request('POST', '/api/auth/login', { username, password })
  const failed = await row({ group: 'auth', outcome: 'refused' })
  expect(failed).toMatchObject({ action: 'auth.login_failed', personal: {} })
  expect(JSON.stringify(failed)).not.toMatch(/senha/i)
})

test('the audit log counts login attempts that compare nothing in one row', async () => {
  for (let guess = 0; guess < 8; guess++)
    await t.request('POST', '/api/auth/login', { username: 'sempre-a-mesma', password: 'errada' })
  const { body } = await list({ group: 'auth', outcome: 'refused', limit: 10 })
  const own = body.rows.filter(({ personal }) => personal['typed'] === 'sempre-a-mesma')
  expect(own.map(({ details, repeats }) => [details['attempt'], repeats])).toEqual([
    [undefined, 5],
    [3, 1],
    [2, 1],
    [1, 1],
  ])
})

test('the audit log shows that personal values were erased', async () => {
  await record(t.database, at('198.51.100.7'), {
    action: 'contact.create',
    resourceId: 4242,
    personal: { name: 'Rita', phone: '5511987654321' },
  })
  await inTransaction(t.database, (db) =>
    eraseFromAudit(db, 'system', { resourceType: 'contact', resourceId: 4242 }),
  )
  expect(await row({ resourceType: 'contact', resourceId: 4242 })).toMatchObject({
    isErased: true,
    personal: {},
    address: null,
    device: null,
    actor: { kind: 'person', name: null },
  })
})

test('a filter by person, group, object, address and outcome gives just those', async () => {
  await chefe.request('PUT', `/api/user-permissions/${ana.userId}`, { canViewContacts: true })
  expect(new Set((await list({ userId: ana.userId })).body.rows.map(({ actor }) => actor.id))).toEqual(
    new Set([ana.userId]),
  )
  const { body } = await list({ group: 'permissions' })
  expect(new Set(body.rows.map(({ action }) => action))).toEqual(new Set(['permissions.update']))
  expect(body.pagination.total).toBe(body.rows.length)
  const own = { resourceType: 'user', resourceId: ana.userId }
  expect(new Set((await list(own)).body.rows.map(({ resource }) => resource.id))).toEqual(
    new Set([String(ana.userId)]),
  )
  await record(t.database, at('203.0.113.77'), { action: 'auth.logout', resourceId: 1 })
  expect(await actionsOf({ address: '203.0.113.77' })).toEqual(['auth.logout'])
  expect(await actionsOf({ address: '203.0.113.77', outcome: 'refused' })).toEqual([])
  expect(await actionsOf({ userId: 2_000_000_000 })).toEqual([])
})

test('a filter of changes leaves out who came, what was read, and what was refused', async () => {
  const gil = await t.signIn('admin', 'gil')
  const by = { ...at('203.0.113.50'), id: gil.userId, name: 'Gil' }
  await record(t.database, by, {
    action: 'report.export',
    details: { part: 'rows', format: 'csv', filter: {} },
  })
  await record(t.database, by, { action: 'user.block', resourceId: 777, details: { freed: 0 } })
  await record(t.database, by, {
    action: 'user.block',
    resourceId: 777,
    details: { freed: 0 },
    outcome: 'refused',
  })
  expect(await actionsOf({ userId: gil.userId })).toHaveLength(4)
  expect(await actionsOf({ userId: gil.userId, only: 'changes' })).toEqual(['user.block'])
  expect((await list({ only: 'everything' })).status).toBe(400)
})

test('a filter by days includes both of them whole, in the time zone of the settings', async () => {
  await recordAt(t.database, [
    '2024-03-10T02:59:59.999Z',
    '2024-03-10T03:00:00.000Z',
    '2024-03-12T02:59:59.999Z',
    '2024-03-12T03:00:00.000Z',
  ])
  const between = async (from: string, to: string) =>
    (await list({ from, to, resourceType: 'user', resourceId: 777 })).body.rows.map(
      ({ createdAt }) => createdAt,
    )
  expect(await between('2024-03-10', '2024-03-11')).toEqual([
    '2024-03-12T02:59:59.999Z',
    '2024-03-10T03:00:00.000Z',
  ])
  await saveSettings(t.database, { timezone: 'America/Noronha' })
  expect(await between('2024-03-10', '2024-03-11')).toEqual([
    '2024-03-10T03:00:00.000Z',
    '2024-03-10T02:59:59.999Z',
  ])
  expect((await list()).body.timezone).toBe('America/Noronha')
  await saveSettings(t.database, { timezone: 'America/Sao_Paulo' })
  expect(await between('2024-03-13', '2024-03-13')).toEqual([])
})

test.each([
  [{ from: '2024-03-11', to: '2024-03-10' }, { to: 'O período termina antes de começar' }],
  [{ resourceId: '7' }, { resourceType: 'Falta o tipo do objeto' }],
  [{ from: '11/03/2024' }, { from: 'Data inválida' }],
  [{ from: '2024-02-30' }, { from: 'Data inválida' }],
  [{ from: '0000-01-01' }, { from: 'Data inválida' }],
])('the filter %j is refused with a message', async (query, fields) => {
  expect(await list(query as Record<string, string>)).toMatchObject({ status: 400, body: { fields } })
})

test.each<Record<string, string | number>>([
  { group: 'nada' },
  { userId: 0 },
  { page: 0 },
  { limit: 101 },
  { outcome: 'talvez' },
])('the audit refuses the filter %j', async (query) => {
  expect((await list(query)).status).toBe(400)
})

test('pages follow each other without gap or repetition, the newest first', async () => {
  await recordAt(
    t.database,
    Array.from({ length: 25 }, () => '2023-05-01T12:00:00.000Z'),
  )
  const query = { from: '2023-05-01', to: '2023-05-01', limit: 10 }
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ ...query, page })))
  expect(pages.map(({ body }) => body.rows.length)).toEqual([10, 10, 5, 0])
  const ids = pages.flatMap(({ body }) => body.rows.map(({ id }) => id))
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a))
  expect(pages[0]?.body.pagination).toEqual({ page: 1, limit: 10, total: 25, totalPages: 3, hasMore: false })
})

describe('the exported file', () => {
  const csv = async (query = '') => {
    const answer = await fetch(`${t.app.url}/api/audit-logs/export${query}`, {
      headers: { authorization: `Bearer ${chefe.token}` },
    })
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  test('the exported file opens in a spreadsheet: mark, semicolons, sentences, no formula', async () => {
    await chefe.request('POST', '/api/companies', { name: '=HYPERLINK("http://mau.example")' })
    await chefe.request('PATCH', '/api/system-settings', { farewellMessage: ' =1+1\n@SUM(A1)' })
    const { answer, bytes } = await csv()
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="?auditoria-\d{4}-\d\d-\d\d\.csv"?$/,
    )
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = bytes.toString('utf8')
    const [head] = text.slice(1).split('\r\n')
    expect(head).toBe(
      'Registro;Quando;Pessoa;Perfil;O que aconteceu;Resultado;Vezes;Mudanças;Objeto;Id do objeto;' +
        'Endereço;Aparelho;Ação;Lugar na corrente;Elo',
    )
    expect(text).toContain(
      ';Chefe;Administrador;"Chefe cadastrou a empresa =HYPERLINK(""http://mau.example"")";Feito;1;',
    )
    expect(text).toMatch(/;"Despedida: [^"]* →  =1\+1\n@SUM\(A1\)";/)
    expect(text).toContain(';"Tentativa de login recusada para ""ninguem"" (127.0.0.1)";Recusado;')
  })

  test('the exported file has what the filter shows, and is recorded with filter and length', async () => {
    const { bytes } = await csv(`?group=permissions&userId=${chefe.userId}`)
    const { body } = await list({ group: 'permissions', userId: chefe.userId, limit: 100 })
    const lines = bytes.toString('utf8').trimEnd().split('\r\n')
    expect(lines.slice(1).map((line) => Number(line.split(';')[0]))).toEqual(body.rows.map(({ id }) => id))
    expect(await row({ group: 'audit' })).toMatchObject({
      action: 'audit.export',
      details: { filter: { group: 'permissions', userId: chefe.userId }, rows: body.rows.length },
    })
  })

  test('the exported file shows rows of earlier versions, whose actions are renamed now', async () => {
    await t.sql`insert into audit_logs (user_id, action, resource_type, details, created_at)
          values (${chefe.userId}, 'second_factor.duties', 'settings', '{"roles": ["supervisor"]}',
                  '2021-06-01T12:00:00Z'),
                 (null, 'auth.login_failed', 'user', '{}', '2021-06-01T12:00:01Z')`
    const day = { from: '2021-06-01', to: '2021-06-01' }
    const { status, body } = await list(day)
    expect(status).toBe(200)
    expect(body.rows.map(({ action, resource }) => `${action} ${resource.type}`)).toEqual([
      'auth.login_failed user',
      'second_factor.duties system_settings',
    ])
    const { bytes } = await csv('?from=2021-06-01&to=2021-06-01')
    expect(bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(3)
  })

  test('the exported file is read in batches: more rows than one come once each', async () => {
    await t.sql`insert into audit_logs (action, resource_type, resource_id, created_at)
            select 'auth.logout', 'user', '1',
                   '2022-01-01T12:00:00Z'::timestamptz + (n % 7) * interval '1 second'
              from generate_series(1, 2500) n`
    const { bytes } = await csv('?from=2022-01-01&to=2022-01-01')
    const ids = bytes
      .toString('utf8')
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(';')[0])
    expect(ids).toHaveLength(2500)
    expect(new Set(ids).size).toBe(2500)
  })
})
