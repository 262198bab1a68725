import { beforeEach, expect, test } from 'vitest'
import type { ManagedMacro } from '#shared/macros/managed-macros.ts'
import { sweepFiles } from '#server/media/media.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { type Client, forAllTests, formOf, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bia = forAllTests(() => t.signIn('operator', 'bia'))

beforeEach(async () => {
  await t.sql`delete from macros`
  await t.sql`delete from sector_people`
  await t.sql`delete from sectors`
})

const text = { kind: 'text', text: 'Olá' }
const post = (name: string, given: object = {}, who: Client = ana) =>
  who.request<{ id: number; message: string; fields?: Record<string, string> }>('POST', '/api/macros', {
    name,
    shortcut: name.toLowerCase().replaceAll(' ', '-'),
    isShared: false,
    sectorId: null,
    steps: [text],
    ...given,
  })
const make = async (name: string, given: object = {}, who: Client = ana): Promise<number> => {
  const { status, body } = await post(name, given, who)
  expect([status, body.message]).toEqual([201, undefined])
  return body.id
}
const change = (id: number, body: object, who: Client = ana) =>
  who.request<{ message: string; version: number }>('PATCH', `/api/macros/${id}`, body)
const remove = (id: number, who: Client = ana) => who.request('DELETE', `/api/macros/${id}`)
const seen = (who: Client = ana) => who.get<ManagedMacro[]>('/api/macros/managed')
const namesOf = async (who: Client = ana) => (await seen(who)).map(({ name }) => name)
const refusedWith = (status: number, message: string) => ({ status, body: { message } })
async function sector(name: string, people: [number, boolean][]): Promise<number> {
  const [row] = await t.sql`insert into sectors (name, color) values (${name}, '#2563eb') returning id`
  const id = row?.['id'] as number
  for (const [userId, isLead] of people)
    await t.sql`insert into sector_people (sector_id, user_id, is_lead) values (${id}, ${userId}, ${isLead})`
  return id
}

test('a macro of one’s own is seen, changed and deleted by its author alone', async () => {
  const id = await make('Minha')
  expect(await seen()).toMatchObject([{ id, name: 'Minha', isUsable: true, isChangeable: true, uses: 0 }])
  for (const other of [bia, chefe]) {
    expect(await seen(other)).toEqual([])
    expect((await change(id, { name: 'Tomada' }, other)).status).toBe(404)
    expect((await remove(id, other)).status).toBe(404)
  }
  expect(await change(id, { steps: [text, text], version: 1 })).toMatchObject({
    status: 200,
    body: { version: 2 },
  })
  expect(await change(id, { steps: [text, text], version: 2 })).toMatchObject({
    status: 200,
    body: { version: 2 },
  })
  expect(await change(id, { name: 'Outra', version: 1 })).toMatchObject(
    refusedWith(409, 'Um colega mudou esta macro enquanto você editava.'),
  )
  expect((await remove(id)).status).toBe(204)
  expect(await seen()).toEqual([])
})

test('macros of a sector are for its people, and changed by its leads and whoever manages all', async () => {
  const sectorId = await sector('Comercial', [
    [ana.userId, true],
    [bia.userId, false],
  ])
  const id = await make('Do setor', { isShared: true, sectorId })
  expect(await seen(bia)).toMatchObject([{ id, isUsable: true, isChangeable: false }])
  expect(await seen(chefe)).toMatchObject([{ id, isUsable: false, isChangeable: true }])
  expect(await bia.get('/api/macros')).toEqual([{ id, name: 'Do setor', shortcut: 'do-setor', stepCount: 1 }])
  expect(await chefe.get('/api/macros')).toEqual([])
  expect(await change(id, { name: 'Tomada' }, bia)).toMatchObject(
    refusedWith(403, 'Esta macro é de outras pessoas. Duplique-a e mude a cópia.'),
  )
  expect((await change(id, { name: 'Do Comercial' }, chefe)).status).toBe(200)
  await t.sql`delete from sector_people where user_id = ${bia.userId}`
  expect(await seen(bia)).toEqual([])
  for (const given of [{ isShared: true }, { isShared: true, sectorId }])
    expect(await post('Para todos', given, bia)).toMatchObject(
      refusedWith(403, 'Você não pode compartilhar esta macro com essas pessoas.'),
    )
})

test('names and shortcuts of macros are unique among those that somebody has together', async () => {
  const sectorId = await sector('Comercial', [[ana.userId, true]])
  const other = await sector('Suporte', [[ana.userId, true]])
  await make('Pedido', { isShared: true }, chefe)
  expect(await post('pedído', { isShared: true, sectorId })).toMatchObject(
    refusedWith(409, 'Já existe a macro ‘pedído’'),
  )
  expect(await post('Outra', { shortcut: 'PEDIDO', isShared: true, sectorId })).toMatchObject(
    refusedWith(409, 'O atalho /PEDIDO já é da macro ‘Pedido’'),
  )
  await make('Orçamento', { isShared: true, sectorId })
  await make('Orçamento', { isShared: true, sectorId: other })
  await make('Pedido')
  expect((await namesOf()).toSorted()).toEqual(['Orçamento', 'Orçamento', 'Pedido', 'Pedido'])
})

test('steps that exclude each other are no macro, and the refusal says why', async () => {
  const finalize = { kind: 'finalize', reasonId: null }
  const snooze = { kind: 'snooze', time: 'tomorrow' }
  const toSector = { kind: 'sector', sectorId: 1 }
  for (const [steps, said] of [
    [[], 'Adicione pelo menos um passo.'],
    [[snooze, finalize], '‘Lembrar’ com ‘Finalizar’ não vale: uma conversa finalizada não espera.'],
    [[finalize, text], 'Depois de ‘Finalizar’ não vem outro passo.'],
    [[toSector, toSector], 'Só cabe um passo ‘Setor’.'],
    [
      [toSector, { kind: 'person', userId: 1 }],
      'Escolha ‘Setor’ ou ‘Pessoa’: a conversa só se transfere uma vez.',
    ],
    [Array.from({ length: 21 }, () => text), 'Uma macro tem no máximo 20 passos.'],
  ] as const) {
    const { status, body } = await post('Impossível', { steps })
    expect([status, body.fields?.['steps']]).toEqual([400, said])
  }
})

test('a macro keeps the files of its steps, and names no file of somebody else', async () => {
  const upload = (who: Client) =>
    who.request<{ name: string }>('POST', '/api/macros/files', formOf({}, 'politica.txt', 'x'))
  const { status, body: file } = await upload(ana)
  expect(status).toBe(201)
  const step = { kind: 'file', file, text: '' }
  const id = await make('Com arquivo', { steps: [step] })
  const isKept = async () =>
    (await t.sql`select is_of_macro from files where name = ${file.name}`)[0]?.['is_of_macro']
  expect(await isKept()).toBe(true)
  // That of a private macro is not Bia's to name.
  expect(await post('Copiada', { steps: [step] }, bia)).toMatchObject({ status: 404 })
  const copy = await make('Cópia', { steps: [step] })
  expect((await remove(id)).status).toBe(204)
  expect(await isKept()).toBe(true)
  const store = await createFileStore(t.config, t)
  await t.sql`update files set created_at = app_now() - interval '2 days'`
  await sweepFiles(t.database, store)
  expect(await isKept()).toBe(true)
  expect((await change(copy, { steps: [text] })).status).toBe(200)
  expect(await isKept()).toBe(false)
  await sweepFiles(t.database, store)
  expect(await isKept()).toBeUndefined()
})

test('a change of macros is told to everybody who is there', async () => {
  const live = await connectLive(t.app.url, { token: bia.token })
  await make('Nova', { isShared: true }, chefe)
  await live.heard('macros_changed')
})

test('macros that only somebody had go with their account, and shared ones stay', async () => {
  const carla = await t.signIn('supervisor', 'carla')
  await make('Só dela', {}, carla)
  await make('De todos', { isShared: true }, carla)
  expect((await chefe.request('DELETE', `/api/users/${carla.userId}`)).status).toBeLessThan(300)
  expect(await t.sql`select name from macros`).toEqual([{ name: 'De todos' }])
})
