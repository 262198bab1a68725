import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { ManagedSector } from '#shared/sectors/managed-sectors.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import { readMigrations } from '#server/platform/database/migrations.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { type Client, eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const beto = forAllTests(() => t.signIn('operator', 'beto'))

const list = '/api/conversations'

beforeEach(async () => {
  await t.sql`delete from conversations`
  await t.sql`update evolution_api_config set default_sector_id = null`
  await t.sql`update contacts set sector_id = null`
  await t.sql`update users set scope = 'all'`
  await t.sql`delete from sectors`
})

async function sector(name: string, people: { userId: number; isLead?: boolean }[] = []): Promise<number> {
  const { status, body } = await chefe.request<{ id: number }>('POST', '/api/sectors', {
    name,
    color: '#2563eb',
    people: people.map((person) => ({ isLead: false, ...person })),
  })
  expect(status).toBe(201)
  return body.id
}
const change = (id: number, body: object, who: Client = chefe) =>
  who.request('PATCH', `/api/sectors/${id}`, body)
const managed = async (who: Client = chefe) =>
  (await who.get<{ sectors: ManagedSector[] }>('/api/sectors/managed')).sectors

let talks = 0
/** Somebody new writes. */
async function talk(): Promise<Conversation & { phoneId: string }> {
  const name = `Clara ${++talks}`
  const phone = t.simulator.control.createPhone({ name, number: `5511960530${100 + talks}` })
  t.simulator.control.sendText(phone.id, 'oi')
  const [found] = await eventually(
    async () => (await chefe.get<Conversation[]>(list)).filter((row) => row.contact.name === name),
    { length: 1 },
  )
  if (!found) throw new Error('no conversation')
  return { ...found, phoneId: phone.id }
}
const one = (id: number, who: Client = chefe) => who.request<Conversation>('GET', `${list}/${id}`)
const ids = async (who: Client) => (await who.get<Conversation[]>(list)).map(({ id }) => id)

describe('sectors that are managed', () => {
  test('an installation without sectors has none, and everybody is told so', async () => {
    expect(await ana.get('/api/sectors')).toEqual([])
    expect((await talk()).sectorId).toBeNull()
  })

  test('a sector is created with its people, who learn of it, and its name is taken', async () => {
    const live = await connectLive(t.app.url, { token: beto.token })
    const id = await sector('Financeiro', [{ userId: beto.userId, isLead: true }])
    await live.heard('sectors_changed')
    expect(await ana.get<Sector[]>('/api/sectors')).toMatchObject([
      {
        id,
        name: 'Financeiro',
        isActive: true,
        numberIds: null,
        people: [{ userId: beto.userId, isLead: true }],
      },
    ])
    const { user } = await beto.get<{ user: object }>('/api/auth/me')
    expect(user).toMatchObject({ sectors: [{ id, isLead: true }], scope: 'all' })
    const again = await chefe.request('POST', '/api/sectors', { name: ' financeíro ', color: '#2563eb' })
    expect([again.status, again.body.message]).toEqual([409, 'Já existe o setor ‘Financeiro’'])
    await live.close()
  })

  test('only who may manage them creates, and a lead changes people and texts of their own', async () => {
    const [own, other] = [
      await sector('Vendas', [{ userId: ana.userId, isLead: true }]),
      await sector('Suporte'),
    ]
    expect((await ana.request('POST', '/api/sectors', { name: 'X', color: '#2563eb' })).status).toBe(403)
    expect((await beto.request('GET', '/api/sectors/managed')).status).toBe(403)
    expect((await managed(ana)).map(({ id, isWhole }) => [id, isWhole])).toEqual([[own, false]])
    const texts = {
      own: { queueMessage: 'Já vamos' },
      people: [
        { userId: ana.userId, isLead: true },
        { userId: beto.userId, isLead: false },
      ],
    }
    expect((await change(own, texts, ana)).status).toBe(204)
    expect((await change(own, { name: 'Comercial' }, ana)).status).toBe(403)
    expect((await change(other, texts, ana)).status).toBe(404)
    expect((await managed()).find(({ id }) => id === own)).toMatchObject({
      name: 'Vendas',
      own: { queueMessage: 'Já vamos' },
      people: [
        { userId: ana.userId, isLead: true },
        { userId: beto.userId, isLead: false },
      ],
    })
  })

  test('a change that is based on an older version is refused, and nothing of it is kept', async () => {
    const id = await sector('Vendas')
    expect((await change(id, { description: 'preços', version: 1 })).status).toBe(204)
    const late = await change(id, {
      description: 'prazos',
      people: [{ userId: ana.userId, isLead: false }],
      version: 1,
    })
    expect([late.status, late.body.code]).toEqual([409, 'sectors.changed'])
    expect((await managed())[0]).toMatchObject({ description: 'preços', people: [], version: 2 })
  })

  test('whoever is blocked for a while is of their sectors again, whatever was saved meanwhile', async () => {
    const id = await sector('Vendas', [{ userId: ana.userId }, { userId: beto.userId }])
    await t.sql`update users set is_blocked = true where id = ${beto.userId}`
    expect((await managed())[0]?.people.map(({ userId }) => userId)).toEqual([ana.userId])
    expect((await change(id, { people: [{ userId: ana.userId, isLead: true }] })).status).toBe(204)
    await t.sql`update users set is_blocked = false where id = ${beto.userId}`
    expect((await managed())[0]?.people).toMatchObject([
      { userId: ana.userId, isLead: true },
      { userId: beto.userId, isLead: false },
    ])
    await t.sql`update users set is_blocked = true where id = ${beto.userId}`
    expect((await chefe.request('DELETE', `/api/sectors/${id}`)).status).toBe(204)
    expect(await t.sql`select from sector_people where sector_id = ${id}`).toEqual([])
    await t.sql`update users set is_blocked = false where id = ${beto.userId}`
  })

  test('hours in which a sector would never be open are refused', async () => {
    const id = await sector('Vendas')
    const [settings] = await t.sql`select 1`
    expect(settings).toBeDefined()
    const closed = await change(id, {
      own: { workingHours: { enabled: true, start: '08:00', end: '18:00', days: [] } },
    })
    expect([closed.status >= 400, (await managed())[0]?.own]).toEqual([true, {}])
  })

  test('the order of sectors is changed whole, or not at all', async () => {
    const [a, b] = [await sector('A'), await sector('B')]
    expect((await chefe.request('PUT', '/api/sectors/order', { ids: [b, a] })).status).toBe(204)
    expect((await ana.get<Sector[]>('/api/sectors')).map(({ id }) => id)).toEqual([b, a])
    expect((await chefe.request('PUT', '/api/sectors/order', { ids: [b] })).status).toBe(409)
  })
})

describe('the sector of a conversation', () => {
  test('a new one has that of its contact, of the last conversation, of the number, or none', async () => {
    const [fixed, ofNumber, last] = [await sector('Fixo'), await sector('Número'), await sector('Última')]
    await t.sql`update evolution_api_config set default_sector_id = ${ofNumber}`
    const first = await talk()
    expect(first.sectorId).toBe(ofNumber)
    expect((await chefe.request('PATCH', `${list}/${first.id}/sector`, { sectorId: last })).status).toBe(204)
    const next = async (): Promise<number | null | undefined> => {
      await t.sql`update conversations set status = 'completed', completed_at = app_now()
                   where status <> 'completed'`
      t.simulator.control.sendText(first.phoneId, 'de novo')
      const [found] = await eventually(
        () =>
          t.sql`select sector_id as "sectorId" from conversations
                 where contact_id = ${first.contactId} and status <> 'completed'`,
        { length: 1 },
      )
      return found?.['sectorId'] as number | null
    }
    expect(await next()).toBe(last)
    await t.sql`update contacts set sector_id = ${fixed} where id = ${first.contactId}`
    expect(await next()).toBe(fixed)
    await t.sql`update sectors set is_active = false where id = ${fixed}`
    expect(await next()).toBe(fixed === last ? fixed : ofNumber)
  })

  test('a transfer leads to the queue of a sector, with its text and the place of the start', async () => {
    const [a, b] = [await sector('A'), await sector('B', [{ userId: beto.userId }])]
    await change(b, { own: { transferMessage: 'Vou te passar para {{sector}}.' } })
    await t.sql`update evolution_api_config set default_sector_id = ${b}`
    const [early, late] = [await talk(), await talk()]
    await chefe.request('PATCH', `${list}/${early.id}/sector`, { sectorId: a })
    await ana.request('PATCH', `${list}/${early.id}/assign-operator`, { operatorId: ana.userId })
    expect((await one(late.id)).body.queuePosition).toBe(1)
    const given = { sectorId: b, note: 'quer boleto' }
    expect((await ana.request('POST', `${list}/${early.id}/transfer-to-sector`, given)).status).toBe(204)
    expect((await one(early.id)).body).toMatchObject({
      sectorId: b,
      assignedUserId: null,
      subStatus: 'FILA',
      queuePosition: 1,
    })
    expect((await one(late.id)).body.queuePosition).toBe(2)
    const messages = await chefe.get<Message[]>(`${list}/${early.id}/messages`)
    expect(
      messages.filter(({ metadata }) => metadata.text === 'transferMessage').map(({ content }) => content),
    ).toEqual(['Vou te passar para B.'])
    expect(messages.slice(-3, -1)).toMatchObject([
      { metadata: { event: { act: 'moved', to: 'B' } } },
      { messageType: 'note', content: 'quer boleto' },
    ])
    const again = await ana.request('POST', `${list}/${early.id}/transfer-to-sector`, given)
    expect([again.status, again.body.message]).toEqual([409, 'A conversa já está na fila do setor B.'])
    // Whoever is in the sector takes it next, although another one has waited longer elsewhere.
    await chefe.request('PATCH', `${list}/${late.id}/sector`, { sectorId: a })
    const next = await beto.request<{ conversation: Conversation }>('POST', `${list}/take-next`)
    expect(next.body.conversation.id).toBe(early.id)
  })

  test('the usual text of a transfer to a sector names it in place of a person', async () => {
    const a = await sector('Financeiro')
    const early = await talk()
    expect(
      (await ana.request('POST', `${list}/${early.id}/transfer-to-sector`, { sectorId: a })).status,
    ).toBe(204)
    const messages = await chefe.get<Message[]>(`${list}/${early.id}/messages`)
    expect(messages.find(({ metadata }) => metadata.text === 'transferMessage')?.content).toBe(
      'Seu atendimento foi transferido para Financeiro, que continua a conversa com você.',
    )
  })

  test('the list is filtered by sector, and the next one is taken from a chosen queue', async () => {
    const sales = await sector('Comercial', [{ userId: ana.userId }])
    const support = await sector('Suporte', [{ userId: ana.userId }])
    const first = await talk()
    const second = await talk()
    const without = await talk()
    for (const [talked, sectorId] of [
      [first, sales],
      [second, support],
    ] as const)
      await chefe.request('PATCH', `${list}/${talked.id}/sector`, { sectorId })
    const listed = async (sectorId: number | string) =>
      (await ana.get<Conversation[]>(`${list}?sectorId=${sectorId}`)).map(({ id }) => id)
    expect(await listed(sales)).toEqual([first.id])
    expect(await listed('none')).toEqual([without.id])
    expect(await listed(support + 1000)).toEqual([])
    const page = await ana.get<ConversationPage>(`${list}?page=1&tab=queue&sectorId=${support}`)
    expect(page.conversations.map(({ id, queuePosition }) => [id, queuePosition])).toEqual([[second.id, 1]])
    expect((await ana.request('GET', `${list}?sectorId=qualquer`)).status).toBe(400)
    const next = (sectorId: number) =>
      ana.request<{ conversation: Conversation }>('POST', `${list}/take-next`, { sectorId })
    expect((await next(support)).body.conversation.id).toBe(second.id)
    expect((await next(support)).status).toBe(404)
  })

  test('a transfer to a person takes their sector, or one of theirs that is named', async () => {
    const [a, b, c] = [
      await sector('A'),
      await sector('B', [{ userId: beto.userId }]),
      await sector('C', [{ userId: beto.userId }]),
    ]
    const { id } = await talk()
    const to = (body: object) =>
      chefe.request('POST', `${list}/${id}/transfer`, { newOperatorId: beto.userId, ...body })
    expect((await to({ sectorId: a })).body.message).toMatch(/não está neste setor\.$/)
    expect((await to({ sectorId: c })).status).toBe(200)
    expect((await one(id)).body).toMatchObject({ sectorId: c, assignedUserId: beto.userId })
    await chefe.request('POST', `${list}/${id}/transfer`, { newOperatorId: ana.userId })
    await t.sql`update conversations set sector_id = null where id = ${id}`
    expect((await to({})).status).toBe(200)
    expect((await one(id)).body.sectorId).toBe(b)
  })

  test('a sector is deleted with a target for what it has, and its name stays', async () => {
    const [a, b] = [await sector('A', [{ userId: ana.userId }]), await sector('B')]
    const { id, contactId } = await talk()
    await chefe.request('PATCH', `${list}/${id}/sector`, { sectorId: a })
    await t.sql`update contacts set sector_id = ${a} where id = ${contactId}`
    const bare = await chefe.request('DELETE', `/api/sectors/${a}`)
    expect([bare.status, bare.body.code]).toEqual([409, 'sectors.needs_target'])
    expect((await chefe.request('DELETE', `/api/sectors/${a}?targetId=${b}`)).status).toBe(204)
    expect((await one(id)).body.sectorId).toBe(b)
    expect(await t.sql`select sector_id as "sectorId" from contacts where id = ${contactId}`).toEqual([
      { sectorId: b },
    ])
    const known = await ana.get<Sector[]>('/api/sectors')
    expect(known.map(({ name, isDeleted, people }) => [name, isDeleted, people.length])).toEqual([
      ['B', false, 0],
      ['A', true, 0],
    ])
    const [{ user }] = [await ana.get<{ user: { sectors: unknown[] } }>('/api/auth/me')]
    expect(user.sectors).toEqual([])
    const entry =
      await t.sql`select details from audit_logs where action = 'sector.delete' order by id desc limit 1`
    expect(entry).toEqual([
      { details: { name: 'A', targetId: b, conversations: 1, contacts: 1, quickReplies: 0 } },
    ])
  })

  test('a conversation that begins while its sector is deleted has none', async () => {
    const id = await sector('A')
    await t.sql`update evolution_api_config set default_sector_id = ${id}`
    await t.sql`update sectors set deleted_at = app_now() where id = ${id}`
    expect((await talk()).sectorId).toBeNull()
  })
})

describe('the menu before the queue', () => {
  const workingHours = { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] }
  const settings = (values: object) =>
    chefe.request('PATCH', '/api/system-settings', {
      workingHours,
      lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
      ...values,
    })

  test('a client chooses a sector by its figure, whose own texts they get from then on', async () => {
    const [a, b] = [await sector('Financeiro'), await sector('Comercial')]
    await change(b, {
      description: 'preços e prazos',
      own: { queueWelcomeMessage: '', queueMessage: 'vendas {{sector}}' },
    })
    await settings({ preAttendanceEnabled: true, sectorMenuEnabled: true, sectorMenuMessage: 'Olá!' })
    const phone = t.simulator.control.createPhone({ name: 'Menu', number: '5511960539001' })
    const say = (text: string) => t.simulator.control.sendText(phone.id, text)
    const said = async () =>
      (
        await t.sql`select m.content from messages m join contacts c on c.name = 'Menu'
                      join conversations v on v.contact_id = c.id and v.id = m.conversation_id
                     where m.sender_type = 'user' and m.message_type <> 'event' order by m.id`
      ).map(({ content }) => content as string)
    say('oi')
    const menu = 'Olá!\n\n1 - Financeiro\n2 - Comercial: preços e prazos\n0 - Cancelar'
    await eventually(said, [menu])
    expect(await ids(chefe)).toEqual([])
    // Whoever changes the order meanwhile changes nothing for those who were asked before.
    await chefe.request('PUT', '/api/sectors/order', { ids: [b, a] })
    await t.settled()
    await t.sql`update messages set accepted_at = accepted_at - interval '5 seconds'
                 where metadata ->> 'text' is not null`
    say('2 por favor')
    const [open] = await eventually(() => chefe.get<Conversation[]>(list), { length: 1 })
    expect(open?.sectorId).toBe(b)
    await eventually(said, [menu, 'vendas Comercial'])
    await settings({ preAttendanceEnabled: false, sectorMenuEnabled: false })
  })

  test('a client is asked while the number or one of the sectors is open', async () => {
    const [first, open] = [await sector('Comercial'), await sector('Plantão')]
    await t.sql`update evolution_api_config set default_sector_id = ${first}`
    const notNow = { ...workingHours, days: [(new Date().getDay() + 3) % 7] }
    await settings({ preAttendanceEnabled: true, sectorMenuEnabled: true, workingHours: notNow })
    expect((await change(open, { own: { workingHours } })).status).toBe(204)
    const stageOf = async (name: string) =>
      (
        await t.sql`select v.pre_attendance_stage as stage, v.sector_id as "sectorId" from conversations v
                      join contacts c on c.id = v.contact_id where c.name = ${name}`
      )[0]
    const write = (name: string, number: string) =>
      t.simulator.control.sendText(t.simulator.control.createPhone({ name, number }).id, 'oi')
    write('Primeira', '5511960539101')
    await eventually(() => stageOf('Primeira'), { stage: 'waiting_option' })
    await change(open, { own: { workingHours: notNow } })
    write('Segunda', '5511960539102')
    await eventually(() => stageOf('Segunda'), { stage: null, sectorId: first })
    await settings({ preAttendanceEnabled: false, sectorMenuEnabled: false })
  })

  test.each([
    ['closes', (id: number, workingHours: object) => change(id, { own: { workingHours } })],
    ['is inactive', (id: number) => change(id, { isActive: false })],
    ['is deleted', (id: number) => chefe.request('DELETE', `/api/sectors/${id}?targetId=none`)],
  ])('who has not chosen yet comes into the queue once the last open sector %s', async (what, changes) => {
    const open = await sector('Plantão')
    await sector('Comercial')
    const notNow = { ...workingHours, days: [(new Date().getDay() + 3) % 7] }
    await settings({ preAttendanceEnabled: true, sectorMenuEnabled: true, workingHours: notNow })
    await change(open, { own: { workingHours } })
    const name = `Ainda não escolheu: ${what}`
    const phone = t.simulator.control.createPhone({ name, number: `5511960539${100 + ++talks}` })
    t.simulator.control.sendText(phone.id, 'oi')
    const stage = () =>
      t.sql`select v.pre_attendance_stage as stage, v.status from conversations v
              join contacts c on c.id = v.contact_id where c.name = ${name}`
    await eventually(stage, [{ stage: 'waiting_option', status: 'completed' }])
    expect((await changes(open, notNow)).status).toBe(204)
    expect(await stage()).toEqual([{ stage: 'attended', status: 'waiting' }])
    await settings({ preAttendanceEnabled: false, sectorMenuEnabled: false })
  })

  /** Somebody is sent the menu; then something changes, and they answer it. */
  async function answers(name: string, text: string, changes: () => Promise<unknown>) {
    await settings({ preAttendanceEnabled: true, sectorMenuEnabled: true, sectorMenuMessage: 'Olá!' })
    const number = `5511960539${100 + ++talks}`
    const phone = t.simulator.control.createPhone({ name, number })
    t.simulator.control.sendText(phone.id, 'oi')
    const asked = () =>
      t.sql`select m.id from messages m join conversations v on v.id = m.conversation_id
              join contacts c on c.id = v.contact_id
             where c.name = ${name} and m.metadata ? 'menu' and m.delivery_status <> 'pending'`
    await eventually(asked, { length: 1 })
    await t.settled()
    await t.sql`update messages set accepted_at = accepted_at - interval '5 seconds'
                 where metadata ->> 'text' is not null`
    await changes()
    t.simulator.control.sendText(phone.id, text)
    await t.settled()
    return (await chefe.get<Conversation[]>(list)).find(({ contact }) => contact.name === name)
  }

  test('a menu is answered as it was sent, also when there is nothing to choose by now', async () => {
    const [a, b] = [await sector('Financeiro'), await sector('Comercial')]
    const open = await answers('Restou um', '2', () => change(a, { isActive: false }))
    expect(open?.sectorId).toBe(b)
    await change(a, { isActive: true })
    // Nor when clients are asked whether they want to be attended at all.
    const off = { preAttendanceMessage: '1 ou 2?', sectorMenuEnabled: false }
    const other = await answers('Sem menu', '2', () => settings(off))
    expect(other?.sectorId).toBe(b)
    await settings({ preAttendanceEnabled: false })
  })

  test('a menu is offered by the hours of the number, also where its usual sector is closed', async () => {
    const [a] = [await sector('Plantão'), await sector('Comercial')]
    const closed = { start: '03:00', end: '03:01', days: [0, 1, 2, 3, 4, 5, 6] }
    await change(a, { own: { workingHours: closed } })
    await t.sql`update evolution_api_config set default_sector_id = ${a}`
    const open = await answers('De madrugada', '2', () => Promise.resolve())
    expect(open?.sectorId).not.toBe(a)
    const [asked] =
      await t.sql`select m.content from messages m join conversations v on v.id = m.conversation_id
      join contacts c on c.id = v.contact_id where c.name = 'De madrugada' and m.metadata ? 'menu'`
    expect(asked?.['content']).toMatch(/1 - Plantão \(abre às 03:00.*\)\n2 - Comercial\n/)
    await settings({ preAttendanceEnabled: false, sectorMenuEnabled: false })
  })

  test.each([
    ['is deleted', (id: number) => chefe.request('DELETE', `/api/sectors/${id}?targetId=none`)],
    ['is inactive', (id: number) => change(id, { isActive: false })],
    ['serves other numbers', (id: number) => t.sql`update sectors set number_ids = '{0}' where id = ${id}`],
  ])('a sector from a menu that %s by now gets nobody', async (what, changes) => {
    const [a] = [await sector('Financeiro'), await sector('Comercial'), await sector('Suporte')]
    const b = (await managed()).find(({ name }) => name === 'Comercial')?.id ?? 0
    await t.sql`update evolution_api_config set default_sector_id = ${a}`
    expect((await answers(`Quando ${what}`, '2', () => changes(b)))?.sectorId).toBe(a)
    await settings({ preAttendanceEnabled: false, sectorMenuEnabled: false })
  })

  test('with one sector alone nobody is asked, and with none the question of before is', async () => {
    await sector('Único')
    await settings({ preAttendanceEnabled: true, sectorMenuEnabled: true, preAttendanceMessage: '' })
    expect((await talk()).sectorId).toBeNull()
    await settings({ preAttendanceEnabled: false, sectorMenuEnabled: false })
  })
})

describe('who knows of which conversation', () => {
  const scope = (who: Client, value: string) =>
    t.sql`update users set scope = ${value} where id = ${who.userId}`

  test('whoever sees their own finds the others nowhere, and the queue of theirs as cards', async () => {
    const [mine, other] = [await sector('Meu', [{ userId: ana.userId }]), await sector('Outro')]
    await t.sql`update evolution_api_config set default_sector_id = ${mine}`
    const [queued, held, foreign] = [await talk(), await talk(), await talk()]
    await chefe.request('PATCH', `${list}/${foreign.id}/sector`, { sectorId: other })
    await beto.request('PATCH', `${list}/${held.id}/assign-operator`, { operatorId: beto.userId })
    await scope(ana, 'own')
    const seen = await ana.get<Conversation[]>(list)
    expect(
      seen.map(({ id, isCard, lastMessage, contact }) => [
        id,
        isCard,
        lastMessage,
        contact.phone,
        contact.name,
      ]),
    ).toEqual([[queued.id, true, null, null, queued.contact.name]])
    for (const { id } of [queued, held, foreign])
      for (const path of ['', '/messages', '/media', '/messages/search?words=oi'])
        expect([path, (await ana.request('GET', `${list}/${id}${path}`)).status]).toEqual([path, 404])
    expect(
      (await ana.request('PATCH', `${list}/${foreign.id}/assign-operator`, { operatorId: ana.userId }))
        .status,
    ).toBe(404)
    expect((await ana.request('POST', `${list}/${queued.id}/messages`, { content: 'oi' })).status).toBe(404)
    const taken = await ana.request('PATCH', `${list}/${queued.id}/assign-operator`, {
      operatorId: ana.userId,
    })
    expect(taken.status).toBe(200)
    expect((await ana.request('GET', `${list}/${queued.id}/messages`)).status).toBe(200)
    expect((await ana.get<Conversation[]>(list))[0]).not.toHaveProperty('isCard')
  })

  test('what leaves the reach of somebody is pushed as removed, and nothing of it afterwards', async () => {
    const [mine, other] = [await sector('Meu', [{ userId: ana.userId }]), await sector('Outro')]
    await scope(ana, 'sector')
    const { id, phoneId } = await talk()
    await chefe.request('PATCH', `${list}/${id}/sector`, { sectorId: mine })
    expect(await ids(ana)).toEqual([id])
    const live = await connectLive(t.app.url, { token: ana.token })
    await chefe.request('PATCH', `${list}/${id}/sector`, { sectorId: other })
    expect(await live.heard('conversation_removed')).toMatchObject({ data: { conversationId: id } })
    t.simulator.control.sendText(phoneId, 'segredo')
    await eventually(async () => (await one(id)).body.messageCount, 2)
    // What is theirs comes afterwards on the same socket.
    const later = await talk()
    await chefe.request('PATCH', `${list}/${later.id}/sector`, { sectorId: mine })
    await live.heard('conversation_updated', ({ data }) => data.conversationId === later.id)
    expect(JSON.stringify(live.frames)).not.toContain('segredo')
    await chefe.request('PATCH', `${list}/${id}/sector`, { sectorId: mine })
    await live.heard('conversation_updated', ({ data }) => data.conversationId === id)
    await live.close()
  })

  test('whoever loses a sector has nothing of it any longer, on the socket that is open either', async () => {
    const mine = await sector('Meu', [{ userId: ana.userId }])
    await scope(ana, 'sector')
    await t.sql`update evolution_api_config set default_sector_id = ${mine}`
    const { id, phoneId } = await talk()
    const live = await connectLive(t.app.url, { token: ana.token })
    expect((await one(id, ana)).status).toBe(200)
    expect((await change(mine, { people: [] })).status).toBe(204)
    expect((await one(id, ana)).status).toBe(404)
    expect(await ids(ana)).toEqual([])
    await live.heard('permissions_changed')
    t.simulator.control.sendText(phoneId, 'segredo')
    await eventually(async () => (await one(id)).body.messageCount, 2)
    const other = await talk()
    await chefe.request('PATCH', `${list}/${other.id}/assign-operator`, { operatorId: ana.userId })
    await live.heard('new_conversation_notification')
    expect(JSON.stringify(live.frames)).not.toContain('segredo')
    await live.close()
  })

  test('who waits is counted as listed, and nobody pages by what they do not see', async () => {
    const mine = await sector('Meu', [{ userId: ana.userId }])
    await scope(ana, 'own')
    await t.sql`update evolution_api_config set default_sector_id = ${mine}`
    const { id, contactId } = await talk()
    await talk()
    expect(await ana.get('/api/stats')).toMatchObject({ waiting: 2, inProgress: 0 })
    await t.sql`insert into conversations (contact_id, instance_id, initiated_by, protocol, status,
                                           completed_at, started_at, assigned_user_id)
                values (${contactId}, ${t.instanceId}, 'contact', '20250101000001', 'completed', now(),
                        now() - interval '1 day', ${ana.userId})`
    const path = `/api/contacts/${contactId}/conversations`
    expect(await ana.get(path)).toHaveLength(1)
    expect(await ana.get(`${path}?before=${id}`)).toEqual([])
    expect(await chefe.get(`${path}?before=${id}`)).toHaveLength(1)
  })

  test('an administrator is told how many open ones somebody would know of with each scope', async () => {
    // Rows about people have other ids than the people.
    const other = await sector('Outro', [{ userId: beto.userId, isLead: true }])
    for (const id of [other, await sector('Mais')])
      await change(id, { people: [{ userId: beto.userId, isLead: true }] })
    const mine = await sector('Meu', [{ userId: ana.userId }])
    await t.sql`update evolution_api_config set default_sector_id = ${mine}`
    const [held] = [await talk(), await talk()]
    await chefe.request('PATCH', `${list}/${held.id}/assign-operator`, { operatorId: beto.userId })
    await t.sql`update evolution_api_config set default_sector_id = ${other}`
    await talk()
    const told = await chefe.get(`/api/user-permissions/${ana.userId}/scope`)
    expect(told).toMatchObject({
      sectors: [{ id: mine, name: 'Meu' }],
      open: { own: 0, cards: 1, sector: 2, all: 3, total: 3 },
    })
  })

  test("leads are not given 'Próprias', and see their sectors if they had it before", async () => {
    const path = `/api/user-permissions/${ana.userId}/scope`
    await scope(ana, 'own')
    const mine = await sector('Meu', [{ userId: ana.userId, isLead: true }])
    expect(await chefe.get(path)).toMatchObject({ scope: 'sector', offered: ['sector', 'all'] })
    const refused = await chefe.request('PUT', path, { scope: 'own' })
    expect([refused.status, refused.body.code]).toEqual([422, 'permissions.scope_of_role'])
    await change(mine, { people: [{ userId: ana.userId, isLead: false }] })
    expect(await chefe.get(path)).toMatchObject({ scope: 'own', offered: ['own', 'sector', 'all'] })
  })

  test('whoever only looked at a conversation, or changed something of it, did not write in it', async () => {
    const [mine, other] = [await sector('Meu', [{ userId: ana.userId }]), await sector('Outro')]
    const talks = [await talk(), await talk(), await talk(), await talk()]
    const [seen, moved, noted, answered] = talks.map(({ id }) => id)
    for (const { id } of talks) {
      await chefe.request('PATCH', `${list}/${id}/assign-operator`, { operatorId: beto.userId })
      await ana.request('POST', `${list}/${id}/view`, { action: 'enter' })
    }
    await t.sql`update users set role = 'supervisor' where id = ${ana.userId}`
    for (const sectorId of [mine, other]) await ana.request('PATCH', `${list}/${moved}/sector`, { sectorId })
    await ana.request('POST', `${list}/${noted}/notes`, { content: 'Cliente antigo' })
    await ana.request('POST', `${list}/${answered}/messages`, { content: 'Bom dia' })
    await t.sql`update users set role = 'operator' where id = ${ana.userId}`
    for (const { id } of talks) await chefe.request('POST', `${list}/${id}/finalize`, {})
    await scope(ana, 'own')
    const flags = JSON.stringify({ canViewConversations: true, canViewArchivedConversations: true })
    await t.sql`insert into user_permissions (user_id, flags) values (${ana.userId}, ${flags}::jsonb)`
    const statuses = await Promise.all(
      [seen, moved, noted, answered].map(async (id) => {
        const { status } = await ana.request('GET', `${list}/${id}`)
        return status
      }),
    )
    expect(statuses).toEqual([404, 404, 200, 200])
    await t.sql`delete from user_permissions where user_id = ${ana.userId}`
  })

  test('those who only looked are taken out of what was kept before', async () => {
    const clean = readMigrations()
      .find(({ tag }) => tag === '0007_people_who_wrote')
      ?.sql.replace(/^[^]*(?=DELETE FROM)/, '')
    const talks = [await talk(), await talk(), await talk(), await talk()]
    const [seen, noted, held, given] = talks.map(({ id }) => id)
    for (const { id } of talks) {
      await ana.request('POST', `${list}/${id}/view`, { action: 'enter' })
      await t.sql`insert into conversation_people (conversation_id, user_id) values (${id}, ${ana.userId})`
    }
    await ana.request('POST', `${list}/${noted}/notes`, { content: 'Cliente antigo' })
    await t.sql`update conversations set assigned_user_id = ${ana.userId} where id = ${held}`
    for (const operatorId of [ana.userId, beto.userId])
      await chefe.request('PATCH', `${list}/${given}/assign-operator`, { operatorId })
    await t.database.execute(sql.raw(clean ?? ''))
    const kept = await t.sql<{ id: number }>`select conversation_id as id from conversation_people
      where user_id = ${ana.userId} and conversation_id >= ${seen} order by 1`
    expect(kept.map(({ id }) => id)).toEqual([noted, held, given])
  })

  test('the client of a conversation out of reach is not blocked, also in a queue', async () => {
    const other = await sector('Outro')
    await t.sql`update evolution_api_config set default_sector_id = ${other}`
    await t.sql`update users set scope = 'sector' where id = ${ana.userId}`
    const flags = JSON.stringify({ canViewConversations: true, canBlockContacts: true })
    await t.sql`insert into user_permissions (user_id, flags) values (${ana.userId}, ${flags}::jsonb)`
    const { contactId } = await talk()
    const { status, body } = await ana.request('POST', `/api/contacts/${contactId}/block`)
    expect([status, body.code]).toEqual([409, 'contacts.at_other_number'])
    await t.sql`delete from user_permissions where user_id = ${ana.userId}`
  })

  test('whoever gives away what they no longer see then is answered that it was done', async () => {
    await scope(ana, 'own')
    const [given, returned, transferred] = [await talk(), await talk(), await talk()]
    for (const { id } of [given, returned, transferred])
      await chefe.request('PATCH', `${list}/${id}/assign-operator`, { operatorId: ana.userId })
    const answers = [
      await ana.request<{ conversation: Conversation }>('PATCH', `${list}/${given.id}/assign-operator`, {
        operatorId: beto.userId,
      }),
      await ana.request<{ conversation: Conversation }>('PATCH', `${list}/${returned.id}/assign-operator`, {
        operatorId: null,
      }),
      await ana.request<{ conversation: Conversation }>('POST', `${list}/${transferred.id}/transfer`, {
        newOperatorId: beto.userId,
      }),
    ]
    expect(answers.map(({ status, body }) => [status, body.conversation.lastMessage])).toEqual([
      [200, null],
      [200, null],
      [200, null],
    ])
    expect(await ids(ana)).toEqual([])
  })
})
