import { expect, test } from 'vitest'
import { makeBackup, startRestore } from '#server/testing/past.ts'
import { given } from '#server/testing/given.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

test('a sector that was deleted since the backup gets nobody and nothing back', async () => {
  const { body } = await chefe.request<{ id: number }>('POST', '/api/sectors', {
    name: 'Vendas',
    color: '#2563eb',
    people: [{ userId: ana.userId, isLead: true }],
    defaultOf: [t.instanceId],
  })
  const { contactId } = await given.person(t.database)
  await t.sql`update contacts set sector_id = ${body.id} where id = ${contactId}`
  const backup = await makeBackup(chefe)
  expect((await chefe.request('DELETE', `/api/sectors/${body.id}?targetId=none`)).status).toBe(204)
  await t.sql`update users set scope = 'own' where id = ${ana.userId}`
  await t.sql`delete from contact_identities where contact_id = ${contactId}`
  await t.sql`delete from contacts where id = ${contactId}`
  const { id } = await given.conversation(t, chefe)
  const both = { restoreComplete: true, restoreSettings: true }
  expect(await startRestore(chefe, backup, both)).toMatchObject({ state: 'done', error: null })
  expect(await t.sql`select name, is_active as "isActive" from sectors`).toEqual([
    { name: 'Vendas', isActive: false },
  ])
  expect(await t.sql`select user_id from sector_people`).toEqual([])
  expect(await t.sql`select default_sector_id as sector from evolution_api_config`).toEqual([
    { sector: null },
  ])
  expect(await t.sql`select sector_id as sector from contacts where id = ${contactId}`).toEqual([
    { sector: null },
  ])
  // Leads know of what has no sector.
  expect((await ana.request('GET', `/api/conversations/${id}`)).status).toBe(404)
})

test('a restore puts nobody back into a sector, and leaves a default that it knows nothing of', async () => {
  await t.sql`delete from sectors`
  const old = await makeBackup(chefe)
  const { body } = await chefe.request<{ id: number }>('POST', '/api/sectors', {
    name: 'Suporte',
    color: '#2563eb',
    people: [{ userId: ana.userId, isLead: true }],
    defaultOf: [t.instanceId],
  })
  const backup = await makeBackup(chefe)
  expect((await chefe.request('PATCH', `/api/sectors/${body.id}`, { people: [] })).status).toBe(204)
  const both = { restoreComplete: true, restoreSettings: true }
  expect(await startRestore(chefe, backup, both)).toMatchObject({ state: 'done', error: null })
  expect(await t.sql`select user_id from sector_people`).toEqual([])
  // One from before there were sectors.
  await t.sql`update evolution_api_config set default_sector_id = ${body.id}`
  expect(await startRestore(chefe, old, both)).toMatchObject({ state: 'done', error: null })
  expect(await t.sql`select default_sector_id as sector from evolution_api_config`).toEqual([
    { sector: body.id },
  ])
})
