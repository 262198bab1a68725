import { beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { LastReason } from '#shared/reasons/conversation-reason.ts'
import type { ManagedReason } from '#shared/reasons/managed-reasons.ts'
import type { KnownReasons } from '#shared/reasons/reasons.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { given } from '#server/testing/given.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { type Client, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

beforeEach(async () => {
  await t.sql`delete from conversations`
  await t.sql`delete from finish_reasons`
  await t.sql`update evolution_api_config set own_settings = '{}'`
  await t.sql`delete from sectors`
  await t.sql`update users set scope = 'all'`
  await t.sql`delete from system_settings`
})

const ask = (value: string) =>
  t.sql`insert into system_settings (values) values (${JSON.stringify({ askReason: value })})`
async function sector(name: string, askReason?: string): Promise<number> {
  const { body } = await chefe.request<{ id: number }>('POST', '/api/sectors', { name, color: '#2563eb' })
  if (askReason) await chefe.request('PATCH', `/api/sectors/${body.id}`, { own: { askReason } })
  return body.id
}
const post = (body: object, who: Client = chefe) =>
  who.request<{ id: number; code: string; message: string }>('POST', '/api/reasons', body)
async function reason(name: string, more: object = {}): Promise<number> {
  const { status, body } = await post({ name, ...more })
  expect(status).toBe(201)
  return body.id
}
const change = (id: number, body: object) => chefe.request('PATCH', `/api/reasons/${id}`, body)
const managed = () => chefe.get<ManagedReason[]>('/api/reasons/managed')
const known = (who = ana) => who.get<KnownReasons>('/api/reasons')

/** A conversation of Ana's. */
async function talk(sectorId: number | null = null): Promise<Conversation> {
  const made = await given.conversation(t, ana)
  await t.sql`update conversations set assigned_user_id = ${ana.userId}, status = 'active',
                     sub_status = 'OPERADOR', sector_id = ${sectorId} where id = ${made.id}`
  return made
}
const finalize = (id: number, body: object = {}, who = ana) =>
  who.request<{ conversation: Conversation; message: string }>(
    'POST',
    `/api/conversations/${id}/finalize`,
    body,
  )
const again = (id: number, body: object, who = chefe) =>
  who.request<{ conversation: Conversation }>('PUT', `/api/conversations/${id}/reason`, body)
const refusedWith = (status: number, message: string) => ({ status, body: { message } })
const read = (id: number) => chefe.get<Conversation>(`/api/conversations/${id}`)
const linesOf = async (id: number) =>
  (await chefe.get<Message[]>(`/api/conversations/${id}/messages`)).flatMap(({ metadata: { event } }) =>
    event ? [[event.act, event.ended]] : [],
  )
const audited = (action: string) =>
  t.sql`select details - 'assignedUserId' as details from audit_logs where action = ${action}
         order by id desc limit 1`

describe('finalizing', () => {
  test('an installation without reasons finalizes as before, whatever is asked for', async () => {
    expect(await known()).toEqual({ reasons: [], ask: 'optional', ofNumbers: [], ofSectors: [] })
    await ask('required')
    const { id } = await talk()
    const { status, body } = await finalize(id)
    expect([status, body.conversation.finishReasonId]).toEqual([200, undefined])
    expect(await linesOf(id)).toContainEqual(['finalized', undefined])
  })

  test('a chosen reason is the conversation’s, and told in timeline and audit', async () => {
    const finance = await reason('Financeiro')
    const reasonId = await reason('Segunda via', { parentId: finance })
    const { id } = await talk()
    const live = await connectLive(t.app.url, { token: chefe.token })
    const { status, body } = await finalize(id, { reasonId })
    expect([status, body.conversation.finishReasonId]).toEqual([200, reasonId])
    expect(await live.heard('conversation_updated')).toMatchObject({
      data: { conversation: { finishReasonId: reasonId } },
    })
    expect(await linesOf(id)).toContainEqual(['finalized', 'Financeiro › Segunda via'])
    expect(await audited('conversation.finalize')).toEqual([
      { details: { reason: 'Financeiro › Segunda via' } },
    ])
  })

  test('where a reason is required nobody finalizes without one, and nothing changes', async () => {
    const reasonId = await reason('Dúvida')
    await ask('required')
    const { id } = await talk()
    for (const body of [{}, { reasonId: null }, { isUndoable: true, notes: 'feito' }])
      for (const who of [ana, chefe])
        expect(await finalize(id, body, who)).toMatchObject(refusedWith(422, 'Escolha o motivo'))
    expect(await read(id)).toMatchObject({ status: 'active', notes: null })
    expect((await finalize(id, { reasonId })).status).toBe(200)
  })

  test('a number and a sector ask in their own way, the sector first', async () => {
    const reasonId = await reason('Dúvida')
    const [strict, free] = [await sector('Suporte', 'required'), await sector('Comercial', 'no')]
    expect((await finalize((await talk()).id)).status).toBe(200)
    const { id } = await talk(strict)
    expect((await finalize(id)).status).toBe(422)
    expect((await finalize(id, { reasonId })).status).toBe(200)
    await t.sql`update evolution_api_config set own_settings = '{"askReason": "required"}'`
    expect((await finalize((await talk(free)).id)).status).toBe(200)
    expect((await finalize((await talk()).id)).status).toBe(422)
    expect(await known()).toMatchObject({
      ask: 'optional',
      ofNumbers: [{ instanceId: t.instanceId, ask: 'required' }],
      ofSectors: [
        { sectorId: strict, ask: 'required' },
        { sectorId: free, ask: 'no' },
      ],
    })
  })

  test('where a reason is required and a sector has none to choose, it is not', async () => {
    const [suporte, comercial] = [await sector('Suporte'), await sector('Comercial')]
    await reason('Instalação', { sectorId: suporte })
    await ask('required')
    expect((await finalize((await talk(comercial)).id)).status).toBe(200)
    expect((await finalize((await talk()).id)).status).toBe(200)
    expect((await finalize((await talk(suporte)).id)).status).toBe(422)
  })

  test('a reason with others within it, of another sector, switched off or unknown is refused', async () => {
    const [suporte, comercial] = [await sector('Suporte'), await sector('Comercial')]
    const finance = await reason('Financeiro')
    const copy = await reason('Segunda via', { parentId: finance })
    const sale = await reason('Venda', { sectorId: comercial })
    const closed = await reason('Fechada', { parentId: sale })
    const { id } = await talk(suporte)
    const refuse = async (reasonId: number, status: number, error: string) =>
      expect(await finalize(id, { reasonId })).toMatchObject(refusedWith(status, error))
    await refuse(finance, 422, 'Escolha um dos motivos de Financeiro.')
    await refuse(sale, 422, 'O motivo Venda é de outro setor.')
    await refuse(closed, 422, 'O motivo Venda › Fechada é de outro setor.')
    await refuse(2_000_000_000, 422, 'Motivo não encontrado')
    await change(copy, { isActive: false })
    await refuse(copy, 422, 'O motivo Financeiro › Segunda via foi desativado. Escolha outro.')
    await change(copy, { isActive: true })
    await change(finance, { isActive: false })
    await refuse(copy, 422, 'O motivo Financeiro › Segunda via foi desativado. Escolha outro.')
    // Of one of which none is active the first level is chosen.
    await change(finance, { isActive: true })
    await change(copy, { isActive: false })
    expect((await finalize(id, { reasonId: finance })).status).toBe(200)
    const none = await talk()
    expect(await finalize(none.id, { reasonId: closed })).toMatchObject({ status: 422 })
  })

  test('a reason that is being switched off is waited for, and then refused', async () => {
    const reasonId = await reason('Dúvida')
    const { id } = await talk()
    let answer: ReturnType<typeof finalize> | undefined
    await inTransaction(t.database, async (db) => {
      await db.execute(`update finish_reasons set is_active = false where id = ${reasonId}`)
      answer = finalize(id, { reasonId })
      await expect
        .poll(
          () => t.sql`select from pg_stat_activity
                       where datname = current_database() and wait_event_type = 'Lock'`,
        )
        .not.toEqual([])
    })
    expect(await answer).toMatchObject(refusedWith(422, 'O motivo Dúvida foi desativado. Escolha outro.'))
  })

  test('an end that is undone has no reason any more, and its timeline keeps it', async () => {
    const reasonId = await reason('Dúvida')
    const { id } = await talk()
    await finalize(id, { reasonId, isUndoable: true })
    const undone = await ana.request('POST', `/api/conversations/${id}/undo-finalize`)
    expect([undone.status, await read(id)]).toMatchObject([200, { status: 'active' }])
    expect(await read(id)).not.toHaveProperty('finishReasonId')
    expect(await linesOf(id)).toEqual(
      expect.arrayContaining([
        ['finalized', 'Dúvida'],
        ['reopened', undefined],
      ]),
    )
    expect((await finalize(id, { reasonId })).status).toBe(200)
  })

  test('a contact that is blocked ends without a reason of a person, whatever is required', async () => {
    await reason('Dúvida')
    await ask('required')
    const { id, contactId } = await talk()
    expect((await chefe.request('POST', `/api/contacts/${contactId}/block`)).status).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'completed' })
    expect(await read(id)).not.toHaveProperty('finishReasonId')
    expect(await chefe.get(`/api/conversations/archived/${id}`)).toMatchObject({ endedBy: 'blocked' })
  })
})

describe('a reason that is changed afterwards', () => {
  test('is audited, told in the timeline and pushed, for supervisors and administrators alone', async () => {
    const [first, second] = [await reason('Dúvida'), await reason('Reclamação')]
    const { id } = await talk()
    await finalize(id, { reasonId: first })
    expect((await again(id, { reasonId: second }, ana)).status).toBe(403)
    const live = await connectLive(t.app.url, { token: ana.token })
    const { body } = await again(id, { reasonId: second })
    expect(body.conversation.finishReasonId).toBe(second)
    expect(await live.heard('conversation_updated')).toMatchObject({
      data: { conversation: { finishReasonId: second } },
    })
    expect(await linesOf(id)).toContainEqual(['reason_changed', 'Reclamação'])
    expect(await audited('conversation.reason')).toEqual([{ details: { from: 'Dúvida', to: 'Reclamação' } }])
    await again(id, { reasonId: second })
    expect((await linesOf(id)).filter(([act]) => act === 'reason_changed')).toHaveLength(1)
  })

  test('follows the rules of finalizing, and waits for the end', async () => {
    const reasonId = await reason('Dúvida')
    const off = await reason('Antigo')
    await change(off, { isActive: false })
    const { id } = await talk()
    expect(await again(id, { reasonId })).toMatchObject({ status: 409 })
    await finalize(id, { reasonId })
    expect(await again(id, { reasonId: off })).toMatchObject({ status: 422 })
    const { version } = await read(id)
    expect(await again(id, { reasonId: null, version: version - 1 })).toMatchObject({ status: 409 })
    expect(await again(id, { reasonId: null, version })).toMatchObject({ status: 200 })
    await again(id, { reasonId })
    await ask('required')
    expect(await again(id, { reasonId: null })).toMatchObject(refusedWith(422, 'Escolha o motivo'))
  })
})

describe('the last reasons of a contact', () => {
  const last = (id: number, who = ana) =>
    who.request<LastReason[]>('GET', `/api/conversations/${id}/last-reasons`)

  test('are those of what the person may read, the newest first and each once', async () => {
    const [first, second, third] = [await reason('Um'), await reason('Dois'), await reason('Três')]
    const now = await talk()
    const ended = async (reasonId: number | null, hours: number, holder = ana.userId) =>
      t.sql`insert into conversations (instance_id, contact_id, protocol, assigned_user_id, status,
                                       completed_at, finish_reason_id)
            values (${t.instanceId}, ${now.contactId}, ${String(20261130000000 + hours)}, ${holder},
                    'completed', app_now() - ${hours} * interval '1 hour', ${reasonId})`
    await ended(first, 5)
    await ended(second, 4)
    await ended(second, 3)
    await ended(third, 2, chefe.userId)
    const { body } = await last(now.id, chefe)
    expect(body.map(({ reasonId, isOfLast }) => [reasonId, isOfLast])).toEqual([
      [third, true],
      [second, false],
      [first, false],
    ])
    // An operator may not read what others have completed.
    expect((await last(now.id)).body.map(({ reasonId }) => reasonId)).toEqual([second, first])
    expect((await last(2_000_000_000)).status).toBe(404)
  })
})

describe('reasons that are managed', () => {
  test('names are unique under their parent, in any writing, also those that are switched off', async () => {
    const finance = await reason('Financeiro')
    await reason('Dúvida')
    const own = await reason('Dúvida', { parentId: finance })
    expect(await post({ name: ' financeíro ' })).toMatchObject(
      refusedWith(409, 'Já existe o motivo ‘Financeiro’'),
    )
    await change(own, { isActive: false })
    expect(await post({ name: 'DUVIDA', parentId: finance })).toMatchObject(
      refusedWith(409, 'Já existe o motivo ‘Financeiro › Dúvida’, inativo. Ative-o de novo.'),
    )
  })

  test('there are two levels, and the sector is the first one’s', async () => {
    const suporte = await sector('Suporte')
    const first = await reason('Instalação', { sectorId: suporte })
    const second = await reason('Lenta', { parentId: first })
    expect(await post({ name: 'Mais', parentId: second })).toMatchObject({ status: 422 })
    expect(await post({ name: 'Outro', parentId: first, sectorId: suporte })).toMatchObject({ status: 422 })
    expect(await post({ name: 'Outro', sectorId: 2_000_000_000 })).toMatchObject({ status: 422 })
    expect(await post({ name: 'Outro', parentId: 2_000_000_000 })).toMatchObject({ status: 422 })
    expect(await post({ name: 'A › B' })).toMatchObject({ status: 400 })
    expect(await post({ name: '  ' })).toMatchObject({ status: 400 })
    expect((await known()).reasons).toEqual([
      { id: first, name: 'Instalação', parentId: null, sectorId: suporte, isActive: true },
      { id: second, name: 'Lenta', parentId: first, sectorId: suporte, isActive: true },
    ])
  })

  test('a new name is also that of those within, and everybody hears of it', async () => {
    const first = await reason('Financeiro')
    const second = await reason('Segunda via', { parentId: first })
    const live = await connectLive(t.app.url, { token: ana.token })
    expect((await change(first, { name: 'Cobrança', version: 1 })).status).toBe(204)
    await live.heard('reasons_changed')
    expect(await change(first, { name: 'Outra', version: 1 })).toMatchObject({ status: 409 })
    const { id } = await talk()
    await finalize(id, { reasonId: second })
    expect(await linesOf(id)).toContainEqual(['finalized', 'Cobrança › Segunda via'])
    expect(await audited('reason.change')).toEqual([
      { details: { name: 'Cobrança', changes: { name: ['Financeiro', 'Cobrança'] } } },
    ])
  })

  test('one that was used is not deleted, and one that was not is', async () => {
    const first = await reason('Financeiro')
    const second = await reason('Segunda via', { parentId: first })
    const remove = (id: number) => chefe.request('DELETE', `/api/reasons/${id}`)
    expect(await remove(first)).toMatchObject({ status: 409 })
    const { id } = await talk()
    await finalize(id, { reasonId: second })
    expect(await remove(second)).toMatchObject(
      refusedWith(409, 'Há conversas com o motivo Financeiro › Segunda via. Desative-o: elas o mantêm.'),
    )
    expect((await managed()).map(({ uses }) => uses)).toEqual([0, 1])
    await change(second, { isActive: false })
    expect(await read(id)).toMatchObject({ finishReasonId: second })
    const third = await reason('Terceira', { parentId: first })
    expect((await remove(third)).status).toBe(204)
    expect((await remove(third)).status).toBe(404)
  })

  test('the order of a level is changed as a whole', async () => {
    const [a, b] = [await reason('A'), await reason('B')]
    const [x, y] = [await reason('X', { parentId: a }), await reason('Y', { parentId: a })]
    const order = (parentId: number | null, ids: number[]) =>
      chefe.request('PUT', '/api/reasons/order', { parentId, ids })
    expect((await order(null, [b, a])).status).toBe(204)
    expect((await order(a, [y, x])).status).toBe(204)
    expect((await known()).reasons.map(({ id }) => id)).toEqual([b, a, y, x])
    for (const ids of [[a], [a, b, x], [a, a]]) expect((await order(null, ids)).status).toBe(409)
  })

  test('those of a sector that is deleted are switched off, and keep their names', async () => {
    const suporte = await sector('Suporte')
    const own = await reason('Instalação', { sectorId: suporte })
    const general = await reason('Dúvida')
    expect((await chefe.request('DELETE', `/api/sectors/${suporte}?targetId=none`)).status).toBe(204)
    expect((await known()).reasons).toMatchObject([
      { id: own, name: 'Instalação', isActive: false },
      { id: general, isActive: true },
    ])
  })
})
