import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { closeSilent } from '#server/conversations/automatic/inactivity.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { returnFromHold } from './returns.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const snooze = (id: number, more: object = {}, who = ana) =>
  who.request<{ conversation: Conversation }>('PUT', `/api/conversations/${id}/snooze`, {
    until: inMinutes(60),
    reason: 'esperando a diretoria',
    ...more,
  })
const read = (id: number) => chefe.get<Conversation>(`/api/conversations/${id}`)

/** A conversation that Ana has taken and put on hold. */
async function onHold() {
  const talk = await newTalk(t, ana)
  const { id } = talk.conversation
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  const { status } = await snooze(id)
  expect(status).toBe(200)
  return { ...talk, id }
}

/** The client wrote two hours ago, and it was put on hold ten minutes later. */
async function makeOlder(id: number) {
  await t.sql`update messages set sort_at = sort_at - interval '2 hours' where conversation_id = ${id}`
  await t.sql`update snoozes set started_at = started_at - interval '110 minutes'
               where conversation_id = ${id}`
}

/** Its time comes. */
async function comeDue(id: number) {
  await t.sql`update conversations set snoozed_until = app_now() where id = ${id}`
  await returnFromHold(t.database)
}
const actsOf = async (id: number) =>
  (
    await t.sql<{ act: string }>`select metadata #>> '{event,act}' as act from messages
                                  where conversation_id = ${id} and message_type = 'event' order by id`
  ).map(({ act }) => act)

test('a conversation on hold returns to its operator at its time, who is told of it once', async () => {
  const { id } = await onHold()
  const held = await read(id)
  expect([held.waitingFor, held.waitingSince]).toEqual(['client', null])
  expect(held.snoozedUntil).toEqual(expect.any(String))
  await returnFromHold(t.database)
  expect((await read(id)).snoozedUntil).toBeDefined()
  await comeDue(id)
  await returnFromHold(t.database)
  const back = await read(id)
  expect(back.snoozedUntil).toBeUndefined()
  expect([back.waitingFor, back.assignedUserId, back.snoozeReason]).toEqual([
    'operator',
    ana.userId,
    'esperando a diretoria',
  ])
  expect(back.returnedAt).toEqual(expect.any(String))
  expect(await actsOf(id)).toEqual(['taken', 'snoozed', 'snooze_over'])
  const { notifications } = await ana.get<{ notifications: { kind: string }[] }>(
    '/api/notifications?tab=updates',
  )
  expect(notifications.map(({ kind }) => kind)).toEqual(['returned'])
  // Opened by a colleague it stays new to its operator.
  await bruno.request('POST', `/api/conversations/${id}/view`, { action: 'enter' })
  expect((await read(id)).returnedAt).toBeDefined()
  await ana.request('POST', `/api/conversations/${id}/view`, { action: 'enter' })
  expect((await read(id)).returnedAt).toBeUndefined()
})

test('a word of the client ends a hold at once, and they wait from then on', async () => {
  const { id, phoneId } = await onHold()
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'já vejo' })
  expect((await read(id)).snoozedUntil).toBeDefined()
  t.simulator.control.sendText(phoneId, 'e então?')
  const back = await eventually(
    () => read(id),
    (row) => row.snoozedUntil === undefined,
  )
  expect([back.waitingFor, back.returnedAt]).toEqual(['operator', undefined])
  expect(await actsOf(id)).toEqual(['taken', 'snoozed', 'snooze_answered'])
  await returnFromHold(t.database)
  expect(await actsOf(id)).toHaveLength(3)
})

const unreadOf = async (who: typeof ana, id: number) =>
  (
    await who.get<{ notifications: { isRead: boolean; about: { conversationId: number } | null }[] }>(
      '/api/notifications?tab=updates',
    )
  ).notifications.filter(({ isRead, about }) => !isRead && about?.conversationId === id).length

test.each([
  ['opens', (id: number) => ana.request('POST', `/api/conversations/${id}/view`, { action: 'enter' })],
  [
    'answers',
    (id: number) => ana.request('POST', `/api/conversations/${id}/messages`, { content: 'aqui está' }),
  ],
  ['puts on hold again', (id: number) => snooze(id)],
  [
    'transfers',
    (id: number) => ana.request('POST', `/api/conversations/${id}/transfer`, { newOperatorId: bruno.userId }),
  ],
  ['finalizes', (id: number) => ana.request('POST', `/api/conversations/${id}/finalize`, {})],
])('the notice of a return is read when its operator %s the conversation', async (_what, act) => {
  const { id } = await onHold()
  await comeDue(id)
  expect(await unreadOf(ana, id)).toBe(1)
  await act(id)
  expect(await unreadOf(ana, id)).toBe(0)
  const { returnedAt, assignedUserId } = await read(id)
  // Whoever has it now has not seen it yet.
  if (assignedUserId === ana.userId) expect(returnedAt).toBeUndefined()
})

test('thanks and a sticker of the client end a hold like any word, a reaction does not', async () => {
  const { control } = t.simulator
  const { id, phoneId } = await onHold()
  const messageId = control.chat(phoneId).at(-1)?.id ?? ''
  control.react(phoneId, { messageId, emoji: '👍' })
  await eventually(
    () => t.sql`select 1 from message_reactions r join messages m on m.id = r.message_id
                 where m.conversation_id = ${id}`,
    ({ length }) => length === 1,
  )
  const held = await read(id)
  expect([held.snoozedUntil, held.waitingFor]).toEqual([expect.any(String), 'client'])
  expect(await actsOf(id)).toEqual(['taken', 'snoozed'])
  const sent: (() => unknown)[] = [
    () => control.sendText(phoneId, 'obrigada!'),
    () => control.send(phoneId, { kind: 'sticker', base64: 'iVBORw0KGgo=' }),
  ]
  for (const send of sent) {
    await snooze(id)
    send()
    const back = await eventually(
      () => read(id),
      (row) => row.snoozedUntil === undefined,
    )
    expect(back.waitingFor).toBe('operator')
  }
})

test('the time on hold is left out of how long a client has waited', async () => {
  const { id } = await onHold()
  await makeOlder(id)
  await ana.request('DELETE', `/api/conversations/${id}/snooze`)
  const { waitingSince } = await read(id)
  const minutes = (Date.now() - Date.parse(waitingSince ?? '')) / 60_000
  expect(minutes).toBeGreaterThan(9)
  expect(minutes).toBeLessThan(11)
})

test('an answer on hold counts what the client had waited before it', async () => {
  const { id } = await onHold()
  await makeOlder(id)
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'segue' })
  const [answer] = await t.sql<{ minutes: number }>`
    select (response_ms / 60000.0)::float8 as minutes from messages
     where conversation_id = ${id} and response_ms is not null`
  expect(answer?.minutes).toBeGreaterThan(9)
  expect(answer?.minutes).toBeLessThan(11)
})

test('inactivity closes nothing on hold, and its clock begins again at the return', async () => {
  const { id } = await onHold()
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'aguarde' })
  const age = () =>
    t.sql`update conversations set last_activity_at = app_now() - interval '3 hours',
                 auto_close_from = auto_close_from - interval '3 hours' where id = ${id}`
  await age()
  await closeSilent(t.database, false)
  expect((await read(id)).status).toBe('active')
  await comeDue(id)
  await closeSilent(t.database, false)
  expect((await read(id)).status).toBe('active')
})

test('a hold stays when the holder is blocked, and its conversation is queued at its time', async () => {
  const carla = await t.signIn('operator', 'carla')
  const { conversation } = await newTalk(t, carla)
  const { id } = conversation
  await carla.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: carla.userId })
  await snooze(id, {}, carla)
  const { status } = await chefe.request('POST', `/api/users/${carla.userId}/toggle-block`)
  expect(status).toBeLessThan(300)
  const held = await read(id)
  expect([held.assignedUserId, held.subStatus, held.queuePosition]).toEqual([null, 'FILA', 0])
  expect(held.snoozedUntil).toBeDefined()
  await comeDue(id)
  const queued = await read(id)
  expect(queued.queuePosition).toBeGreaterThan(0)
  expect([queued.returnedAt, queued.waitingFor]).toEqual([undefined, 'operator'])
})

test('an end that is undone leaves a conversation on hold as it was', async () => {
  const { id } = await onHold()
  const { snoozedUntil } = await read(id)
  await ana.request('POST', `/api/conversations/${id}/finalize`, { isUndoable: true })
  expect((await read(id)).snoozedUntil).toBeUndefined()
  await ana.request('POST', `/api/conversations/${id}/undo-finalize`)
  const back = await read(id)
  expect([back.status, back.snoozedUntil, back.snoozeReason]).toEqual([
    'active',
    snoozedUntil,
    'esperando a diretoria',
  ])
})

test('a client who writes while an end can be undone brings it back, and no longer on hold', async () => {
  const { id, phoneId } = await onHold()
  await ana.request('POST', `/api/conversations/${id}/finalize`, { isUndoable: true })
  t.simulator.control.sendText(phoneId, 'e então?')
  const back = await eventually(
    () => read(id),
    (row) => row.status !== 'completed',
  )
  expect([back.snoozedUntil, back.waitingFor]).toEqual([undefined, 'operator'])
})

test('a transfer keeps a hold and tells the client nothing, or ends it where that is asked', async () => {
  const kept = await onHold()
  const ended = await onHold()
  const to = { newOperatorId: bruno.userId }
  await ana.request('POST', `/api/conversations/${kept.id}/transfer`, to)
  await ana.request('POST', `/api/conversations/${ended.id}/transfer`, { ...to, endsSnooze: true })
  expect((await read(kept.id)).snoozedUntil).toBeDefined()
  const told = (id: number) =>
    t.sql`select 1 from messages where conversation_id = ${id} and metadata ->> 'text' = 'transferMessage'`
  expect([(await told(kept.id)).length, (await told(ended.id)).length]).toEqual([0, 1])
  const now = await read(ended.id)
  expect([now.snoozedUntil, now.waitingFor, now.assignedUserId]).toEqual([
    undefined,
    'operator',
    bruno.userId,
  ])
  // The same where the queue of a sector gets it.
  const { body: made } = await chefe.request<{ id: number }>('POST', '/api/sectors', {
    name: 'Financeiro',
    color: '#0d9488',
  })
  const moved = await onHold()
  await ana.request('POST', `/api/conversations/${moved.id}/transfer-to-sector`, { sectorId: made.id })
  expect((await read(moved.id)).snoozedUntil).toBeDefined()
  expect(await told(moved.id)).toEqual([])
  // Given back by hand it is to be acted on now.
  await bruno.request('PATCH', `/api/conversations/${kept.id}/assign-operator`, { operatorId: null })
  expect((await read(kept.id)).snoozedUntil).toBeUndefined()
})

/** Merges the contacts of two conversations, the second into the first. @returns how to undo it */
async function merge(id: number, otherId: number) {
  const contactOf = async (one: number) => (await read(one)).contact.id
  const [keptId, mergedId] = [await contactOf(id), await contactOf(otherId)]
  const { status } = await chefe.request('POST', `/api/contacts/${keptId}/merge`, { otherId: mergedId })
  expect(status).toBeLessThan(300)
  return async () => {
    const [made] = await t.sql<{ id: number }>`select max(id) as id from contact_merges`
    expect((await chefe.request('POST', `/api/contacts/merges/${made?.id}/undo`)).status).toBeLessThan(300)
  }
}

test('after a merge the holds of both conversations are left out of how long the client waits', async () => {
  const [older, younger] = [await onHold(), await onHold()]
  for (const { id } of [older, younger]) await makeOlder(id)
  await merge(older.id, younger.id)
  const minutes = (Date.now() - Date.parse((await read(older.id)).waitingSince ?? '')) / 60_000
  expect(minutes).toBeGreaterThan(9)
  expect(minutes).toBeLessThan(11)
})

test('a merge reminds of what is on hold, and of nothing that is over', async () => {
  const reasonOf = async (id: number) => (await read(id)).snoozeReason
  const [over, held] = [await onHold(), await onHold()]
  await snooze(over.id, { until: inMinutes(90), reason: 'o que passou' })
  await snooze(held.id, { until: inMinutes(90), reason: 'a diretoria' })
  await ana.request('DELETE', `/api/conversations/${over.id}/snooze`)
  await merge(over.id, held.id)
  expect(await reasonOf(over.id)).toBe('a diretoria')
  const [one, other] = [await onHold(), await onHold()]
  await snooze(one.id, { until: inMinutes(90), reason: 'o orçamento' })
  await snooze(other.id, { until: inMinutes(90), reason: 'a entrega' })
  await merge(one.id, other.id)
  expect(await reasonOf(one.id)).toBe('o orçamento; a entrega')
})

test('an undone merge gives both conversations the holds that they were in', async () => {
  const [older, younger] = [await onHold(), await onHold()]
  await snooze(younger.id, { until: inMinutes(90), reason: 'o outro' })
  const before = [await read(older.id), await read(younger.id)]
  const undo = await merge(older.id, younger.id)
  expect((await read(older.id)).snoozedUntil).toBeUndefined()
  await undo()
  const after = [await read(older.id), await read(younger.id)]
  const held = ({ snoozedUntil, snoozeReason, waitingFor, returnedAt }: Conversation) => [
    snoozedUntil,
    snoozeReason,
    waitingFor,
    returnedAt,
  ]
  expect(after.map(held)).toEqual(before.map(held))
  // Each is over once more.
  for (const { id } of [older, younger]) await comeDue(id)
  expect((await read(younger.id)).returnedAt).toBeDefined()
})

test('an undone merge leaves awake what was, and both where the client has written since', async () => {
  const [awake, held] = [await onHold(), await onHold()]
  await ana.request('DELETE', `/api/conversations/${awake.id}/snooze`)
  const undo = await merge(awake.id, held.id)
  expect((await read(awake.id)).returnedAt).toBeDefined()
  await undo()
  const row = await read(awake.id)
  expect([row.snoozedUntil, row.returnedAt, row.waitingFor]).toEqual([undefined, undefined, 'operator'])
  expect((await read(held.id)).snoozedUntil).toBeDefined()
  const again = await merge(awake.id, held.id)
  t.simulator.control.sendText(held.phoneId, 'e então?')
  await eventually(
    () => read(awake.id),
    ({ contactMessageCount }) => contactMessageCount === 3,
  )
  await again()
  for (const { id } of [awake, held]) {
    const { snoozedUntil, waitingFor } = await read(id)
    expect([snoozedUntil, waitingFor]).toEqual([undefined, 'operator'])
  }
})

test.each([
  ['a time that is over', { until: '2020-01-01T12:00:00.000Z' }, 422, 'Escolha um horário no futuro.'],
  [
    'a time two years ahead',
    { until: inMinutes(2 * 366 * 1440) },
    422,
    'Escolha um horário dentro de um ano.',
  ],
  ['a reason that is too long', { reason: 'x'.repeat(201) }, 400, undefined],
])('a hold until %s is refused with a sentence', async (_what, more, status, sentence) => {
  const { id } = await onHold()
  const answer = await ana.request<{ message: string }>('PUT', `/api/conversations/${id}/snooze`, {
    until: inMinutes(60),
    ...more,
  })
  expect(answer.status).toBe(status)
  if (sentence !== undefined) expect(answer.body.message).toBe(sentence)
})

test('nobody puts on hold what nobody has, or what a colleague has', async () => {
  const { conversation } = await newTalk(t, ana)
  expect((await snooze(conversation.id)).status).toBe(409)
  const { id } = await onHold()
  expect((await snooze(id, {}, bruno)).status).toBe(409)
  expect((await bruno.request('DELETE', `/api/conversations/${id}/snooze`)).status).toBe(409)
  expect((await snooze(id, { until: inMinutes(5) }, chefe)).status).toBe(200)
})

test('what is on hold is listed under Em espera alone, and found by a search of all', async () => {
  const { id, conversation } = await onHold()
  const idsOf = async (query: string, who = ana) =>
    (
      await who.get<{ conversations: Conversation[] }>(`/api/conversations?page=1&limit=100&${query}`)
    ).conversations.map((row) => row.id)
  expect(await idsOf('tab=all')).not.toContain(id)
  expect(await idsOf('tab=mine')).not.toContain(id)
  expect(await idsOf('tab=snoozed&order=return')).toContain(id)
  expect(await idsOf(`tab=all&search=${encodeURIComponent(conversation.contact.name)}`)).toContain(id)
  await comeDue(id)
  // A newer one, which comes before it in the order by the last message.
  await newTalk(t, ana)
  expect((await idsOf('tab=mine'))[0]).toBe(id)
  expect((await idsOf('tab=all&order=activity'))[0]).toBe(id)
  for (const colleague of [bruno, chefe])
    expect((await idsOf('tab=all&order=activity', colleague))[0]).not.toBe(id)
})

test('tomorrow and Monday at nine are offered by the working hours of the conversation', async () => {
  const { id } = await onHold()
  const times = () =>
    ana.get<{ times: { name: string; at: string; isMoved: boolean }[] }>(
      `/api/conversations/${id}/snooze-times`,
    )
  const all = (start: string) => ({
    workingHours: { start, end: '18:00', days: [0, 1, 2, 3, 4, 5, 6] },
    timezone: 'America/Sao_Paulo',
  })
  await chefe.request('PATCH', '/api/system-settings', all('08:00'))
  const tomorrow = (await times()).times.find(({ name }) => name === 'tomorrow')
  expect([tomorrow?.at.slice(11), tomorrow?.isMoved]).toEqual(['12:00:00.000Z', false])
  // The zone is said to each browser, which shows and reads all times in it.
  const manaus = { ...all('08:00'), timezone: 'America/Manaus' }
  await chefe.request('PATCH', '/api/system-settings', manaus)
  const there = (await times()).times.find(({ name }) => name === 'tomorrow')
  expect(there?.at.slice(11)).toBe('13:00:00.000Z')
  expect(await ana.get('/api/auth/me')).toMatchObject({ timezone: 'America/Manaus' })
  await chefe.request('PATCH', '/api/system-settings', all('10:00'))
  const moved = (await times()).times.find(({ name }) => name === 'tomorrow')
  expect([moved?.at.slice(11), moved?.isMoved]).toEqual(['13:00:00.000Z', true])
})
