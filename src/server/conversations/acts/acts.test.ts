import { expect, onTestFinished, test } from 'vitest'
import type { ArchivedPage } from '#shared/conversations/archive.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { recount } from '#server/conversations/store/write.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { given } from '#server/testing/given.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { above, type Client, eventually, forAllTests, refusal, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

/** A new conversation in which the client has written 'oi'. */
const talk = async () => await given.conversation(t, ana)
const read = (id: number, who = ana) => who.get<Conversation>(`/api/conversations/${id}`)
const messagesOf = (id: number, who = ana) => who.get<Message[]>(`/api/conversations/${id}/messages`)
const eventsOf = async (id: number) =>
  (await messagesOf(id)).filter(({ messageType }) => messageType === 'event')
const auditOf = (id: number) =>
  t.sql<{ action: string; userId: number; details: unknown }>`
    select action, user_id as "userId", details from audit_logs
         where resource_type = 'conversation' and resource_id = ${String(id)} order by id`

test('changes of the automatic close and the priority are pushed and audited', async () => {
  const { id, version } = await talk()
  const tab = await connectLive(t.app.url, { token: bruno.token })
  const off = await ana.request<{ conversation: Conversation }>(
    'PATCH',
    `/api/conversations/${id}/toggle-auto-close`,
    { disableAutoClose: true },
  )
  expect(off.body.conversation).toMatchObject({ disableAutoClose: true, version: version + 1 })
  const high = await ana.request<{ conversation: Conversation }>(
    'PATCH',
    `/api/conversations/${id}/priority`,
    { priority: 'high' },
  )
  expect(high.body.conversation).toMatchObject({ priority: 'high', disableAutoClose: true })
  await tab.heard('conversation_updated', ({ data }) => data.conversation.priority === 'high')
  expect(await auditOf(id)).toMatchObject([
    {
      action: 'conversation.auto_close',
      userId: ana.userId,
      details: { changes: { disableAutoClose: [false, true] } },
    },
    { action: 'conversation.priority', details: { changes: { priority: ['normal', 'high'] } } },
  ])
  expect(await eventsOf(id)).toEqual([])
  await tab.close()
})

test('the automatic close and the priority of a completed conversation are as they were', async () => {
  const { id } = await talk()
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  await ana.request('POST', `/api/conversations/${id}/finalize`, {})
  for (const [path, body] of [
    ['toggle-auto-close', { disableAutoClose: true }],
    ['priority', { priority: 'low' }],
  ] as const) {
    const answer = await ana.request('PATCH', `/api/conversations/${id}/${path}`, body)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conversations.completed' } })
  }
  expect(await read(id)).toMatchObject({ disableAutoClose: false, priority: 'normal' })
})

test('acts on a conversation are lines of its timeline, not messages', async () => {
  const { id } = await talk()
  const assign = (operatorId: number | null) =>
    ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId })
  await assign(ana.userId)
  await assign(null)
  await assign(ana.userId)
  const note = 'Cliente antigo: já pediu a segunda via'
  await ana.request('POST', `/api/conversations/${id}/transfer`, { newOperatorId: bruno.userId, note })
  await bruno.request('POST', `/api/conversations/${id}/finalize`, { notes: 'resolvido' })
  const lines = (await messagesOf(id, bruno)).filter(({ messageType }) => messageType === 'event')
  expect(lines.map(({ senderName, content, metadata }) => [senderName, content, metadata.event])).toEqual([
    ['Ana', '', { act: 'taken' }],
    ['Ana', '', { act: 'returned' }],
    ['Ana', '', { act: 'taken' }],
    ['Ana', '', { act: 'transferred', to: 'Bruno' }],
    ['Bruno', '', { act: 'finalized' }],
  ])
  const { messageCount, lastMessage } = await read(id, bruno)
  const all = await messagesOf(id, bruno)
  const transferred = all.findIndex(({ metadata }) => metadata.event?.act === 'transferred')
  expect(all[transferred + 1]).toMatchObject({ messageType: 'note', senderName: 'Ana', content: note })
  const counted = all.filter(({ messageType }) => messageType !== 'event' && messageType !== 'note')
  // Besides the texts of the transfer and of the end there is what the client wrote, which lists show.
  expect([messageCount, counted.length]).toEqual([1, 3])
  expect(lastMessage).toMatchObject({ id: counted[0]?.id, content: 'oi' })
})

test('the number of messages is what a person or the client wrote, also counted anew', async () => {
  const { id } = await talk()
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'bom dia' })
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'já vejo' })
  await ana.request('POST', `/api/conversations/${id}/finalize`, { notes: '' })
  const detail = await admin.get<{ messageCount: number }>(`/api/conversations/archived/${id}`)
  const list = await admin.get<ArchivedPage>('/api/conversations/archived?page=1&limit=50')
  const card = list.conversations.find((row) => row.id === id)
  expect([detail.messageCount, card?.messageCount]).toEqual([3, 3])
  // Moving messages counts anew.
  await inTransaction(t.database, (db) => recount(db, id))
  expect((await admin.get<{ messageCount: number }>(`/api/conversations/archived/${id}`)).messageCount).toBe(
    3,
  )
})

test('the first reply takes the conversation, with one line before it', async () => {
  const { id } = await talk()
  const reply = (who: Client, content: string) =>
    who.request('POST', `/api/conversations/${id}/messages`, { content })
  const answers = await Promise.all([reply(ana, 'bom dia'), reply(bruno, 'bom dia')])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  await reply(ana, 'já vejo')
  const holder = (await read(id)).assignedUser?.name
  const all = await messagesOf(id)
  const taken = all.findIndex(({ messageType }) => messageType === 'event')
  expect(await eventsOf(id)).toMatchObject([
    { senderName: holder, content: '', metadata: { event: { act: 'taken' } } },
  ])
  expect(all[taken + 1]).toMatchObject({ senderName: holder, content: 'bom dia' })
  expect((await read(id)).messageCount).toBe(4)
})

const transfer = (id: number, to: Client, who = ana) =>
  who.request('POST', `/api/conversations/${id}/transfer`, { newOperatorId: to.userId })
const texts = async (id: number) =>
  (await messagesOf(id)).filter(({ content }) => content.includes('transferido'))

test('two transfers at once reach one colleague, and the client is informed once', async () => {
  const { id } = await talk()
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  const carla = await t.signIn('operator')
  const answers = await Promise.all([transfer(id, bruno), transfer(id, carla)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await texts(id)).toHaveLength(1)
})

test('whoever transfers to themselves what nobody has takes it, and the client is told nothing', async () => {
  const { id } = await talk()
  expect((await transfer(id, ana)).status).toBe(200)
  expect((await read(id)).assignedUser?.name).toBe('Ana')
  expect(await texts(id)).toEqual([])
  expect(await eventsOf(id)).toMatchObject([{ metadata: { event: { act: 'taken' } } }])
})

test('nothing is written by a number that is switched off, and in words', async () => {
  const { id } = await talk()
  const write = () => ana.request('POST', `/api/conversations/${id}/messages`, { content: 'oi' })
  await t.sql`update evolution_api_config set is_active = false`
  expect(await write()).toMatchObject({ status: 409, body: { code: 'conversations.number_off' } })
  await t.sql`update evolution_api_config set is_active = true`
  expect((await write()).status).toBe(201)
})

test('a number that is off says goodbye to nobody, now or later, and reacts to nothing', async () => {
  onTestFinished(async () => {
    await resetSettings(t.database)
    await t.sql`update evolution_api_config set is_active = true`
  })
  await saveSettings(t.database, { finalizationMessage: 'tchau', transferMessage: 'foi transferido' })
  const { id } = await talk()
  const other = await talk()
  const [first] = await messagesOf(id)
  await t.sql`update evolution_api_config set is_active = false`
  const path = `/api/conversations/${id}/messages/${first?.id}/reaction`
  expect(await ana.request('PUT', path, { emoji: '👍' })).toMatchObject(
    refusal(409, 'conversations.number_off'),
  )
  expect((await ana.request('POST', `/api/conversations/${id}/finalize`, {})).status).toBe(200)
  expect((await transfer(other.id, bruno)).status).toBe(200)
  expect(
    await t.sql`select from outbox where state = 'pending' and conversation_id in (${id}, ${other.id})`,
  ).toEqual([])
})

test('a failed message is not tried again by a number that is switched off', async () => {
  const { id } = await talk()
  t.simulator.control.nextSendAnswers([{ text: 'não chega', acks: 'error' }])
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'não chega' })
  const failed = async () =>
    (await messagesOf(id)).find(({ deliveryStatus }) => deliveryStatus === 'failed')?.id ?? 0
  const messageId = await eventually(failed, above(0))
  const retry = () => ana.request('POST', `/api/conversations/${id}/messages/${messageId}/retry`)
  await t.sql`update evolution_api_config set is_active = false`
  expect(await retry()).toMatchObject({ status: 409, body: { code: 'conversations.number_off' } })
  expect(await failed()).toBe(messageId)
  await t.sql`update evolution_api_config set is_active = true`
  expect((await retry()).status).toBe(200)
})

test('a transfer to whoever has it, or by an operator who has it no more, is refused', async () => {
  const { id } = await talk()
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  expect(await transfer(id, ana)).toMatchObject({ status: 409, body: { code: 'conversations.taken' } })
  expect((await transfer(id, bruno)).status).toBe(200)
  expect(await transfer(id, admin)).toMatchObject({ status: 409, body: { code: 'conversations.taken' } })
  expect((await transfer(id, ana, admin)).status).toBe(200)
  expect(await texts(id)).toHaveLength(2)
})

const give = (id: number, operatorId: number | null, who: Client, seen = {}) =>
  who.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId, ...seen })

test('an operator cannot reassign a conversation of a colleague', async () => {
  const { id } = await talk()
  await give(id, ana.userId, ana)
  const carla = await t.signIn('operator')
  for (const [to, seen] of [
    [carla.userId, {}],
    [carla.userId, { holderId: ana.userId }],
    [null, {}],
    [null, { holderId: carla.userId }],
  ] as const)
    expect(await give(id, to, bruno, seen)).toMatchObject({
      status: 409,
      body: { code: 'conversations.taken', message: 'A conversa já está com Ana.' },
    })
  expect((await read(id)).assignedUserId).toBe(ana.userId)
  // They may return it for them if they say whom they mean.
  expect((await give(id, null, bruno, { holderId: ana.userId })).status).toBe(200)
  await give(id, ana.userId, ana)
  // Who leads the team may, and so may everybody with what nobody has.
  expect((await give(id, null, admin)).status).toBe(200)
  expect((await give(id, carla.userId, bruno)).status).toBe(200)
})

interface Page {
  conversations: Conversation[]
}
const queue = async () =>
  (await bruno.get<Page>('/api/conversations?page=1&limit=100&tab=queue')).conversations
const giveBack = (id: number, who = ana) =>
  who.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: null })

test('a returned conversation is queued for everybody until somebody takes it', async () => {
  const { id } = await talk()
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'bom dia' })
  expect((await queue()).map((row) => row.id)).not.toContain(id)
  await giveBack(id)
  expect(await read(id)).toMatchObject({ waitingFor: 'operator', waitingSince: null, status: 'waiting' })
  const shown = (await queue()).find((row) => row.id === id)
  expect(shown?.queuePosition).toBeGreaterThan(0)
  await bruno.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: bruno.userId })
  expect((await queue()).map((row) => row.id)).not.toContain(id)
})

test('a returned conversation is queued also if a colleague began it', async () => {
  const phone = t.simulator.control.createPhone({ name: 'Nunca escreveu', number: '5511942990001' })
  const contact = await admin.request<{ id: number }>('POST', '/api/contacts/by-phone', {
    phone: '5511942990001',
    name: 'Nunca escreveu',
  })
  const sent = await admin.request<{ conversation: Conversation }>(
    'POST',
    `/api/contacts/${contact.body.id}/send-message`,
    { content: 'olá' },
  )
  const { id } = sent.body.conversation
  await eventually(() => t.simulator.control.chat(phone.id).length, above(0))
  await t.settled()
  await admin.request('POST', `/api/conversations/${id}/messages`, { content: 'perdida' })
  await t.settled()
  const [failed] = await t.sql<{ id: number }>`
    update messages set delivery_status = 'failed', whatsapp_message_id = null
         where conversation_id = ${id} and content = 'perdida' returning id`
  await giveBack(id, admin)
  expect((await queue()).map((row) => row.id)).toContain(id)
  const gone = await admin.request('DELETE', `/api/conversations/${id}/messages/${failed?.id}`)
  expect(gone.status).toBeLessThan(300)
  expect(await read(id)).toMatchObject({ waitingFor: 'operator' })
  expect((await queue()).map((row) => row.id)).toContain(id)
})

test('leaving a conversation is accepted, and leaves no line', async () => {
  const { id } = await talk()
  const view = (action: string) => ana.request('POST', `/api/conversations/${id}/view`, { action })
  expect((await view('leave')).status).toBe(204)
  const lines = async () =>
    (await messagesOf(id, admin)).filter(({ messageType }) => messageType === 'view_tracking')
  expect(await lines()).toEqual([])
  expect((await view('enter')).status).toBe(204)
  expect(await lines()).toHaveLength(1)
  expect((await view('away')).status).toBe(400)
})

test('an act on an outdated state is refused with the current assignee', async () => {
  const { id } = await talk()
  const seen = { holderId: ana.userId }
  const path = (act: string) => `/api/conversations/${id}/${act}`
  await ana.request('PATCH', path('assign-operator'), { operatorId: ana.userId, holderId: null })
  await admin.request('POST', path('transfer'), { newOperatorId: bruno.userId, ...seen })
  for (const [method, act, body] of [
    ['POST', 'transfer', { newOperatorId: admin.userId }],
    ['POST', 'finalize', {}],
    ['PATCH', 'assign-operator', { operatorId: null }],
  ] as const)
    expect(await ana.request(method, path(act), { ...body, ...seen })).toMatchObject({
      status: 409,
      body: { code: 'conversations.taken', message: 'A conversa já está com Bruno.' },
    })
  await bruno.request('PATCH', path('assign-operator'), { operatorId: null })
  const late = await ana.request('POST', path('finalize'), seen)
  expect(late).toMatchObject({ status: 409, body: { code: 'conversations.changed' } })
  expect(await read(id)).toMatchObject({ status: 'waiting', assignedUserId: null })
})

test('a conversation is not finalized over what the client has just written', async () => {
  const { id } = await talk()
  const [before] = await t.sql<{
    id: number
  }>`select max(id) as id from messages where conversation_id = ${id}`
  const [newer] = await t.sql<{ id: number }>`
    insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
    values (${id}, ${t.instanceId}, 'contact', 'e mais uma coisa', app_now(), app_now()) returning id`
  const finalize = (seenMessageId: number | undefined) =>
    admin.request('POST', `/api/conversations/${id}/finalize`, { seenMessageId })
  expect(await finalize(before?.id)).toMatchObject({
    status: 409,
    body: { code: 'conversations.client_wrote', message: 'O cliente acabou de escrever' },
  })
  expect(await read(id)).not.toMatchObject({ status: 'completed' })
  expect((await finalize(newer?.id)).status).toBe(200)
})

test('of two who take a conversation at once one gets it, the other reads who', async () => {
  const { id } = await talk()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const who = n % 2 === 0 ? ana : bruno
      return who.request('PATCH', `/api/conversations/${id}/assign-operator`, {
        operatorId: who.userId,
        holderId: null,
      })
    }),
  )
  const { assignedUser } = await read(id)
  for (const [n, { status, body }] of answers.entries()) {
    const isFirst = (n % 2 === 0 ? 'Ana' : 'Bruno') === assignedUser?.name
    if (isFirst) expect(status).toBe(200)
    else expect([status, body.message]).toEqual([409, `A conversa já está com ${assignedUser?.name}.`])
  }
  expect(await eventsOf(id)).toMatchObject([{ senderName: assignedUser?.name }])
})

const watchAll = (enableViewTrackingForAll: boolean) => saveSettings(t.database, { enableViewTrackingForAll })
const view = (id: number, who: Client) =>
  who.request('POST', `/api/conversations/${id}/view`, { action: 'enter' })

test('opening a chat is recorded for administrators, and for nobody else', async () => {
  const before = await talk()
  const tabs = await Promise.all([ana, admin].map(({ token }) => connectLive(t.app.url, { token })))
  expect((await view(before.id, ana)).status).toBe(204)
  const [forAna, forAdmin] = await Promise.all([messagesOf(before.id), messagesOf(before.id, admin)])
  expect(forAna.map(({ messageType }) => messageType)).toEqual(['text'])
  expect(forAdmin.at(-1)).toMatchObject({
    messageType: 'view_tracking',
    content: 'Ana visualizou a conversa',
    deliveryStatus: null,
  })
  await tabs[1]?.heard('new_message', ({ data }) => data.message.messageType === 'view_tracking')
  expect(JSON.stringify(tabs[0]?.frames)).not.toContain('visualizou')
  const { version, messageCount, lastActivityAt, waitingFor } = before
  expect(await read(before.id)).toMatchObject({ version, messageCount, lastActivityAt, waitingFor })
  await Promise.all(tabs.map((tab) => tab.close()))
})

test('opening a chat again within a minute is the same view', async () => {
  const { id } = await talk()
  await Promise.all(Array.from({ length: 10 }, () => view(id, bruno)))
  await view(id, ana)
  const views = (await messagesOf(id, admin)).filter(({ messageType }) => messageType === 'view_tracking')
  expect(views.map(({ senderName }) => senderName)).toEqual(['Bruno', 'Ana'])
})

test('a view by an administrator is not recorded where only operators are tracked', async () => {
  const { id } = await talk()
  await watchAll(false)
  await view(id, admin)
  await view(id, ana)
  await watchAll(true)
  const views = (await messagesOf(id, admin)).filter(({ messageType }) => messageType === 'view_tracking')
  expect(views.map(({ senderName }) => senderName)).toEqual(['Ana'])
})
