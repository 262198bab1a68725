import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { inTurn } from '#server/testing/database/in-turn.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import {
  eventually,
  forAllTests,
  including,
  refusal,
  requestTo,
  some,
  testApp,
} from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
afterEach(() => resetSettings(t.database))

const goodbye = 'Até logo'
const question = 'Que nota nos dá?'

/** A conversation that Ana has, and the client's phone. */
async function talk() {
  const { conversation, phoneId } = await newTalk(t, ana)
  const { id } = conversation
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  return { id, phoneId, before: await read(id) }
}
const read = (id: number) => ana.get<Conversation>(`/api/conversations/${id}`)
const messagesOf = (id: number) => ana.get<Message[]>(`/api/conversations/${id}/messages`)
const textsOf = async (id: number) =>
  (await messagesOf(id)).filter(({ messageType }) => messageType === 'text').map(({ content }) => content)
const linesOf = async (id: number) =>
  (await messagesOf(id)).flatMap(({ metadata, senderName }) =>
    metadata.event ? [[senderName, metadata.event.act]] : [],
  )
const finalize = (id: number, body: object = {}) =>
  ana.request('POST', `/api/conversations/${id}/finalize`, { isUndoable: true, ...body })
const undo = (id: number, who = ana) =>
  who.request<{ conversation: Conversation }>('POST', `/api/conversations/${id}/undo-finalize`)
const onPhone = (phone: string) =>
  t.simulator.control
    .chat(phone)
    .filter(({ from }) => from === 'company')
    .map(({ text }) => text)
const write = (phone: string, text: string) => t.simulator.control.sendText(phone, text)
/** Ends the wait of the closing texts, and the time for undoing, now rather than in some seconds. */
const endHold = (id: number) =>
  inTransaction(t.database, async (db) => {
    await db.execute(sql`update outbox set not_before = now() where conversation_id = ${id}`)
    await db.execute(sql`update conversations set held_until = now() where id = ${id}`)
    db.signal('outbox')
  })
/** Longer than the outbox takes to send what may be sent. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 1300))
const auditOf = (id: number) =>
  t.sql<{ action: string; userId: number | null }>`
    select action, user_id as "userId" from audit_logs
     where resource_type = 'conversation' and resource_id = ${String(id)} and action = 'conversation.reopen'`

test('an undone finalization leaves the conversation as it was, and the client hears nothing', async () => {
  await saveSettings(t.database, {
    finalizationMessage: goodbye,
    ratingsEnabled: true,
    ratingMessage: question,
  })
  const { id, phoneId } = await talk()
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pronto' })
  await eventually(() => onPhone(phoneId), including('pronto'))
  const before = await read(id)
  await finalize(id, { notes: 'resolvido' })
  expect(await read(id)).toMatchObject({ status: 'completed', notes: 'resolvido' })
  expect(await textsOf(id)).toEqual(['oi', 'pronto', goodbye, question])
  await pause()
  expect(onPhone(phoneId)).not.toContain(goodbye)
  expect((await undo(id)).body.conversation).toMatchObject({ id, status: 'active' })
  expect(await read(id)).toMatchObject({
    status: 'active',
    completedAt: null,
    notes: null,
    assignedUserId: ana.userId,
    waitingFor: before.waitingFor,
    waitingSince: before.waitingSince,
    messageCount: before.messageCount,
    lastMessage: { content: 'pronto' },
  })
  expect(await textsOf(id)).toEqual(['oi', 'pronto'])
  expect((await linesOf(id)).slice(-2)).toEqual([
    ['Ana', 'finalized'],
    ['Ana', 'reopened'],
  ])
  expect(await auditOf(id)).toEqual([{ action: 'conversation.reopen', userId: ana.userId }])
  // It can be ended once more, and then the client hears it once.
  await finalize(id)
  await endHold(id)
  await eventually(() => onPhone(phoneId), including(question), 8000)
  expect(onPhone(phoneId).filter((text) => text === goodbye)).toHaveLength(1)
})

test('a client who waited still waits once the finalization of their conversation is undone', async () => {
  const { id, before } = await talk()
  expect(before.waitingSince).not.toBeNull()
  await finalize(id)
  await undo(id)
  expect(await read(id)).toMatchObject({ waitingFor: 'operator', waitingSince: before.waitingSince })
})

test('a conversation of the queue is back in its place, and the client is not greeted anew', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  await t.settled()
  const told = onPhone(phoneId)
  await finalize(conversation.id)
  await undo(conversation.id)
  expect(await read(conversation.id)).toMatchObject({
    status: 'waiting',
    subStatus: 'FILA',
    queuePosition: conversation.queuePosition,
  })
  const [row] = await t.sql`select processed_at as at from queue_pending_conversations
    where conversation_id = ${conversation.id}`
  expect(row).toEqual({ at: null })
  await pause()
  expect(onPhone(phoneId)).toEqual(told)
})

test('a finalization is undone by whoever made it, and by nobody else', async () => {
  const { id } = await talk()
  expect(await undo(id)).toMatchObject(refusal(409, 'conversations.undo_too_late'))
  await finalize(id)
  expect(await undo(id, bruno)).toMatchObject(refusal(409, 'conversations.undo_too_late'))
  expect((await undo(id)).status).toBe(200)
})

test('once the client has been told, a finalization cannot be undone', async () => {
  await saveSettings(t.database, { finalizationMessage: goodbye })
  const { id, phoneId } = await talk()
  await finalize(id)
  await endHold(id)
  await eventually(() => onPhone(phoneId), including(goodbye), 8000)
  expect(await undo(id)).toMatchObject(refusal(409, 'conversations.undo_too_late'))
  const other = await talk()
  await ana.request('POST', `/api/conversations/${other.id}/finalize`, {})
  expect(await undo(other.id)).toMatchObject(refusal(409, 'conversations.undo_too_late'))
})

test('a client who writes while the end is held goes on with the same conversation', async () => {
  await saveSettings(t.database, { finalizationMessage: goodbye })
  const { id, phoneId } = await talk()
  await finalize(id, { notes: 'resolvido' })
  write(phoneId, 'esqueci uma coisa')
  await eventually(() => textsOf(id), including('esqueci uma coisa'))
  expect(await read(id)).toMatchObject({
    status: 'active',
    assignedUserId: ana.userId,
    waitingFor: 'operator',
  })
  expect(await textsOf(id)).toEqual(['oi', 'esqueci uma coisa'])
  expect(await linesOf(id)).toContainEqual([null, 'kept_open'])
  expect(await auditOf(id)).toEqual([{ action: 'conversation.reopen', userId: null }])
  expect(await undo(id)).toMatchObject(refusal(409, 'conversations.undo_too_late'))
  await pause()
  expect(onPhone(phoneId)).not.toContain(goodbye)
})

test('a client who only thanks while the end is held does not open the conversation again', async () => {
  await saveSettings(t.database, { finalizationMessage: goodbye, thanksStayClosed: true })
  const { id, phoneId } = await talk()
  await finalize(id)
  write(phoneId, 'obrigado')
  await eventually(() => textsOf(id), including('obrigado'))
  expect(await read(id)).toMatchObject({ status: 'completed' })
  await endHold(id)
  await eventually(() => onPhone(phoneId), including(goodbye), 8000)
})

test('a client who writes after the hold begins another conversation, the old one stays ended', async () => {
  const { id, phoneId } = await talk()
  await finalize(id)
  await endHold(id)
  write(phoneId, 'bom dia')
  const open = await eventually(
    () => ana.get<Conversation[]>('/api/conversations'),
    some({ lastMessage: { content: 'bom dia' } }),
  )
  const another = open.find(({ lastMessage }) => lastMessage?.content === 'bom dia')
  expect(another?.id).not.toBe(id)
  await t.sql`update conversations set held_until = now() + interval '1 minute' where id = ${id}`
  expect(await undo(id)).toMatchObject(refusal(409, 'conversations.open_again'))
})

test('an undo while somebody begins another conversation with the client is refused', async () => {
  const { id } = await talk()
  await finalize(id)
  const [undone] = await inTurn(
    t.database,
    sql`insert into conversations (contact_id, instance_id, protocol)
        select contact_id, instance_id, '20270101999999' from conversations where id = ${id}`,
    () => undo(id),
  )
  expect(undone).toMatchObject({ value: refusal(409, 'conversations.open_again') })
})

test('an undone end of a conversation whose holder was blocked meanwhile is in the queue', async () => {
  const [chefe, eva] = [await t.signIn('admin'), await t.signIn('operator')]
  const { conversation } = await newTalk(t, eva)
  const { id } = conversation
  await eva.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: eva.userId })
  await chefe.request('POST', `/api/conversations/${id}/finalize`, { isUndoable: true })
  await chefe.request('POST', `/api/users/${eva.userId}/toggle-block`, {})
  expect((await undo(id, chefe)).status).toBe(200)
  expect(await chefe.get<Conversation>(`/api/conversations/${id}`)).toMatchObject({
    status: 'waiting',
    subStatus: 'FILA',
    assignedUserId: null,
  })
})

test('an undo and a client who writes at once open the conversation once, and lose nothing', async () => {
  await saveSettings(t.database, { finalizationMessage: goodbye })
  const { id, phoneId } = await talk()
  for (let n = 0; n < 8; n += 1) {
    await finalize(id)
    const wait = new Promise((resolve) => setTimeout(resolve, n * 12))
    write(phoneId, `vez ${n}`)
    const { status } = await wait.then(() => undo(id))
    expect([200, 409]).toContain(status)
    await eventually(() => textsOf(id), including(`vez ${n}`))
    expect(await read(id)).toMatchObject({ status: 'active' })
  }
  await t.settled()
  expect(onPhone(phoneId)).not.toContain(goodbye)
})

test('of an undo and a worker who sends the closing text at once only one has its way', async () => {
  await saveSettings(t.database, { finalizationMessage: goodbye })
  for (let n = 0; n < 12; n += 1) {
    const { id, phoneId } = await talk()
    await finalize(id)
    const [, { status }] = await Promise.all([
      new Promise((resolve) => setTimeout(resolve, n)).then(() =>
        inTransaction(t.database, async (db) => {
          await db.execute(sql`update outbox set not_before = now() where conversation_id = ${id}`)
          db.signal('outbox')
        }),
      ),
      undo(id),
    ])
    await t.settled()
    expect([status, onPhone(phoneId).includes(goodbye)]).toEqual(status === 200 ? [200, false] : [409, true])
  }
})

test('what was written before a held end leaves with it at the latest, and before it', async () => {
  await saveSettings(t.database, { finalizationMessage: goodbye, undoSendSeconds: 10 })
  const { id, phoneId } = await talk()
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'tchau' })
  await finalize(id)
  const [{ late } = { late: true }] = await t.sql<{ late: boolean }>`
    select bool_or(not_before > now() + interval '7 seconds') as late from outbox
     where conversation_id = ${id} and state = 'pending'`
  expect(late).toBe(false)
  await endHold(id)
  await eventually(() => onPhone(phoneId), including(goodbye), 8000)
  expect(onPhone(phoneId)).toEqual(['tchau', goodbye])
})

test('an end that the wrong clock of a database holds for hours cannot be undone', async () => {
  const { id } = await talk()
  await finalize(id)
  await t.sql`update conversations set held_until = now() + interval '3 hours' where id = ${id}`
  expect(await undo(id)).toMatchObject(refusal(409, 'conversations.undo_too_late'))
})

test('a held end outlives a restart: it can be undone, and the closing text leaves once', async () => {
  const own = await testApp()
  try {
    await saveSettings(own.database, { finalizationMessage: goodbye })
    const carla = await own.signIn('operator', 'carla')
    const { conversation, phoneId } = await newTalk(own, carla)
    const path = `/api/conversations/${conversation.id}`
    const headers = { authorization: `Bearer ${carla.token}` }
    const said = () => own.simulator.control.chat(phoneId).filter(({ text }) => text === goodbye)
    await carla.request('POST', `${path}/finalize`, { isUndoable: true })
    await own.app.stop()
    const second = await own.startAnother()
    expect(await requestTo(second.url, 'POST', `${path}/undo-finalize`, undefined, headers)).toMatchObject({
      status: 200,
    })
    await requestTo(second.url, 'POST', `${path}/finalize`, { isUndoable: true }, headers)
    await second.stop()
    const third = await own.startAnother()
    await eventually(said, { length: 1 }, 15_000)
    await third.stop()
    expect(said()).toHaveLength(1)
  } finally {
    await own.close()
  }
}, 60_000)

test('how long an end can be undone is a setting; without time the client is told at once', async () => {
  await saveSettings(t.database, { finalizationMessage: goodbye, undoFinalizeSeconds: 10 })
  const long = await talk()
  await finalize(long.id)
  const [held] = await t.sql<{ seconds: number }>`
    select extract(epoch from held_until - now())::float8 as seconds from conversations where id = ${long.id}`
  expect(Math.round(held?.seconds ?? 0)).toBeGreaterThanOrEqual(9)
  expect(held?.seconds).toBeLessThanOrEqual(11)
  await saveSettings(t.database, { undoFinalizeSeconds: 0 })
  const none = await talk()
  await finalize(none.id)
  await eventually(() => onPhone(none.phoneId), including(goodbye))
  expect(await undo(none.id)).toMatchObject({ status: 409 })
})
