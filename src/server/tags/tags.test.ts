import { beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { ManagedTag } from '#shared/tags/managed-tags.ts'
import type { KnownTags } from '#shared/tags/tags.ts'
import { given } from '#server/testing/given.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { type Client, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

beforeEach(async () => {
  await t.sql`delete from conversations`
  await t.sql`delete from conversation_tags`
  await t.sql`delete from sector_people`
  await t.sql`delete from sectors`
  await t.sql`delete from system_settings`
})

const color = '#2563eb'
const ask = (value: string) =>
  t.sql`insert into system_settings (values) values (${JSON.stringify({ askTag: value })})`
async function sector(name: string, own?: object, leadId?: number): Promise<number> {
  const { body } = await chefe.request<{ id: number }>('POST', '/api/sectors', { name, color })
  const change = { ...(own && { own }), ...(leadId && { people: [{ userId: leadId, isLead: true }] }) }
  if (own || leadId) await chefe.request('PATCH', `/api/sectors/${body.id}`, change)
  return body.id
}
const post = (body: object, who: Client = chefe) =>
  who.request<{ id: number; message: string }>('POST', '/api/tags', { color, sectorId: null, ...body })
async function tag(name: string, sectorId: number | null = null): Promise<number> {
  const { status, body } = await post({ name, sectorId })
  expect(status).toBe(201)
  return body.id
}
const change = (id: number, body: object, who: Client = chefe) =>
  who.request<{ message: string }>('PATCH', `/api/tags/${id}`, body)
const managed = (who: Client = chefe) => who.get<ManagedTag[]>('/api/tags/managed')
const put = (id: number, body: object, who: Client = ana) =>
  who.request<{ conversation: Conversation; message: string }>('PATCH', `/api/conversations/${id}/tags`, body)
async function talk(sectorId: number | null = null): Promise<Conversation> {
  const made = await given.conversation(t, ana)
  await t.sql`update conversations set assigned_user_id = ${ana.userId}, status = 'active',
                     sub_status = 'OPERADOR', sector_id = ${sectorId} where id = ${made.id}`
  return made
}
const finalize = (id: number, body: object = {}) =>
  ana.request<{ conversation: Conversation; message: string }>(
    'POST',
    `/api/conversations/${id}/finalize`,
    body,
  )
const refusedWith = (status: number, message: string) => ({ status, body: { message } })
const tagIdsOf = async (id: number) => (await chefe.get<Conversation>(`/api/conversations/${id}`)).tagIds
const eventsOf = async (id: number) =>
  (await chefe.get<Message[]>(`/api/conversations/${id}/messages`)).flatMap(({ metadata: { event } }) =>
    event ? [event] : [],
  )
const audited = (action: string) =>
  t.sql`select details from audit_logs where action = ${action} order by id desc limit 1`

describe('the tags of a conversation', () => {
  test('tags that are put on and taken off are shown, pushed, told in the timeline and audited', async () => {
    const [urgent, vip] = [await tag('Urgente'), await tag('VIP')]
    const { id } = await talk()
    const live = await connectLive(t.app.url, { token: chefe.token })
    const { status, body } = await put(id, { add: [vip, urgent] })
    expect([status, body.conversation.tagIds]).toEqual([200, [urgent, vip]])
    expect(await live.heard('conversation_updated')).toMatchObject({
      data: { conversation: { tagIds: [urgent, vip] } },
    })
    expect((await put(id, { remove: [urgent, urgent] })).body.conversation.tagIds).toEqual([vip])
    expect(await eventsOf(id)).toEqual([
      { act: 'tagged', added: ['VIP', 'Urgente'] },
      { act: 'tagged', removed: ['Urgente'] },
    ])
    expect(await audited('conversation.tags')).toEqual([{ details: { added: [], removed: ['Urgente'] } }])
    const [row] = await ana.get<Conversation[]>('/api/conversations')
    expect(row?.tagIds).toEqual([vip])
    await put(id, { remove: [vip] })
    expect(await tagIdsOf(id)).toBeUndefined()
  })

  test('what a conversation has already is passed over without a line', async () => {
    const urgent = await tag('Urgente')
    const { id } = await talk()
    await put(id, { add: [urgent] })
    const before = await eventsOf(id)
    expect((await put(id, { add: [urgent], remove: [urgent + 1] })).status).toBe(200)
    expect(await eventsOf(id)).toEqual(before)
  })

  test('two people who tag at once keep the tags of each other', async () => {
    const ids = await Promise.all(['um', 'dois', 'três', 'quatro'].map((name) => tag(name)))
    const { id } = await talk()
    await Promise.all(ids.map((one, n) => put(id, { add: [one] }, n % 2 ? ana : chefe)))
    expect(await tagIdsOf(id)).toEqual(ids.toSorted((a, b) => a - b))
  })

  test('unknown, inactive and foreign tags are refused by name, and so are too many', async () => {
    const [sales, support] = [await sector('Comercial'), await sector('Suporte')]
    const [ofSales, off] = [await tag('Proposta', sales), await tag('Velha')]
    await change(off, { isActive: false })
    const { id } = await talk(support)
    expect(await put(id, { add: [99_999] })).toMatchObject(refusedWith(422, 'Etiqueta não encontrada'))
    expect(await put(id, { add: [off] })).toMatchObject(
      refusedWith(422, 'A etiqueta Velha foi desativada. Escolha outra.'),
    )
    expect(await put(id, { add: [ofSales] })).toMatchObject(
      refusedWith(422, 'A etiqueta Proposta é de outro setor.'),
    )
    const many = await Promise.all(Array.from({ length: 21 }, (_, n) => tag(`e${n}`)))
    expect((await put(id, { add: many.slice(0, 20) })).status).toBe(200)
    expect(await put(id, { add: many.slice(20) })).toMatchObject(
      refusedWith(409, 'Uma conversa tem no máximo 20 etiquetas.'),
    )
    expect((await put(id, { add: many })).status).toBe(400)
  })

  test('an inactive tag stays on what has it, and can be taken off', async () => {
    const old = await tag('Velha')
    const { id } = await talk()
    await put(id, { add: [old] })
    await change(old, { isActive: false })
    expect(await tagIdsOf(id)).toEqual([old])
    expect((await put(id, { remove: [old] })).body.conversation.tagIds).toBeUndefined()
  })

  test('a completed conversation is tagged by supervisors only', async () => {
    const urgent = await tag('Urgente')
    const { id } = await talk()
    await finalize(id)
    expect((await put(id, { add: [urgent] })).status).toBe(403)
    expect((await put(id, { add: [urgent] }, chefe)).body.conversation.tagIds).toEqual([urgent])
  })

  test('whoever sees only the card of a waiting conversation sees and finds no tag of it', async () => {
    const here = await sector('Suporte')
    await t.sql`insert into sector_people (sector_id, user_id, is_lead)
                values (${here}, ${ana.userId}, false)`
    await t.sql`update users set scope = 'own' where id = ${ana.userId}`
    const urgent = await tag('Urgente')
    const { id } = await given.conversation(t, chefe)
    await t.sql`update conversations set sector_id = ${here}, tag_ids = array[${urgent}::int]
                 where id = ${id}`
    const find = (query: string) => ana.get<Conversation[]>(`/api/conversations${query}`)
    await t.sql`insert into events (type, conversation_id) values ('conversation_updated', ${id})`
    await expect.poll(() => find('?tagId=none')).toMatchObject([{ id, isCard: true }])
    expect((await find(''))[0]).not.toHaveProperty('tagIds')
    expect(await find(`?tagId=${urgent}`)).toEqual([])
    await t.sql`update users set scope = 'all' where id = ${ana.userId}`
  })
})

describe('a tag that is required', () => {
  test('a conversation without any does not end, whoever asks, until it gets one with its end', async () => {
    const urgent = await tag('Urgente')
    await ask('required')
    const { id } = await talk()
    expect(await finalize(id)).toMatchObject(refusedWith(422, 'Ponha uma etiqueta'))
    const { status, body } = await finalize(id, { tagIds: [urgent] })
    expect([status, body.conversation.tagIds, body.conversation.status]).toEqual([200, [urgent], 'completed'])
    expect((await eventsOf(id)).map(({ act }) => act).slice(-2)).toEqual(['tagged', 'finalized'])
    const other = await talk()
    await put(other.id, { add: [urgent] })
    expect((await finalize(other.id)).status).toBe(200)
  })

  test('a sector asks in its own way, and where there is none to put on nobody is asked', async () => {
    await ask('required')
    expect((await finalize((await talk()).id)).status).toBe(200)
    const [strict, free] = [
      await sector('Suporte', { askTag: 'required' }),
      await sector('Comercial', { askTag: 'no' }),
    ]
    await tag('Proposta', strict)
    expect((await finalize((await talk(free)).id)).status).toBe(200)
    expect((await finalize((await talk(strict)).id)).status).toBe(422)
    expect((await finalize((await talk()).id)).status).toBe(200)
    expect(await ana.get<KnownTags>('/api/tags')).toMatchObject({
      ask: 'required',
      ofSectors: [
        { sectorId: strict, ask: 'required' },
        { sectorId: free, ask: 'no' },
      ],
    })
  })
})

describe('the list of tags', () => {
  test('a name is taken whatever its case and accents, also by an inactive tag', async () => {
    const id = await tag('Urgência')
    expect(await post({ name: 'urgencia' })).toMatchObject(
      refusedWith(409, 'Já existe a etiqueta ‘Urgência’'),
    )
    await change(id, { isActive: false })
    expect(await post({ name: 'URGÊNCIA' })).toMatchObject(
      refusedWith(409, 'Já existe a etiqueta ‘Urgência’, inativa. Ative-a de novo.'),
    )
    for (const body of [
      { name: ' ' },
      { name: 'a\nb' },
      { name: 'x'.repeat(41) },
      { name: 'x', color: 'red' },
    ])
      expect((await post(body)).status).toBe(400)
  })

  test('a changed version is refused, and a used tag is not deleted', async () => {
    const id = await tag('Urgente')
    expect((await change(id, { name: 'Pressa', version: 1 })).status).toBe(204)
    expect(await change(id, { name: 'Outra', version: 1 })).toMatchObject(
      refusedWith(409, 'Um colega mudou esta etiqueta enquanto você editava.'),
    )
    await put((await talk()).id, { add: [id] })
    expect(await managed()).toMatchObject([{ name: 'Pressa', uses: 1, isChangeable: true }])
    expect(await chefe.request('DELETE', `/api/tags/${id}`)).toMatchObject(
      refusedWith(409, 'Há conversas com a etiqueta Pressa. Desative-a: elas a mantêm.'),
    )
    const free = await tag('Livre')
    expect((await chefe.request('DELETE', `/api/tags/${free}`)).status).toBe(204)
  })

  test('whoever leads a sector changes the tags of it, and no others', async () => {
    const [mine, other] = [await sector('Suporte', undefined, ana.userId), await sector('Comercial')]
    const { status, body } = await post({ name: 'Minha', sectorId: mine }, ana)
    expect(status).toBe(201)
    const [ofAll, foreign] = [await tag('Geral'), await tag('Alheia', other)]
    expect((await change(body.id, { color: '#db2777' }, ana)).status).toBe(204)
    const refused = refusedWith(403, 'Você cuida só das etiquetas dos setores pelos quais é responsável.')
    for (const sectorId of [null, other]) {
      expect(await post({ name: 'Nova', sectorId }, ana)).toMatchObject(refused)
      expect(await change(body.id, { sectorId }, ana)).toMatchObject(refused)
    }
    for (const id of [ofAll, foreign]) {
      expect(await change(id, { name: 'Tomada' }, ana)).toMatchObject(refused)
      expect(await ana.request('DELETE', `/api/tags/${id}`)).toMatchObject(refused)
    }
    expect((await managed(ana)).map(({ isChangeable }) => isChangeable)).toEqual([true, false, false])
    const ids = [foreign, ofAll, body.id]
    expect((await ana.request('PUT', '/api/tags/order', { ids })).status).toBe(403)
    expect((await chefe.request('PUT', '/api/tags/order', { ids })).status).toBe(204)
    expect((await managed()).map(({ id }) => id)).toEqual(ids)
    expect((await chefe.request('PUT', '/api/tags/order', { ids: ids.slice(1) })).status).toBe(409)
  })

  test('the tags of a deleted sector are switched off, and keep their names on what has them', async () => {
    const gone = await sector('Suporte')
    const id = await tag('Suporte N2', gone)
    const made = await talk(gone)
    await put(made.id, { add: [id] })
    await chefe.request('DELETE', `/api/sectors/${gone}?targetId=none`)
    expect(await managed()).toMatchObject([{ id, isActive: false, uses: 1 }])
  })
})
