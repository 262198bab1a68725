import { expect, test } from 'vitest'
import type { CompanyOption } from '#shared/contacts/companies.ts'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { given } from '#server/testing/given.ts'
import { eventually, forAllTests, some, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

/** A new conversation in which the client has written 'oi'. */
const talk = async () => await given.conversation(t, ana)
const end = (id: number) => admin.request('POST', `/api/conversations/${id}/finalize`, {})
const read = (id: number) => ana.get<Contact>(`/api/contacts/${id}`)
const change = <Body = Contact>(id: number, body: object, who = ana) =>
  who.request<Body>('PUT', `/api/contacts/${id}`, body)
const refused = async (id: number, body: object, who = ana) => {
  const { status, body: error } = await change<ErrorBody>(id, body, who)
  return [status, error.message]
}
const company = async (name: string, isActive = true) =>
  (await admin.request<CompanyOption>('POST', '/api/companies', { name, isActive })).body.id
const auditOf = (id: number) =>
  t.sql<{ action: string; userId: number; details: unknown }>`
    select action, user_id as "userId", details from audit_logs
         where resource_type = 'contact' and resource_id = ${String(id)} order by id`

test('a contact change is stored, audited without notes, and pushed to every tab', async () => {
  const { id: conversationId, contactId, version } = await talk()
  const companyId = await company('Mercado Luz')
  const tab = await connectLive(t.app.url, { token: bruno.token })
  const body = {
    name: '  Maria da Luz ',
    email: 'maria@luz.example',
    category: 'vip',
    notes: 'prefere à tarde',
    tags: ['Atacado', ' atacado ', '', 'boleto'],
    companyId,
  }
  const answer = await change(contactId, { id: 999_999, isBlocked: true, avatarUrl: 'http://x.y', ...body })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    id: contactId,
    name: 'Maria da Luz',
    email: 'maria@luz.example',
    category: 'VIP',
    company: { id: companyId, name: 'Mercado Luz' },
    notes: 'prefere à tarde',
    tags: ['atacado', 'boleto'],
    isBlocked: false,
    avatarUrl: null,
  })
  expect(await read(contactId)).toEqual(answer.body)
  const heard = await tab.heard(
    'conversation_updated',
    ({ data }) => data.conversation.contact.name === 'Maria da Luz',
  )
  expect(heard.data.conversation).toMatchObject({
    id: conversationId,
    version: version + 1,
    contact: { category: 'VIP', company: { name: 'Mercado Luz' } },
  })
  await tab.close()
  const entries = await auditOf(contactId)
  expect(entries).toEqual([
    {
      action: 'contact.change',
      userId: ana.userId,
      details: {
        fields: ['name', 'email', 'notes', 'tags', 'companyId', 'category'],
        changes: { company: [null, 'Mercado Luz'], category: ['general', 'VIP'] },
      },
    },
  ])
  const [personal] = await t.sql<{
    values: { changes: object }
  }>`select p.values from audit_personal p join audit_logs l on l.id = p.log_id
         where l.resource_type = 'contact' and l.resource_id = ${String(contactId)}`
  expect(personal?.values.changes).toEqual({
    name: [expect.any(String), 'Maria da Luz'],
    email: [null, 'maria@luz.example'],
    tags: [[], ['atacado', 'boleto']],
  })
  expect(JSON.stringify(entries)).not.toMatch(/Maria|luz|atacado/)
  expect(JSON.stringify(personal)).not.toContain('tarde')
})

test('a change of the company alone leaves the rest, and null removes it', async () => {
  const { contactId } = await talk()
  const companyId = await company('Sozinha')
  const before = await read(contactId)
  const { body } = await change(contactId, { companyId })
  const { updatedAt, ...rest } = body
  expect(rest).toEqual({
    ...rest,
    ...before,
    updatedAt: undefined,
    companyId,
    company: { id: companyId, name: 'Sozinha' },
  })
  expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
  expect((await change(contactId, { companyId: null })).body.company).toBeNull()
})

test('an empty change of a contact is neither pushed nor audited', async () => {
  const { id, contactId, version } = await talk()
  const { name } = await read(contactId)
  await change(contactId, { name, notes: '  ', tags: [] })
  const now = await ana.request<Conversation>('GET', `/api/conversations/${id}`)
  expect([now.body.version, await auditOf(contactId)]).toEqual([version, []])
})

test('a name entered for a contact is not overwritten by the gateway', async () => {
  const { contactId, contact } = await talk()
  await change(contactId, { name: 'Dona Zefa' })
  const phone = t.simulator.control.phones().find(({ number }) => number === contact.phone)
  t.simulator.control.sendText(phone?.id ?? '', 'voltei')
  await eventually(() => ana.get<Conversation[]>('/api/conversations'), some({ contactId, messageCount: 2 }))
  expect((await read(contactId)).name).toBe('Dona Zefa')
})

test.each([
  [{ name: ' ' }, { name: 'Nome é obrigatório' }],
  [{ phone: '119999' }, { phone: 'Telefone deve ter pelo menos 10 dígitos' }],
  [{ phone: 'onze noves' }, { phone: 'Telefone inválido' }],
  [{ phone: '(20) 98765-1501' }, { phone: 'O DDD 20 não existe' }],
  [{ phone: '419.876.543-01' }, { phone: 'Isto é um CPF, não um telefone' }],
  [{ email: 'sem arroba' }, { email: 'Email inválido' }],
])('a contact change with %j is refused with a message', async (body, fields) => {
  const { contactId } = await talk()
  const { status, body: error } = await change<ErrorBody>(contactId, body)
  expect([status, error.fields]).toEqual([400, fields])
})

test('a contact change accepts only offered values, or the current ones', async () => {
  const { contactId } = await talk()
  expect(await refused(contactId, { companyId: 999_999 })).toEqual([422, 'Empresa não encontrada'])
  const companyId = await company('Fechada', false)
  expect(await refused(contactId, { companyId })).toEqual([422, 'A empresa está inativa.'])
  expect(await refused(contactId, { category: 'inventada' })).toEqual([422, 'Categoria não encontrada'])
  await t.sql`update contacts set company_id = ${companyId}, category = 'antiga' where id = ${contactId}`
  const { status, body } = await change(contactId, { companyId, category: 'Antiga', name: 'Fica' })
  expect([status, body.company?.name, body.category]).toEqual([200, 'Fechada', 'antiga'])
})

test('a change of an unknown contact is not found', async () => {
  const { contactId } = await talk()
  expect(await refused(999_999, { name: 'Outra' })).toEqual([404, 'Contato não encontrado'])
  expect(await auditOf(contactId)).toEqual([])
})

test('two changes of different fields of a contact are both stored', async () => {
  const { contactId } = await talk()
  await Promise.all([
    change(contactId, { notes: 'da Ana' }),
    change(contactId, { tags: ['do Bruno'] }, bruno),
    change(contactId, { email: 'chefe@teste.example' }, admin),
  ])
  expect(await read(contactId)).toMatchObject({
    notes: 'da Ana',
    tags: ['do Bruno'],
    email: 'chefe@teste.example',
  })
})

test('of two changes of a contact from one state one is stored, the other refused', async () => {
  const { contactId } = await talk()
  for (let round = 0; round < 20; round++) {
    const { updatedAt } = await read(contactId)
    const answers = await Promise.all([
      change<ErrorBody>(contactId, { notes: `ana ${round}`, updatedAt }),
      change<ErrorBody>(contactId, { notes: `bruno ${round}`, updatedAt }, bruno),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const winner = answers[0]?.status === 200 ? 'ana' : 'bruno'
    expect((await read(contactId)).notes).toBe(`${winner} ${round}`)
    const loser = answers.find(({ status }) => status === 409)
    expect(loser?.body.message).toBe('Um colega mudou este contato enquanto você editava.')
  }
})

test('a contact has at most twenty tags', async () => {
  const { contactId } = await talk()
  const tags = Array.from({ length: 21 }, (_, n) => `etiqueta ${n}`)
  expect((await change(contactId, { tags })).status).toBe(400)
  expect(await change(contactId, { tags: tags.slice(1) })).toMatchObject({ status: 200 })
})

/** A contact without an open conversation. */
const quiet = async () => {
  const { id, contactId } = await talk()
  await end(id)
  // The closing text's echo names the number it was sent to, with the same LID: it is the contact's number.
  await t.settled()
  return contactId
}

test('another telephone is refused while a conversation is open, also one that somebody has', async () => {
  const { id, contactId } = await talk()
  for (const status of ['waiting', 'active']) {
    expect((await ana.get<Conversation>(`/api/conversations/${id}`)).status).toBe(status)
    expect(await refused(contactId, { phone: '(11) 98888-0001' })).toEqual([
      409,
      'O telefone não muda durante uma conversa aberta: as respostas iriam para outro número.',
    ])
    await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  }
})

test('another telephone is stored in its normal form, and leads to the contact', async () => {
  const contactId = await quiet()
  const { phone: before } = await read(contactId)
  expect((await change(contactId, { phone: '(21) 8888-0002' })).body.phone).toBe('5521988880002')
  const identities = await t.sql`select value, jid from contact_identities where contact_id = ${contactId}`
  expect(identities).toEqual([{ value: '5521988880002', jid: '5521988880002' }])
  const stranger = await ana.request<{ id: number }>('POST', '/api/contacts/by-phone', {
    phone: '5521988880002',
    name: '',
  })
  expect(stranger.body.id).toBe(contactId)
  const again = await admin.request<{ id: number }>('POST', '/api/contacts/by-phone', {
    phone: before,
    name: 'Outra pessoa',
  })
  expect(again.body.id).not.toBe(contactId)
})

test('another contact’s telephone is refused, however it is written', async () => {
  const [one, other] = [await quiet(), await quiet()]
  const { name, phone } = await read(other)
  const written = `+55 (11) ${phone?.slice(4)}`
  expect(await refused(one, { phone: written })).toEqual([409, `Este telefone já é do contato ${name}.`])
})

test('a telephone that two contacts want at one instant goes to one of them', async () => {
  const ids = [await quiet(), await quiet(), await quiet()]
  const answers = await Promise.all(ids.map((id) => change(id, { phone: '11977770003' })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  const holders = await t.sql`select id from contacts where phone = '5511977770003'`
  expect(holders).toHaveLength(1)
})

test('a change of a company is shown in the open conversations of its contacts', async () => {
  const [one, other] = [await talk(), await talk()]
  const companyId = await company('Mercado Velho')
  for (const { contactId } of [one, other]) await change(contactId, { companyId })
  const tab = await connectLive(t.app.url, { token: bruno.token })
  const shown = (name: string | null) =>
    eventually(
      async () =>
        new Map(
          tab.frames.flatMap((frame) =>
            frame.type === 'conversation_updated'
              ? [[frame.data.conversationId, frame.data.conversation.contact.company?.name ?? null]]
              : [],
          ),
        ),
      (names) => [one, other].every(({ id }) => names.get(id) === name),
    )
  await admin.request('PUT', `/api/companies/${companyId}`, { name: 'Mercado Novo' })
  await shown('Mercado Novo')
  await admin.request('DELETE', `/api/companies/${companyId}`)
  await shown(null)
  expect(await read(one.contactId)).toMatchObject({ company: null, companyId: null })
})

test('a change of a company is shown in a finished conversation that somebody looks at', async () => {
  const { id, contactId } = await talk()
  const companyId = await company('Mercado Antigo')
  await change(contactId, { companyId })
  await end(id)
  const tab = await connectLive(t.app.url, { token: admin.token })
  await admin.request('PUT', `/api/companies/${companyId}`, { name: 'Mercado Atual' })
  await tab.heard(
    'conversation_updated',
    ({ data }) => data.conversationId === id && data.conversation.contact.company?.name === 'Mercado Atual',
  )
  await tab.close()
})

test('a company deleted while contacts get it is left on no contact', async () => {
  const talks = await Promise.all(Array.from({ length: 6 }, talk))
  const companyId = await company('Mercado Breve')
  const answers = await Promise.all([
    ...talks.map(({ contactId }) => change(contactId, { companyId })),
    admin.request('DELETE', `/api/companies/${companyId}`),
  ])
  expect(answers.at(-1)?.status).toBe(204)
  for (const { status } of answers.slice(0, -1)) expect([200, 422]).toContain(status)
  for (const { contactId } of talks) expect((await read(contactId)).companyId).toBeNull()
})
