import { beforeAll, expect, test } from 'vitest'
import type { AuditLog } from '#shared/audit/audit-logs.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Stats } from '#shared/conversations/stats.ts'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { ReportStats } from '#shared/reports/reports.ts'
import { inTransaction } from '#server/platform/database/db.ts'
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

test('an act on a contact that reaches a conversation of a number of others is refused', async () => {
  const { contactId, ofA, ofB } = await twoTalks()
  const dora = await t.signIn('supervisor', 'dora2')
  await chefe.request('PUT', `/api/users/${dora.userId}`, { numberIds: [t.instanceId] })
  const acts = [
    ['POST', `/api/contacts/${contactId}/block`, {}],
    ['DELETE', `/api/contacts/${contactId}`, undefined],
    ['PUT', `/api/contacts/${contactId}`, { phone: '5511960529999' }],
  ] as const
  for (const [method, path, body] of acts)
    expect(await dora.request(method, path, body)).toMatchObject({
      status: 409,
      body: { code: 'contacts.at_other_number' },
    })
  const open = (await chefe.get<Conversation[]>(list)).map(({ id }) => id)
  expect(open).toEqual(expect.arrayContaining([ofA, ofB]))
  // Within their own numbers they may.
  expect((await chefe.request('POST', `${list}/${ofB}/finalize`, {})).status).toBe(200)
  expect((await dora.request('POST', `/api/contacts/${contactId}/block`, {})).status).toBe(200)
  expect((await chefe.get<Conversation[]>(list)).map(({ id }) => id)).not.toContain(ofA)
})

test('of the audit log a supervisor reads what happened at their numbers, and what they did', async () => {
  const { ofA, ofB } = await twoTalks()
  for (const id of [ofA, ofB])
    await chefe.request('PATCH', `${list}/${id}/assign-operator`, { operatorId: chefe.userId })
  await t.sql`insert into audit_logs (action, resource_type, resource_id)
              values ('conversation.assign', 'conversation', ${String(ofB)})`
  for (const transferMessage of ['Um instante', null])
    await chefe.request('PATCH', `${config}/${b}/settings`, { transferMessage })
  const read = async (who: Client) => {
    const { body } = await who.request<{ rows: AuditLog[] }>('GET', '/api/audit-logs?limit=100')
    const about = body.rows.map(({ action, resource }) => `${action} ${resource.id}`)
    const answer = await fetch(`${t.app.url}/api/audit-logs/export`, {
      headers: { authorization: `Bearer ${who.token}` },
    })
    return { about, exported: await answer.text() }
  }
  const dora = await t.signIn('supervisor', 'dora3')
  const all = await read(chefe)
  expect(all.about).toEqual(
    expect.arrayContaining([`conversation.assign ${ofA}`, `conversation.assign ${ofB}`]),
  )
  expect((await read(dora)).about).toEqual(expect.arrayContaining([`conversation.assign ${ofB}`]))
  await chefe.request('PUT', `/api/users/${dora.userId}`, { numberIds: [t.instanceId] })
  const own = await read(dora)
  expect(own.about).toContain(`conversation.assign ${ofA}`)
  expect(own.about.filter((row) => row.endsWith(` ${ofB}`) && row.startsWith('conversation.'))).toEqual([])
  expect(own.about).not.toContain(`gateway.settings ${b}`)
  expect(own.about).toContain(`user.update ${dora.userId}`)
  expect(own.exported).not.toMatch(new RegExp(`;Conversa;${ofB};`))
  // The deletion of a conversation is at its number too.
  await chefe.request('DELETE', `${list}/${ofB}`)
  expect((await read(chefe)).about).toContain(`conversation.delete ${ofB}`)
  expect((await read(dora)).about).not.toContain(`conversation.delete ${ofB}`)
})

test('changes of messages are told to a supervisor when they happened at one of their numbers', async () => {
  const { ofA, ofB } = await twoTalks()
  const dora = await t.signIn('supervisor', 'dora5')
  await chefe.request('PUT', `/api/users/${dora.userId}`, { numberIds: [t.instanceId] })
  // What has not left can be edited, deleted and undone without the gateway.
  await t.sql`update installation set sends_paused_until = now() + interval '1 hour'`
  const change = async (conversationId: number): Promise<number[]> => {
    const messages = `${list}/${conversationId}/messages`
    const write = async (content: string) =>
      (await chefe.request<Message>('POST', messages, { content })).body.id
    await chefe.request('PATCH', `${list}/${conversationId}/assign-operator`, { operatorId: chefe.userId })
    const [changed, undone] = [await write('até as dez'), await write('engano')]
    expect(await chefe.request('PUT', `${messages}/${changed}`, { content: 'até as 11' })).toMatchObject({
      status: 200,
    })
    expect((await chefe.request('DELETE', `${messages}/${changed}`)).status).toBe(200)
    expect((await chefe.request('POST', `${messages}/${undone}/undo`)).status).toBe(204)
    return [changed, undone]
  }
  const [atA, atB] = [await change(ofA), await change(ofB)]
  await t.sql`update installation set sends_paused_until = null`
  const told = ([changed, undone]: number[]) => [
    `message.undo ${undone}`,
    `message.delete ${changed}`,
    `message.edit ${changed}`,
  ]
  const read = async (who: Client) =>
    (await who.get<{ rows: AuditLog[] }>('/api/audit-logs?limit=100')).rows
      .filter(({ resource }) => resource.type === 'message')
      .map(({ action, resource }) => `${action} ${resource.id}`)
  expect(await read(dora)).toEqual(told(atA))
  expect(await read(chefe)).toEqual([...told(atB), ...told(atA)])
})

test('readings and drafts are listed and pushed for the numbers that a person has', async () => {
  const { ofA, ofB } = await twoTalks()
  const dora = await t.signIn('operator', 'dora4')
  const write = async (id: number) => {
    const [last] = await t.sql<{
      id: number
    }>`select max(id) as id from messages where conversation_id = ${id}`
    const draft = { content: 'olá', quotedMessageId: null }
    expect((await dora.request('PUT', `${list}/${id}/read`, { lastMessageId: last?.id })).status).toBe(200)
    expect((await dora.request('PUT', `${list}/${id}/draft`, draft)).status).toBe(200)
  }
  for (const id of [ofA, ofB]) await write(id)
  const read = async () =>
    (await dora.get<{ conversationId: number }[]>(`${list}/reads`)).map((one) => one.conversationId)
  expect(await read()).toEqual(expect.arrayContaining([ofA, ofB]))
  await chefe.request('PUT', `/api/users/${dora.userId}`, { numberIds: [t.instanceId] })
  expect(await read()).toEqual([ofA])
  const tab = await connectLive(t.app.url, { token: dora.token })
  tab.send({ type: 'authenticate', data: { userId: dora.userId } })
  await tab.heard('hello')
  const types = ['conversation_read', 'draft_changed'] as const
  await inTransaction(t.database, async (db) => {
    for (const conversationId of [ofB, ofA])
      for (const type of types) db.emit({ type, conversationId, userId: dora.userId })
  })
  for (const type of types) await tab.heard(type, ({ data }) => data.conversationId === ofA)
  const about = tab.frames.flatMap(({ type, data }) =>
    (types as readonly string[]).includes(type) ? [(data as { conversationId: number }).conversationId] : [],
  )
  expect(new Set(about)).toEqual(new Set([ofA]))
  await tab.close()
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
  expect(await chefe.request('PATCH', `${config}/${b}/settings`, own)).toMatchObject({
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
  await chefe.request('PATCH', `${config}/${b}/settings`, { finalizationMessage: null })
  const numbers = await chefe.get<ManagedNumber[]>(`${config}/numbers`)
  expect(numbers.find(({ id }) => id === b)?.own).toEqual({})
})

test('the settings of a number are not overwritten by somebody who saw earlier ones', async () => {
  const other = await t.signIn('admin', 'outra-chefe')
  const save = (who: Client, body: object) =>
    who.request<ManagedNumber & { message: string }>('PATCH', `${config}/${b}/settings`, body)
  const { own: before, ownVersion: seen } = (await save(chefe, {})).body
  expect(before).toEqual({})
  const mine = { transferMessage: 'Da chefe', ratingMessage: 'Que nota?' }
  expect((await save(chefe, { ...mine, version: seen })).body).toMatchObject({
    ownVersion: seen + 1,
    own: mine,
  })
  // Of what she has seen, somebody else has changed one text meanwhile: nothing of hers is stored.
  const hers = { transferMessage: 'Da outra', finalizationMessage: 'Tchau', version: seen }
  const { body: me } = await chefe.request<{ user: { name: string } }>('GET', '/api/auth/me')
  expect(await save(other, hers)).toMatchObject({
    status: 409,
    body: { message: `${me.user.name} mudou estas configurações enquanto você editava.` },
  })
  expect((await save(chefe, {})).body.own).toEqual(mine)
  // Other settings are not in the way, nor is what was seen.
  expect((await save(other, { finalizationMessage: 'Tchau', version: seen })).body.own).toEqual({
    ...mine,
    finalizationMessage: 'Tchau',
  })
  const version = seen + 2
  expect((await save(other, { transferMessage: 'Da outra', version })).status).toBe(200)
  // Without a version the last one stays.
  const none = { transferMessage: null, ratingMessage: null, finalizationMessage: null }
  expect((await save(chefe, none)).body).toMatchObject({ own: {}, ownVersion: seen + 4 })
})

test('of two who change the same setting of a number at once, one is refused', async () => {
  const other = await t.signIn('admin')
  const path = `${config}/${b}/settings`
  const { ownVersion: version } = (await chefe.request<ManagedNumber>('PATCH', path, {})).body
  const answers = await Promise.all(
    [chefe, other].map((who, at) => who.request('PATCH', path, { transferMessage: `Texto ${at}`, version })),
  )
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  await chefe.request('PATCH', path, { transferMessage: null })
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
  await t.sql`update evolution_api_config set is_active = false where id = ${b}`
  expect((await start({ instanceId: b })).body).toMatchObject({ code: 'conversations.chosen_number_off' })
  await t.sql`update evolution_api_config set is_active = true where id = ${b}`
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

test('a message is forwarded by the number that the person chooses, if it is theirs and on', async () => {
  await t.sql`update evolution_api_config set is_active = true, status = 'open'`
  const from = await twoTalks()
  const { contactId, ofA, ofB } = await twoTalks()
  const { body: messages } = await chefe.request<Message[]>('GET', `${list}/${from.ofA}/messages`)
  const source = messages.find(({ content }) => content === 'oi')
  const forward = (who: Client, to: object) =>
    who.request<{ conversation: Conversation; code: string }>(
      'POST',
      `${list}/${from.ofA}/messages/${source?.id ?? 0}/forward`,
      { to },
    )
  const to = async (who: Client, instanceId?: number) => {
    const { status, body } = await forward(who, { contactId, ...(instanceId && { instanceId }) })
    return status === 201 ? body.conversation.id : body.code
  }
  expect([await to(chefe, t.instanceId), await to(chefe, b), await to(chefe)]).toEqual([ofA, ofB, ofB])
  for (const id of [ofA, ofB]) await chefe.request('POST', `${list}/${id}/finalize`, {})
  const begun = await forward(chefe, { contactId, instanceId: t.instanceId })
  expect(begun.body.conversation).toMatchObject({ instanceId: t.instanceId, status: 'active' })
  expect(begun.body.conversation.id).not.toBe(ofA)
  expect(await to(chefe, 999)).toBe('gateway.not_found')
  const gil = await t.signIn('supervisor', 'gil')
  await chefe.request('PUT', `/api/users/${gil.userId}`, { numberIds: [t.instanceId] })
  expect(await to(gil, b)).toBe('gateway.not_found')
  await t.sql`update evolution_api_config set is_active = false where id = ${b}`
  expect([await to(chefe, b), await to(gil, b)]).toEqual([
    'conversations.chosen_number_off',
    'gateway.not_found',
  ])
  await t.sql`update evolution_api_config set is_active = true where id = ${b}`
})
