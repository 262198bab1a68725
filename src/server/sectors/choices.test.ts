import { beforeAll, describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import type { ErrorBody } from '#shared/errors.ts'
import type { ManagedSectors } from '#shared/sectors/managed-sectors.ts'
import { given } from '../testing/given.ts'
import { forAllTests, testApp } from '../testing/test-app.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const make = async (name: string, more: object = {}) => {
  const form = { name, color: '#2563eb', ...more }
  const { body } = await admin.request<{ id: number }>('POST', '/api/sectors', form)
  return body.id
}
const managed = (who = admin) => who.get<ManagedSectors>('/api/sectors/managed')
const lastChange = async (action: string) =>
  (await t.sql`select details from audit_logs where action = ${action} order by id desc limit 1`)[0]

let sales: number
let closed: number
beforeAll(async () => {
  sales = await make('Comercial')
  closed = await make('Antigo')
  await admin.request('PATCH', `/api/sectors/${closed}`, { isActive: false })
})

describe('the sector of a contact', () => {
  const change = (id: number, body: object) =>
    ana.request<Contact & ErrorBody>('PUT', `/api/contacts/${id}`, body)

  test('a contact has no sector until one is chosen, which is written down by its name', async () => {
    const { contactId } = await given.person(t.database)
    expect((await ana.get<Contact>(`/api/contacts/${contactId}`)).sectorId).toBeNull()
    const { status, body } = await change(contactId, { sectorId: sales })
    expect([status, body.sectorId]).toEqual([200, sales])
    expect(await lastChange('contact.change')).toEqual({
      details: { fields: ['sectorId'], changes: { sector: [null, 'Comercial'] } },
    })
    expect((await change(contactId, { sectorId: null })).body.sectorId).toBeNull()
  })

  test('the sector is the last column of the exported contacts', async () => {
    const { contactId } = await given.person(t.database)
    await change(contactId, { name: 'Rita do Setor', sectorId: sales })
    const path = '/api/contacts/export?format=csv&search=rita do setor'
    const answer = await fetch(new URL(path, t.app.url), {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const [head, row] = (await answer.text()).split(/\r?\n/)
    expect([head?.split(';').at(-1), row?.split(';').at(-1)]).toEqual(['Setor fixo', 'Comercial'])
  })

  test('merged contacts keep the sector of either, and separated ones have their own again', async () => {
    const kept = await given.person(t.database)
    const gone = await given.person(t.database)
    const passing = await make('Passageiro')
    await change(gone.contactId, { sectorId: passing })
    const merged = async () => {
      const path = `/api/contacts/${kept.contactId}/merge`
      const { body } = await admin.request<Contact>('POST', path, { otherId: gone.contactId })
      return body.sectorId
    }
    const part = async () => {
      const [merge] = await admin.get<{ id: number }[]>('/api/contacts/merges')
      await admin.request('POST', `/api/contacts/merges/${merge?.id}/undo`)
      const both = [kept, gone].map(({ contactId }) => ana.get<Contact>(`/api/contacts/${contactId}`))
      return (await Promise.all(both)).map(({ sectorId }) => sectorId)
    }
    expect(await merged()).toBe(passing)
    expect(await part()).toEqual([null, passing])
    expect(await merged()).toBe(passing)
    await admin.request('DELETE', `/api/sectors/${passing}?targetId=${sales}`)
    // The one that stayed has gone to the target of the deleted sector, as somebody had decided.
    expect(await part()).toEqual([sales, null])
  })

  test('a new conversation of the contact goes to the sector that was chosen', async () => {
    const { contactId, phone } = await given.person(t.database)
    await change(contactId, { sectorId: sales })
    expect((await given.conversation(t, ana, phone)).sectorId).toBe(sales)
  })

  test('a new contact begins with a sector, and an inactive one is refused', async () => {
    const form = { name: 'Nova', phone: '11 97777-0001' }
    const { body, status } = await ana.request<Contact>('POST', '/api/contacts', { ...form, sectorId: sales })
    expect([status, body.sectorId]).toEqual([201, sales])
    const other = { name: 'Outra', phone: '11 97777-0002', sectorId: closed }
    expect((await ana.request('POST', '/api/contacts', other)).body.code).toBe('sectors.inactive')
  })

  test('a sector that is inactive, deleted or unknown is refused, and nothing else is changed', async () => {
    const { contactId, name } = await given.person(t.database)
    const gone = await make('Passageiro')
    await admin.request('DELETE', `/api/sectors/${gone}`)
    for (const [sectorId, code] of [
      [closed, 'sectors.inactive'],
      [gone, 'sectors.unknown'],
      [987654, 'sectors.unknown'],
    ] as const) {
      const { status, body } = await change(contactId, { name: 'Outro nome', sectorId })
      expect([status, body.code]).toEqual([422, code])
    }
    const after = await ana.get<Contact>(`/api/contacts/${contactId}`)
    expect([after.name, after.sectorId]).toEqual([name, null])
  })

  test('a sector that has become inactive stays with the contact while others change', async () => {
    const { contactId } = await given.person(t.database)
    const fading = await make('Sumindo')
    await change(contactId, { sectorId: fading })
    await admin.request('PATCH', `/api/sectors/${fading}`, { isActive: false })
    const { status, body } = await change(contactId, { notes: 'oi', sectorId: fading })
    expect([status, body.sectorId]).toEqual([200, fading])
  })
})

describe('the sector of a number', () => {
  const numbers = () => admin.get<ManagedNumber[]>('/api/evolution-config/numbers')
  const own = async () => (await numbers()).find(({ id }) => id === t.instanceId)
  const save = async (more: object) => {
    const { instanceName, baseUrl, isActive } = (await own()) as ManagedNumber
    const form = { instanceName, baseUrl, isActive, apiKey: '', ...more }
    return admin.request<ManagedNumber & ErrorBody>('PUT', `/api/evolution-config/${t.instanceId}`, form)
  }

  test('new conversations of a number go to its sector, which is written down by its name', async () => {
    expect((await own())?.defaultSectorId).toBeNull()
    expect((await save({ defaultSectorId: sales })).body.defaultSectorId).toBe(sales)
    expect((await lastChange('gateway.update'))?.['details']).toMatchObject({
      changes: { defaultSectorId: [null, 'Comercial'] },
    })
    expect((await given.conversation(t, ana)).sectorId).toBe(sales)
    // A form of before says nothing of sectors, and changes nothing.
    expect((await save({})).body.defaultSectorId).toBe(sales)
    const { sectors } = await managed()
    expect(sectors.find(({ id }) => id === sales)?.defaultOf).toEqual([t.instanceId])
    expect((await save({ defaultSectorId: null })).body.defaultSectorId).toBeNull()
  })

  test('a sector that is inactive, unknown or does not serve the number is refused', async () => {
    const [other] = await t.sql`insert into evolution_api_config (instance_name, api_key_encrypted,
      api_key_hint, base_url, is_active) values ('loja2', '', '', 'http://localhost', false) returning id`
    const elsewhere = await make('Só a loja 2', { numberIds: [other?.['id']] })
    for (const [defaultSectorId, code] of [
      [closed, 'sectors.inactive'],
      [987654, 'sectors.unknown'],
      [elsewhere, 'sectors.other_number'],
    ] as const) {
      const { status, body } = await save({ defaultSectorId })
      expect([status, body.code]).toEqual([422, code])
    }
    expect((await own())?.defaultSectorId).toBeNull()
  })

  test('a sector is created with the numbers whose conversations go to it, or not at all', async () => {
    const id = await make('Recepção', { defaultOf: [t.instanceId] })
    expect((await own())?.defaultSectorId).toBe(id)
    const form = { name: 'Sem número', color: '#2563eb', defaultOf: [987654] }
    expect((await admin.request('POST', '/api/sectors', form)).body.code).toBe('sectors.unknown_number')
    expect((await managed()).sectors.map(({ name }) => name)).not.toContain('Sem número')
    await save({ defaultSectorId: null })
  })

  test('its sector is chosen from the side of the sector, too, by whoever may change all of it', async () => {
    const path = `/api/sectors/${sales}`
    const version = async () => (await managed()).sectors.find(({ id }) => id === sales)?.version ?? 0
    const before = await version()
    const choose = (defaultOf: number[]) =>
      admin.request<ErrorBody>('PATCH', path, { defaultOf, version: before })
    expect((await choose([t.instanceId])).status).toBe(204)
    expect((await own())?.defaultSectorId).toBe(sales)
    expect(await version()).toBe(before + 1)
    expect((await lastChange('gateway.update'))?.['details']).toMatchObject({
      changes: { defaultSectorId: [null, 'Comercial'] },
    })
    expect((await choose([])).body.code).toBe('sectors.changed')
    await admin.request('PATCH', path, { people: [{ userId: ana.userId, isLead: true }] })
    expect((await ana.request('PATCH', path, { defaultOf: [] })).status).toBe(403)
    expect((await own())?.defaultSectorId).toBe(sales)
    expect((await admin.request('PATCH', path, { defaultOf: [], people: [] })).status).toBe(204)
    expect((await own())?.defaultSectorId).toBeNull()
    const refused = await admin.request<ErrorBody>('PATCH', path, { description: 'x', defaultOf: [987654] })
    expect(refused.body.code).toBe('sectors.unknown_number')
    expect((await managed()).sectors.find(({ id }) => id === sales)?.description).toBe('')
  })
})

test('who leads a sector is told what it inherits, and who may be put into it', async () => {
  await admin.request('PATCH', `/api/sectors/${sales}`, { people: [{ userId: ana.userId, isLead: true }] })
  const { sectors, candidates, inherited } = await managed(ana)
  expect(sectors.map(({ id, isWhole }) => [id, isWhole])).toEqual([[sales, false]])
  expect(candidates.map(({ userId }) => userId)).toEqual(expect.arrayContaining([ana.userId, admin.userId]))
  expect(inherited.installation.queueMessage).toEqual(expect.any(String))
  expect(Object.keys(inherited.installation)).not.toContain('companyName')
  expect(inherited.numbers.map(({ id }) => id)).toContain(t.instanceId)
})

test('of the numbers that a lead has not, they are told neither the name nor the texts', async () => {
  await admin.request('PATCH', `/api/sectors/${sales}`, { people: [{ userId: ana.userId, isLead: true }] })
  await t.sql`insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url,
                                                is_active, own_settings)
              values ('loja-de-fora', '', '', 'http://localhost', false, '{"transferMessage": "segredo"}')`
  await t.sql`update users set number_ids = array[${t.instanceId}]::int[] where id = ${ana.userId}`
  expect((await managed(ana)).inherited.numbers.map(({ id }) => id)).toEqual([t.instanceId])
  expect((await managed()).inherited.numbers.map(({ name }) => name)).toContain('loja-de-fora')
  await t.sql`update users set number_ids = null where id = ${ana.userId}`
})

test('a sector is one line of the menu, and there are as many as an order holds', async () => {
  const make = (name: string) => admin.request<ErrorBody>('POST', '/api/sectors', { name, color: '#2563eb' })
  for (const name of ['Vendas\n2 - Outro', 'Vendas\u2028Outro'])
    expect((await make(name)).body).toMatchObject({ fields: { name: 'Use uma linha só' } })
  await t.sql`insert into sectors (name, color)
    select 'Muitos ' || n, '#2563eb' from generate_series(1, 200) n`
  const { status, body } = await make('Mais um')
  expect([status, body.code]).toEqual([409, 'sectors.too_many'])
  await t.sql`delete from sectors where name like 'Muitos %'`
})
