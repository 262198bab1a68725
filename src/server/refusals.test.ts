import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Company } from '#shared/contacts/companies.ts'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import type { Operator } from '#shared/users/users.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { eventually, forAllTests, testApp, testDatabase } from './testing/test-app.ts'
import { startApp } from './app.ts'
import { readConfig } from './platform/config.ts'
import { createLog } from './platform/log.ts'
import { allCalls } from './testing/calls.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const admin = forAllTests(() => t.signIn('admin'))

test('a refusal speaks Portuguese also where the specification has no text', async () => {
  const { body } = await t.request('POST', '/api/auth/login', { username: 7 })
  expect(body.message).toBe('Dados inválidos')
  expect(body.fields).toEqual({ username: 'Valor inválido', password: 'Por favor, preencha usuário e senha' })
})

test.each([
  ['/api/contacts', {}, { name: 'Nome é obrigatório' }],
  ['/api/users', {}, { name: 'Nome é obrigatório', email: 'Email inválido' }],
  ['/api/contact-categories', { name: 'VIP 2' }, { color: 'Cor é obrigatória' }],
])('an absent field of a call to %s is told what an empty one is told', async (path, sent, told) => {
  const { status, body } = await admin.request('POST', path, sent)
  expect(status).toBe(400)
  expect(body.fields).toMatchObject(told)
})

test('a refusal names neither types nor regular expressions', async () => {
  const wrong = await admin.request('GET', '/api/contacts?page=zero')
  expect(wrong.status).toBe(400)
  expect(JSON.stringify(wrong.body)).not.toMatch(/undefined|regex|padrão|vetor|\^/i)
})

test.each(['/api/conversations/archived/0', '/api/conversations/0'])(
  'the malformed path %s is answered with 404',
  async (path) => {
    expect(await admin.request('GET', path)).toMatchObject({
      status: 404,
      body: { code: 'request.not_found' },
    })
  },
)

test.each(['\u200b', '\u3164', '\u2800 \u200d', ' \n\t', '\u00ad\ufe0f', '\u2066\u2069'])(
  'a refusal meets a message that shows nothing: %j',
  async (content) => {
    const conversation = await given.conversation(t, ana)
    const path = `/api/conversations/${conversation.id}/messages`
    expect(await ana.request('POST', path, { content })).toMatchObject({
      status: 400,
      body: { message: 'Digite uma mensagem' },
    })
    const name = await admin.request('PUT', `/api/contacts/${conversation.contactId}`, { name: content })
    expect(name).toMatchObject({ status: 400, body: { message: 'Nome é obrigatório' } })
    const company = await admin.request('POST', '/api/companies', { name: content })
    expect(company).toMatchObject({ status: 400, body: { message: 'Nome é obrigatório' } })
  },
)

test('a lunch break that says no more than its times is wanted', async () => {
  const lunchBreak = { start: '12:30', end: '13:30' }
  const { status, body } = await admin.request<SystemSettings>('PATCH', '/api/system-settings', {
    lunchBreak,
  })
  expect({ status, lunchBreak: body.lunchBreak }).toEqual({
    status: 200,
    lunchBreak: { enabled: true, ...lunchBreak },
  })
})

test('the wire has what the specification names of a conversation, a contact and an operator', async () => {
  const conversation = await given.conversation(t, ana)
  expect(conversation).toMatchObject({ notes: null, satisfaction: null, queuePosition: expect.any(Number) })
  const path = `/api/conversations/${conversation.id}`
  await ana.request('PATCH', `${path}/assign-operator`, { operatorId: ana.userId })
  await ana.request('POST', `${path}/finalize`, { notes: 'resolvido' })
  expect(await admin.get<Conversation>(path)).toMatchObject({ notes: 'resolvido', queuePosition: 0 })
  const { body } = await admin.request<Contact>('GET', `/api/contacts/${conversation.contactId}`)
  expect(body).toMatchObject({ isActive: true, companyId: null })
  const operators = await admin.request<Operator[]>('GET', '/api/users/operators')
  expect(operators.body.find(({ id }) => id === ana.userId)).toMatchObject({
    presence: 'offline',
    isOnline: false,
  })
})

test('the wire has what the specification names of a company, a rating and a connection', async () => {
  await saveSettings(t.database, { ratingsEnabled: true, ratingMessage: 'De 1 a 5?' })
  const { conversation, phoneId } = await newTalk(t, ana)
  const company = await admin.request<Company>('POST', '/api/companies', { name: 'Padaria Central' })
  const contact = await admin.request<Contact>('PUT', `/api/contacts/${conversation.contactId}`, {
    companyId: company.body.id,
  })
  expect(contact.body).toMatchObject({ isActive: true, companyId: company.body.id })
  const path = `/api/conversations/${conversation.id}`
  await ana.request('POST', `${path}/messages`, { content: 'pois não' })
  await admin.request('POST', `${path}/finalize`, {})
  await t.settled()
  // The client reads it some seconds later.
  await t.sql`update messages set accepted_at = accepted_at - interval '2 seconds'`
  t.simulator.control.sendText(phoneId, '4')
  await eventually(async () => (await admin.get<Conversation>(path)).satisfaction, 4)
  const operator = async () =>
    (await admin.get<Operator[]>('/api/users/operators')).find(({ id }) => id === ana.userId)
  const tab = await connectLive(t.app.url, { token: ana.token })
  const online = await eventually(operator, { isOnline: true })
  expect(online).toMatchObject({ presence: 'online', isOnline: true })
  await tab.close()
  await eventually(operator, { isOnline: false, presence: 'offline' })
})

test.each([
  ['taken', (port: number) => ({ PORT: String(port) }), /^A porta \d+ já está em uso: .*PORT\.$/],
  [
    'of another machine',
    () => ({ HOST: '192.0.2.1' }),
    /^Esta máquina não tem o endereço 192\.0\.2\.1: confira HOST\.$/,
  ],
])('an address that is %s is one clear line, and nothing goes on behind it', async (_, env, line) => {
  const db = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-app-'))
  const config = readConfig({ DATA_DIR: dataDir, ...env(t.app.port) }, false)
  await expect(startApp({ config, database: db.database, log: createLog('silent') })).rejects.toThrow(line)
  // Remaining workers would fail on the closed pool.
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('every call that is declared is served', async () => {
  const calls = await allCalls()
  const missing: string[] = []
  for (const { method, path } of calls) {
    const { status } = await t.request(
      method,
      path.replaceAll(/:\w+/g, '1'),
      method === 'GET' ? undefined : {},
    )
    if (status === 404) missing.push(`${method} ${path}`)
  }
  expect(missing).toEqual([])
})
