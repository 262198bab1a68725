import { beforeEach, expect, test } from 'vitest'
import type { SavedView } from '#shared/views/views.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { type Client, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('supervisor', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bia = forAllTests(() => t.signIn('operator', 'bia'))

beforeEach(async () => {
  await t.sql`delete from saved_views`
  await t.sql`delete from view_orders`
  await t.sql`delete from sector_people`
  await t.sql`delete from sectors`
  await t.sql`update users set scope = 'all'`
})

const content = { tab: 'all', order: 'waiting', waitingMinutes: 15 }
const post = (name: string, given: object = {}, who: Client = ana) =>
  who.request<{ id: number; message: string }>('POST', '/api/views', {
    name,
    content,
    isShared: false,
    sectorId: null,
    ...given,
  })
const save = async (name: string, given: object = {}, who: Client = ana): Promise<number> => {
  const { status, body } = await post(name, given, who)
  expect(status).toBe(201)
  return body.id
}
const change = (id: number, body: object, who: Client = ana) =>
  who.request<{ message: string }>('PATCH', `/api/views/${id}`, body)
const remove = (id: number, who: Client = ana) =>
  who.request<{ message: string }>('DELETE', `/api/views/${id}`)
const seen = (who: Client = ana) => who.get<SavedView[]>('/api/views')
const namesOf = async (who: Client = ana) => (await seen(who)).map(({ name }) => name)
const refusedWith = (status: number, message: string) => ({ status, body: { message } })
async function sector(name: string, people: Record<string, [number, boolean]>): Promise<number> {
  const [row] = await t.sql`insert into sectors (name, color) values (${name}, '#2563eb') returning id`
  const id = row?.['id'] as number
  for (const [userId, isLead] of Object.values(people))
    await t.sql`insert into sector_people (sector_id, user_id, is_lead) values (${id}, ${userId}, ${isLead})`
  return id
}

test('a view of one’s own is seen, changed and deleted by its author alone', async () => {
  const id = await save('Parados')
  expect(await seen()).toMatchObject([{ id, name: 'Parados', content, isChangeable: true, version: 1 }])
  for (const other of [bia, chefe]) {
    expect(await seen(other)).toEqual([])
    expect((await change(id, { name: 'Tomada' }, other)).status).toBe(404)
    expect((await remove(id, other)).status).toBe(404)
  }
  const other = { tab: 'mine', order: 'start', unread: 'only' }
  expect((await change(id, { name: 'Minhas', content: other, version: 1 })).status).toBe(204)
  expect(await seen()).toMatchObject([{ name: 'Minhas', content: other, version: 2 }])
  expect(await change(id, { name: 'Outra', version: 1 })).toMatchObject(
    refusedWith(409, 'Um colega mudou esta visão enquanto você editava.'),
  )
  expect((await remove(id)).status).toBe(204)
  expect(await seen()).toEqual([])
})

test('a name is taken among one’s own views, and apart from these among what is shared', async () => {
  await save('Parados')
  expect(await post('PARADOS')).toMatchObject(refusedWith(409, 'Já existe a visão ‘PARADOS’'))
  await save('Parados', {}, bia)
  await save('Parados', { isShared: true }, chefe)
  expect((await post('parados', { isShared: true }, chefe)).status).toBe(409)
  for (const name of [' ', 'a\nb', 'x'.repeat(41)]) expect((await post(name)).status).toBe(400)
  for (const bad of [{ tab: 'none' }, { waitingMinutes: 0 }, { priority: 'urgent' }, { unread: true }])
    expect((await post('Ruim', { content: { ...content, ...bad } })).status).toBe(400)
})

test('a supervisor shares with everybody, who see it and do not change it', async () => {
  const live = await connectLive(t.app.url, { token: bia.token })
  const id = await save('Urgentes', { isShared: true }, chefe)
  await live.heard('views_changed')
  expect(await seen(bia)).toMatchObject([{ id, isShared: true, ownerId: chefe.userId, isChangeable: false }])
  const refused = refusedWith(403, 'Esta visão é de outra pessoa. Salve uma sua.')
  expect(await change(id, { name: 'Tomada' }, bia)).toMatchObject(refused)
  expect(await remove(id, bia)).toMatchObject(refused)
  expect(await post('Para todos', { isShared: true }, bia)).toMatchObject(
    refusedWith(403, 'Você não pode compartilhar esta visão com essas pessoas.'),
  )
})

test('whoever leads a sector shares with its people, and others do not see it', async () => {
  const support = await sector('Suporte', { ana: [ana.userId, true], bia: [bia.userId, false] })
  const sales = await sector('Comercial', { bia: [bia.userId, false] })
  const id = await save('Do suporte', { isShared: true, sectorId: support })
  for (const sectorId of [sales, null])
    expect((await post('Alheia', { isShared: true, sectorId })).status).toBe(403)
  expect((await change(id, { sectorId: sales })).status).toBe(403)
  await t.sql`update users set scope = 'sector' where id = ${bia.userId}`
  expect(await namesOf(bia)).toEqual(['Do suporte'])
  await t.sql`delete from sector_people where sector_id = ${support} and user_id = ${bia.userId}`
  expect(await namesOf(bia)).toEqual([])
  expect((await change(id, { name: 'Tomada' }, bia)).status).toBe(404)
  // Who knows of every sector sees those of all, and supervisors change them.
  expect(await seen(chefe)).toMatchObject([{ id, isChangeable: true }])
  expect((await change(id, { isShared: false })).status).toBe(204)
  expect(await seen()).toMatchObject([{ isShared: false, sectorId: null }])
  expect(await seen(chefe)).toEqual([])
})

test('each person has an order of their own, which new views follow', async () => {
  const [b, a] = [await save('B', { isShared: true }, chefe), await save('A')]
  expect(await namesOf()).toEqual(['A', 'B'])
  expect((await ana.request('PUT', '/api/views/order', { ids: [b, 999_999, a] })).status).toBe(204)
  await save('0')
  expect(await namesOf()).toEqual(['B', 'A', '0'])
  await save('C', { isShared: true }, chefe)
  expect(await namesOf(chefe)).toEqual(['B', 'C'])
})

test('a person saves so many views and no more', async () => {
  await t.sql`insert into saved_views (owner_id, name, content)
              select ${ana.userId}::int, 'Visão ' || n, ${JSON.stringify(content)}::jsonb
                from generate_series(1, 50) n`
  expect(await post('Mais uma')).toMatchObject(
    refusedWith(409, 'Há 50 visões, e não cabem mais. Exclua uma que não se usa.'),
  )
})

test('with an account go the views that its person alone saw, and what they shared stays', async () => {
  const admin = await t.signIn('admin')
  const gone = await t.signIn('supervisor')
  await save('Só minha', {}, gone)
  await save('De todos', { isShared: true }, gone)
  expect((await admin.request('DELETE', `/api/users/${gone.userId}`)).status).toBe(204)
  expect(await t.sql`select name from saved_views`).toEqual([{ name: 'De todos' }])
  const [left] = await seen(chefe)
  expect((await remove(left?.id ?? 0, chefe)).status).toBe(204)
})
