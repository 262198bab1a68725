import { beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Stats } from '#shared/conversations/stats.ts'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import type { ReportStats } from '#shared/reports/reports.ts'
import { addNumber } from '#server/testing/add-number.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { type Client, eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

let b: number

const config = '/api/evolution-config'
const list = '/api/conversations'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const beto = forAllTests(() => t.signIn('operator', 'beto'))

beforeAll(async () => {
  b = await addNumber(t, 'loja2')
})

let talks = 0
/** An open conversation of a new contact at each of the two numbers. */
async function twoTalks(): Promise<{ contactId: number; ofA: number; ofB: number }> {
  const name = `Clara ${++talks}`
  const phone = t.simulator.control.createPhone({ name, number: `5511960520${100 + talks}` })
  t.simulator.control.sendText(phone.id, 'oi')
  const [open] = await eventually(
    async () => (await chefe.get<Conversation[]>(list)).filter((one) => one.contact.name === name),
    { length: 1 },
  )
  const contactId = open?.contactId ?? 0
  const answer = await chefe.request<{ conversation: Conversation }>(
    'POST',
    `/api/contacts/${contactId}/send-message`,
    { content: 'pelo outro número', instanceId: b },
  )
  expect(answer.status).toBe(201)
  return { contactId, ofA: open?.id ?? 0, ofB: answer.body.conversation.id }
}

test('the same person at two numbers is one contact with two conversations', async () => {
  const { contactId, ofA, ofB } = await twoTalks()
  const open = (await chefe.get<Conversation[]>(list)).filter((one) => one.contactId === contactId)
  expect(open.map(({ id, instanceId }) => [id, instanceId])).toEqual(
    expect.arrayContaining([
      [ofA, t.instanceId],
      [ofB, b],
    ]),
  )
  expect(open).toHaveLength(2)
  const ofNumber = await chefe.request<Conversation[]>('GET', `${list}?instanceId=${b}`)
  expect(ofNumber.body.map(({ id }) => id)).toEqual([ofB])
})

test('whoever has not got a number sees nothing of it, from the moment that it is taken away', async () => {
  const { ofA, ofB } = await twoTalks()
  await chefe.request('PATCH', `${list}/${ofB}/assign-operator`, { operatorId: ana.userId })
  expect((await ana.request('GET', `${list}/${ofB}`)).status).toBe(200)
  const change = { numberIds: [t.instanceId] }
  expect(await chefe.request('PUT', `/api/users/${ana.userId}`, change)).toMatchObject({
    status: 200,
    body: change,
  })
  const seen = (await ana.get<Conversation[]>(list)).map(({ id }) => id)
  expect(seen).toContain(ofA)
  expect(seen).not.toContain(ofB)
  for (const path of ['', '/messages', '/media', '/messages/search?q=pelo'])
    expect((await ana.request('GET', `${list}/${ofB}${path}`)).status).not.toBe(200)
  expect((await ana.request('POST', `${list}/${ofB}/messages`, { content: 'oi' })).status).toBe(404)
  expect((await ana.get<{ id: number }[]>('/api/numbers')).map(({ id }) => id)).toEqual([t.instanceId])
  // What they had of it waits for the others.
  const freed = await chefe.request<Conversation>('GET', `${list}/${ofB}`)
  expect(freed.body).toMatchObject({ assignedUserId: null, subStatus: 'FILA' })
  expect((await beto.request('GET', `${list}/${ofB}`)).status).toBe(200)
  const given = await chefe.request('PATCH', `${list}/${ofB}/assign-operator`, { operatorId: ana.userId })
  expect(given).toMatchObject({ status: 422, body: { code: 'conversations.target_without_number' } })
  await chefe.request('PUT', `/api/users/${ana.userId}`, { numberIds: null })
  expect((await ana.request('GET', `${list}/${ofB}`)).status).toBe(200)
})

test('figures and reports are of the numbers that a person has', async () => {
  const dora = await t.signIn('supervisor', 'dora')
  const { contactId } = await twoTalks()
  const today = new Date().toISOString().slice(0, 10)
  const period = `startDate=${today}&endDate=${today}`
  await t.sql`update system_settings set values = values || '{"timezone":"UTC"}'`
  const read = async () => {
    const stats = await dora.request<Stats>('GET', '/api/stats')
    const report = await dora.request<ReportStats>('GET', `/api/reports/stats?${period}`)
    const found = await dora.request<{ conversations: object[] }>(
      'GET',
      `/api/reports/conversations?${period}&limit=100`,
    )
    const { waiting = 0, inProgress = 0 } = stats.body
    const listed = found.body.conversations.length
    return { open: waiting + inProgress, total: report.body.total, listed }
  }
  // The facts of reports are worked out behind the conversations, all of which are open here.
  const all = await eventually(read, ({ open, total, listed }) => total === open && listed === total)
  await chefe.request('PUT', `/api/users/${dora.userId}`, { numberIds: [b] })
  const ofB = await read()
  await chefe.request('PUT', `/api/users/${dora.userId}`, { numberIds: [t.instanceId] })
  const ofA = await read()
  for (const what of ['open', 'total', 'listed'] as const) {
    expect(ofA[what]).toBeGreaterThan(0)
    expect(ofB[what]).toBeGreaterThan(0)
    expect(ofA[what] + ofB[what]).toBe(all[what])
  }
  await chefe.request('PUT', `/api/users/${dora.userId}`, { numberIds: [] })
  expect(await read()).toEqual({ open: 0, total: 0, listed: 0 })
  expect((await dora.request('GET', `/api/contacts/${contactId}/conversations`)).body).toEqual([])
})

test('each person is notified only of their own numbers that are away', async () => {
  await t.sql`update evolution_api_config set last_connected_at = app_now()`
  await chefe.request('PUT', `/api/users/${ana.userId}`, { numberIds: [t.instanceId] })
  const reported = async (person: Client) => {
    const tab = await connectLive(t.app.url, { token: person.token })
    tab.send({ type: 'authenticate', data: { userId: person.userId } })
    const { data: hello } = await tab.heard('hello')
    const last = () => tab.frames.findLast((frame) => frame.type === 'gateway_state')?.data
    return { tab, hello, last }
  }
  const ofBeto = await reported(beto)
  const ofAna = await reported(ana)
  expect(ofBeto.hello).toMatchObject({ gatewayConnected: true, away: [] })
  t.simulator.control.endSession(401, 'loja2')
  await eventually(ofBeto.last, (news) => news?.away.length === 1)
  expect(ofBeto.last()).toMatchObject({ gatewayConnected: true, away: [{ id: b, name: 'loja2' }] })
  await eventually(ofAna.last, (news) => news !== undefined)
  expect(ofAna.last()).toMatchObject({ gatewayConnected: true, away: [] })
  // The same to those who come later.
  expect((await reported(beto)).hello.away).toHaveLength(1)
  expect((await reported(ana)).hello.away).toEqual([])
  // Once the number is given, its state is pushed.
  await chefe.request('PUT', `/api/users/${ana.userId}`, { numberIds: null })
  await eventually(ofAna.last, (news) => news?.away.length === 1)
  await chefe.request('PUT', `/api/users/${ana.userId}`, { numberIds: [] })
  await eventually(ofAna.last, { gatewayConnected: false })
  expect(ofAna.last()).toMatchObject({ away: [], waiting: 0 })
  await chefe.request('PUT', `/api/users/${ana.userId}`, { numberIds: null })
  t.simulator.control.scan('loja2')
  for (const { last } of [ofBeto, ofAna]) await eventually(last, (news) => news?.away.length === 0)
  for (const { tab } of [ofBeto, ofAna]) await tab.terminate()
})

test('a number finalizes with a text of its own, the others with that of the installation', async () => {
  const { ofA, ofB } = await twoTalks()
  const own = { finalizationMessage: 'Até logo, da segunda loja' }
  expect(await chefe.request('PUT', `${config}/${b}/settings`, own)).toMatchObject({
    status: 200,
    body: { own },
  })
  for (const id of [ofA, ofB]) await chefe.request('POST', `${list}/${id}/finalize`, {})
  const said = async (id: number) =>
    (
      await t.sql<{ content: string }>`select content from messages where conversation_id = ${id}
               and metadata ->> 'text' = 'finalizationMessage'`
    ).map(({ content }) => content)
  expect(await said(ofB)).toEqual([own.finalizationMessage])
  expect(await said(ofA)).not.toContain(own.finalizationMessage)
  await chefe.request('PUT', `${config}/${b}/settings`, {})
  const numbers = await chefe.get<ManagedNumber[]>(`${config}/numbers`)
  expect(numbers.find(({ id }) => id === b)?.own).toEqual({})
})

test('a number is deleted when nothing of it is open, and comes back with what it had', async () => {
  const { ofB } = await twoTalks()
  await t.settled()
  const remove = () => chefe.request('DELETE', `${config}/${b}`)
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'gateway.connected' } })
  await t.sql`update evolution_api_config set is_active = false where id = ${b}`
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'gateway.has_open' } })
  await t.sql`update conversations set status = 'completed', completed_at = app_now()
         where instance_id = ${b} and status <> 'completed'`
  // Receipts of what was sent may still come: they are processed first.
  await eventually(remove, { status: 204 })
  const ids = async () => (await chefe.get<ManagedNumber[]>(`${config}/numbers`)).map(({ id }) => id)
  expect(await ids()).toEqual([t.instanceId])
  expect((await chefe.request('GET', `${list}/${ofB}`)).status).toBe(200)
  const back = { instanceName: 'loja2', apiKey: t.simulator.apiKey, baseUrl: t.simulator.url }
  expect(await chefe.request('POST', config, back)).toMatchObject({ status: 201, body: { id: b } })
})

test('without a choice a conversation begins at the number of the last one', async () => {
  await t.sql`update evolution_api_config set is_active = true, status = 'open'`
  const { contactId, ofA, ofB } = await twoTalks()
  const start = (body?: object) =>
    chefe.request<{ instanceId: number }>('POST', `/api/contacts/${contactId}/start-conversation`, body)
  expect((await start()).body).toMatchObject({ conversationId: ofB, instanceId: b })
  expect((await start({ instanceId: t.instanceId })).body).toMatchObject({ conversationId: ofA })
  for (const id of [ofA, ofB]) await chefe.request('POST', `${list}/${id}/finalize`, {})
  expect((await start()).body).toMatchObject({ conversationId: null, instanceId: b })
  expect((await start({ instanceId: t.instanceId })).body).toMatchObject({ instanceId: t.instanceId })
  expect((await start({ instanceId: 999 })).status).toBe(404)
  // Whoever has not got that number begins at one of their own.
  const carla = await t.signIn('supervisor', 'carla')
  await chefe.request('PUT', `/api/users/${carla.userId}`, { numberIds: [t.instanceId] })
  const path = `/api/contacts/${contactId}/start-conversation`
  expect((await carla.request('POST', path)).body).toMatchObject({ instanceId: t.instanceId })
  expect((await carla.request('POST', path, { instanceId: b })).status).toBe(404)
  await chefe.request('PUT', `/api/users/${carla.userId}`, { numberIds: [] })
  expect((await carla.request('POST', path)).body).toMatchObject({ instanceId: null })
  const send = `/api/contacts/${contactId}/send-message`
  expect((await carla.request('POST', send, { content: 'oi' })).body.code).toBe('gateway.none_given')
  await chefe.request('PUT', `/api/users/${carla.userId}`, { numberIds: null })
})
