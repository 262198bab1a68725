import { expect, test } from 'vitest'
import type { ScheduledMessage } from '#shared/scheduled/scheduled.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { handleBatch } from '#server/conversations/incoming/batch.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { person } from '#server/testing/test-person.ts'
import { type Client, eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { deleteCompleted } from '#server/conversations/acts/delete-completed.ts'
import { computeFacts, verifyReports } from '#server/reports/reports.ts'
import { createClockKeeper } from '#server/sla/keeper.ts'
import { sendAllDue, trimScheduled } from './due.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const plain = { content: 'Chegou o saquinho!', cancelOnAnswer: true, onlyOpen: false }

/** A conversation of a new client, which the person has taken. */
async function taken(who: Client): Promise<number> {
  const { id } = await given.conversation(t, who)
  await who.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: who.userId })
  return id
}

async function scheduled(who: Client, conversationId: number, more: object = {}): Promise<ScheduledMessage> {
  const path = `/api/conversations/${conversationId}/scheduled-messages`
  const { status, body } = await who.request<ScheduledMessage>('POST', path, {
    ...plain,
    sendAt: inHours(1),
    ...more,
  })
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}

/** Its time has come, and everything due is sent. */
async function passTime(...ids: number[]): Promise<void> {
  await t.sql`update scheduled_messages set send_at = app_now() - interval '1 second',
                     asked_at = app_now() - interval '1 second' where id = any(${`{${ids.join()}}`}::int[])`
  await sendAllDue(t.database)
}

const stateOf = async (id: number) => {
  const [row] = await t.sql<{
    state: string
    reason: string | null
    message: string | null
    by: number | null
  }>`
    select s.state, s.reason, m.content as message, m.sender_id as by
      from scheduled_messages s left join messages m on m.id = s.message_id where s.id = ${id}`
  return row
}

test('a scheduled message is sent when it is due, once, as a message of its author', async () => {
  const id = await taken(ana)
  const one = await scheduled(ana, id)
  expect(one).toMatchObject({ state: 'pending', movedFrom: null, mayChange: true, conversationId: id })
  await sendAllDue(t.database)
  expect(await stateOf(one.id)).toEqual({ state: 'pending', reason: null, message: null, by: null })
  await passTime(one.id)
  await sendAllDue(t.database)
  expect(await stateOf(one.id)).toEqual({
    state: 'sent',
    reason: null,
    message: plain.content,
    by: ana.userId,
  })
  await t.settled()
  expect(
    await t.sql`select m.delivery_status as status, o.state
                  from messages m join outbox o on o.message_id = m.id
                 where m.conversation_id = ${id} and m.content = ${plain.content}`,
  ).toEqual([{ status: expect.stringMatching(/sent|delivered|read/), state: 'sent' }])
})

test('a scheduled message of whom numbers are hidden from has no name with a number in it', async () => {
  const id = await taken(ana)
  await t.sql`update contacts set name = 'Maria 11987347777'
               where id = (select contact_id from conversations where id = ${id})`
  const early = await scheduled(ana, id, { content: 'Olá, {{contact}}' })
  await t.sql`update users set hides_phones = true where id = ${ana.userId}`
  const path = `/api/conversations/${id}/scheduled-messages`
  const body = { ...plain, content: 'Oi, {{contact}}', sendAt: inHours(1) }
  expect(await ana.request('POST', path, body)).toMatchObject({
    status: 422,
    body: { code: 'scheduled.no_value' },
  })
  await passTime(early.id)
  expect(await stateOf(early.id)).toMatchObject({ state: 'failed', reason: 'no_value', message: null })
  await t.sql`update users set hides_phones = false where id = ${ana.userId}`
})

test('a client who answers before its time cancels a scheduled message, and only then', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  await ana.request('PATCH', `/api/conversations/${conversation.id}/assign-operator`, {
    operatorId: ana.userId,
  })
  const wanted = await scheduled(ana, conversation.id)
  const kept = await scheduled(ana, conversation.id, { cancelOnAnswer: false })
  t.simulator.control.sendText(phoneId, 'já recebi, obrigada')
  await eventually(() => stateOf(wanted.id), { state: 'cancelled', reason: 'answered' })
  expect(await stateOf(kept.id)).toMatchObject({ state: 'pending' })
  await passTime(wanted.id, kept.id)
  expect(await stateOf(wanted.id)).toMatchObject({ state: 'cancelled', message: null })
  expect(await stateOf(kept.id)).toMatchObject({ state: 'sent' })
})

test('answers of several clients that are stored together cancel what waits for each of them', async () => {
  const people = [person(), person(), person()]
  const ids: number[] = []
  for (const [n, who] of people.entries()) {
    await inTransaction(t.database, (db) => handleGatewayEvent(db, t.instanceId, who.writes(`oi ${n}`, 29)))
    const [talk] = await t.sql<{ id: number }>`
      select v.id from conversations v join contacts k on k.id = v.contact_id where k.phone = ${who.phone}`
    ids.push((await scheduled(ana, talk?.id ?? 0, { cancelOnAnswer: n < 2 })).id)
  }
  const answers = people.map((who, n) => who.writes(`sim ${n}`, 31))
  const done = await inTransaction(t.database, (db) => handleBatch(db, t.instanceId, answers))
  expect(done).toEqual([true, true, true])
  expect(await Promise.all(ids.map(stateOf))).toMatchObject([
    { state: 'cancelled', reason: 'answered' },
    { state: 'cancelled', reason: 'answered' },
    { state: 'pending' },
  ])
})

test('a message whose author was blocked is not sent, and a lead of the sector may send it', async () => {
  const zoe = await t.signIn('operator', 'zoe')
  const lia = await t.signIn('operator', 'lia')
  const [sector] = await t.sql<{ id: number }>`
    insert into sectors (name, color) values ('Comercial', '#2563eb') returning id`
  await t.sql`insert into sector_people (sector_id, user_id, is_lead)
              values (${sector?.id}, ${lia.userId}, true)`
  const id = await taken(zoe)
  await t.sql`update conversations set sector_id = ${sector?.id} where id = ${id}`
  const one = await scheduled(zoe, id)
  await chefe.request('POST', `/api/users/${zoe.userId}/toggle-block`)
  await passTime(one.id)
  expect(await stateOf(one.id)).toMatchObject({ state: 'failed', reason: 'author_gone', message: null })
  const { notifications } = await lia.get<{ notifications: object[] }>('/api/notifications?tab=updates')
  expect(notifications).toMatchObject([{ kind: 'unsent_schedule', about: { conversationId: id } }])
  expect(
    await t.sql`select from notifications where kind = 'unsent_schedule' and user_id = ${chefe.userId}`,
  ).toEqual([])
  const list = await lia.get<{ messages: ScheduledMessage[] }>('/api/scheduled-messages?state=failed&of=all')
  expect(list.messages).toMatchObject([{ id: one.id, mayChange: true, reason: 'author_gone' }])
  const { body } = await lia.request<ScheduledMessage>('POST', `/api/scheduled-messages/${one.id}/send`, {
    version: list.messages[0]?.version,
  })
  expect(body).toMatchObject({ state: 'sent', endedBy: { name: 'Lia' } })
  expect(await stateOf(one.id)).toMatchObject({ state: 'sent', by: lia.userId })
})

test('without a lead of the sector administrators are told of what its author cannot send', async () => {
  const zeca = await t.signIn('operator', 'zeca')
  const id = await taken(zeca)
  const one = await scheduled(zeca, id)
  await chefe.request('DELETE', `/api/users/${zeca.userId}`)
  await passTime(one.id)
  expect(
    await t.sql`select user_id as id from notifications
                 where kind = 'unsent_schedule' and conversation_id = ${id}`,
  ).toEqual([{ id: chefe.userId }])
})

test('a message whose conversation has ended begins another one, of its author', async () => {
  const id = await taken(ana)
  const one = await scheduled(ana, id)
  await ana.request('POST', `/api/conversations/${id}/finalize`, { notes: 'fim' })
  await passTime(one.id)
  const [row] = await t.sql<{ id: number; by: number; from: string; status: string }>`
    select v.id, v.assigned_user_id as by, v.initiated_by as "from", v.status
      from scheduled_messages s join messages m on m.id = s.message_id
      join conversations v on v.id = m.conversation_id where s.id = ${one.id}`
  expect(row).toEqual({ id: expect.any(Number), by: ana.userId, from: 'operator', status: 'active' })
  expect(row?.id).not.toBe(id)
})

test('a scheduled message takes no conversation of the queue, whose client goes on waiting', async () => {
  const { id } = await given.conversation(t, ana)
  const one = await scheduled(ana, id, { cancelOnAnswer: false })
  await passTime(one.id)
  expect(await stateOf(one.id)).toMatchObject({ state: 'sent', by: ana.userId })
  expect(
    await t.sql`select assigned_user_id as by, sub_status as sub, waiting_for as waits from conversations
                 where id = ${id}`,
  ).toEqual([{ by: null, sub: 'FILA', waits: 'operator' }])
})

test('a scheduled message into the queue is nowhere a reply, whatever comes later', async () => {
  await t.sql`insert into sla_targets (reply_minutes) values (60)`
  const { id } = await given.conversation(t, ana)
  const one = await scheduled(ana, id, { cancelOnAnswer: false })
  await passTime(one.id)
  await t.settled()
  const keep = createClockKeeper(t.database)
  const known = async () => {
    while (await keep('wait'));
    await computeFacts(t.database)
    const differences: unknown[] = []
    const [startDate, endDate] = [inHours(-24).slice(0, 10), inHours(0).slice(0, 10)]
    await verifyReports(t.database, { startDate, endDate }, (found) => differences.push(found))
    expect(differences).toEqual([])
    return t.sql`select s.reply_kept as kept, f.first_reply_at as report, v.waiting_for as waits
                   from conversations v join sla_clocks s on s.conversation_id = v.id
                   join conversation_facts f on f.conversation_id = v.id where v.id = ${id}`
  }
  const unanswered = [{ kept: null, report: null, waits: 'operator' }]
  expect(await known()).toEqual(unanswered)
  // Whoever takes it is one who has not answered, and who waits is judged from the messages once more.
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  await ana.request('PUT', `/api/conversations/${id}/snooze`, { until: inHours(1) })
  await ana.request('DELETE', `/api/conversations/${id}/snooze`)
  expect(await known()).toEqual(unanswered)
  await t.sql`delete from sla_targets`
})

test('in the conversation of a colleague it answers the client, and the colleague keeps it', async () => {
  const id = await taken(ana)
  const one = await scheduled(ana, id)
  await ana.request('POST', `/api/conversations/${id}/transfer`, { newOperatorId: bruno.userId })
  await passTime(one.id)
  const [row] = await t.sql<{ by: number; waits: string; ms: string }>`
    select v.assigned_user_id as by, v.waiting_for as waits, m.response_ms as ms
      from scheduled_messages s join messages m on m.id = s.message_id
      join conversations v on v.id = m.conversation_id where s.id = ${one.id}`
  expect(row).toMatchObject({ by: bruno.userId, waits: 'client' })
  expect(Number(row?.ms)).toBeGreaterThanOrEqual(0)
})

test('out of working hours a message moves to the opening, and again if the hours change', async () => {
  const hours = { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] }
  const lunchBreak = { enabled: false, start: '12:00', end: '13:00' }
  await chefe.request('PATCH', '/api/system-settings', { workingHours: hours, lunchBreak })
  const id = await taken(ana)
  // A Saturday within the next two weeks, at noon in São Paulo.
  const now = new Date()
  const saturday = new Date(
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 13 - now.getUTCDay(), 15),
  )
  const monday = new Date(saturday.getTime() + 45 * 3_600_000)
  const path = `/api/conversations/${id}/scheduled-messages/time?at=${saturday.toISOString()}`
  expect(await ana.get(`${path}&onlyOpen=true`)).toEqual({
    sendAt: monday.toISOString(),
    isMoved: true,
    sectorName: null,
  })
  expect(await ana.get(`${path}&onlyOpen=false`)).toMatchObject({
    sendAt: saturday.toISOString(),
    isMoved: false,
  })
  const one = await scheduled(ana, id, { sendAt: saturday.toISOString(), onlyOpen: true })
  expect(one).toMatchObject({ sendAt: monday.toISOString(), movedFrom: saturday.toISOString() })
  // When it is due nobody works, since the hours were changed: it waits for the next opening.
  const [clock] = await t.sql<{ day: number }>`
    select extract(dow from app_now() at time zone 'America/Sao_Paulo')::int as day`
  const days = [((clock?.day ?? 0) + 2) % 7]
  await chefe.request('PATCH', '/api/system-settings', { workingHours: { ...hours, days } })
  await passTime(one.id)
  const [moved] = await t.sql<{ state: string; hours: number }>`
    select state, extract(epoch from send_at - app_now()) / 3600 as hours from scheduled_messages
     where id = ${one.id}`
  expect(moved?.state).toBe('pending')
  expect(Number(moved?.hours)).toBeGreaterThan(9)
  const { body } = await ana.request<ScheduledMessage>('POST', `/api/scheduled-messages/${one.id}/send`, {
    version: (await ana.get<ScheduledMessage[]>(`/api/conversations/${id}/scheduled-messages`))[0]?.version,
  })
  // Who sends it by hand knows what time it is.
  expect(body.state).toBe('sent')
  await chefe.request('PATCH', '/api/system-settings', {
    workingHours: { ...hours, days: [0, 1, 2, 3, 4, 5, 6] },
  })
})

test.each([
  [
    'a blocked contact',
    'contact_blocked',
    (id: number) => t.sql`update contacts set is_blocked = true
     where id = (select contact_id from conversations where id = ${id})`,
  ],
  [
    'a number that was switched off',
    'number_off',
    () => t.sql`update evolution_api_config set is_active = false`,
  ],
  [
    'an author who may not reply any more',
    'author_not_allowed',
    () => t.sql`
     insert into user_permissions (user_id, flags)
     values (${ana.userId}, '{"canViewConversations": true, "canEditConversations": false}')
     on conflict (user_id) do update set flags = excluded.flags`,
  ],
  [
    'a conversation beyond the reach of its author',
    'out_of_reach',
    (id: number) => t.sql`
     with z as (insert into sectors (name, color) values ('Longe', '#2563eb') returning id),
          u as (update users set scope = 'sector' where id = ${ana.userId})
     update conversations set assigned_user_id = ${bruno.userId}, sector_id = (select id from z)
      where id = ${id}`,
  ],
] as const)('to %s a message is not sent, and the reason is kept', async (_what, reason, make) => {
  const id = await taken(ana)
  const one = await scheduled(ana, id)
  await make(id)
  await passTime(one.id)
  const found = await stateOf(one.id)
  await t.sql`update evolution_api_config set is_active = true`
  await t.sql`delete from user_permissions where user_id = ${ana.userId}`
  await t.sql`update users set scope = 'all' where id = ${ana.userId}`
  expect(found).toMatchObject({ state: 'failed', reason, message: null })
  if (reason !== 'number_off') return
  // Its reason is gone: it is tried again.
  const [row] = await ana.get<ScheduledMessage[]>(`/api/conversations/${id}/scheduled-messages`)
  const again = await ana.request('POST', `/api/scheduled-messages/${one.id}/send`, { version: row?.version })
  expect([again.status, await stateOf(one.id)]).toEqual([200, expect.objectContaining({ state: 'sent' })])
})

test('who edits what a colleague has changed is refused with words, and nothing is overwritten', async () => {
  const id = await taken(ana)
  const one = await scheduled(ana, id)
  const path = `/api/scheduled-messages/${one.id}`
  const first = await chefe.request<ScheduledMessage>('PATCH', path, {
    content: 'do chefe',
    version: one.version,
  })
  expect(first.body).toMatchObject({ content: 'do chefe', version: one.version + 1, author: { name: 'Ana' } })
  const second = await ana.request<{ code: string }>('PATCH', path, {
    content: 'da Ana',
    version: one.version,
  })
  expect([second.status, second.body.code]).toEqual([409, 'scheduled.changed'])
  const send = await ana.request<{ code: string }>('POST', `${path}/send`, { version: one.version })
  expect([send.status, send.body.code]).toEqual([409, 'scheduled.changed'])
  // Bruno reads the conversation, but it is not his, nor the message.
  expect((await bruno.request('POST', `${path}/cancel`)).status).toBe(403)
  expect((await ana.request('POST', `${path}/cancel`)).status).toBe(200)
  expect(await stateOf(one.id)).toMatchObject({ state: 'cancelled', reason: 'by_person' })
  const late = await ana.request<{ code: string }>('PATCH', path, { content: 'x', version: 3 })
  expect([late.status, late.body.code]).toEqual([409, 'scheduled.cancelled'])
})

test('what is outside of the reach of a person is not found, in lists and by its id', async () => {
  const dora = await t.signIn('operator', 'dora')
  await t.sql`update users set scope = 'own' where id = ${dora.userId}`
  const id = await taken(ana)
  const one = await scheduled(ana, id)
  expect((await dora.request('POST', `/api/scheduled-messages/${one.id}/cancel`)).status).toBe(404)
  expect((await dora.request('GET', `/api/conversations/${id}/scheduled-messages`)).status).toBe(404)
  expect(await dora.get('/api/scheduled-messages?state=pending&of=mine')).toMatchObject({
    messages: [],
    counts: { pending: 0, failed: 0, sent: 0, cancelled: 0 },
  })
  // Those of others are for who leads somebody, and of their sectors alone.
  expect((await bruno.request('GET', '/api/scheduled-messages?state=pending&of=all')).status).toBe(403)
  await t.sql`insert into sector_people (sector_id, user_id, is_lead)
              select id, ${bruno.userId}, true from sectors where name = 'Comercial'`
  const seen = '/api/scheduled-messages?state=pending&of=all'
  expect((await bruno.get<{ messages: unknown[] }>(seen)).messages).toEqual([])
  await t.sql`update conversations set sector_id = (select id from sectors where name = 'Comercial')
               where id = ${id}`
  expect((await bruno.get<{ messages: unknown[] }>(seen)).messages).toMatchObject([
    { id: one.id, mayChange: true },
  ])
  await t.sql`delete from sector_people where user_id = ${bruno.userId}`
  const all = await chefe.get<{ messages: ScheduledMessage[] }>(
    '/api/scheduled-messages?state=pending&of=all',
  )
  expect(all.messages.map((row) => row.id)).toContain(one.id)
})

test('fields of a text get their values when it is sent, and one without any is refused', async () => {
  const id = await taken(ana)
  const one = await scheduled(ana, id, { content: 'Oi {{ firstName }}, aqui é {{operator}}.' })
  await passTime(one.id)
  expect(await stateOf(one.id)).toMatchObject({ message: 'Oi Cliente, aqui é Ana.' })
  const { status, body } = await ana.request<{ code: string; message: string }>(
    'POST',
    `/api/conversations/${id}/scheduled-messages`,
    { ...plain, content: 'da {{company}}', sendAt: inHours(1) },
  )
  expect([status, body.code, body.message]).toEqual([
    422,
    'scheduled.no_value',
    expect.stringContaining('Empresa'),
  ])
})

test.each([
  ['in the past', inHours(-1), 422, 'scheduled.in_past'],
  ['further than a year ahead', inHours(24 * 400), 422, 'scheduled.too_far'],
  ['at no time', 'amanhã', 400, 'request.invalid'],
])('what is to be sent %s is refused', async (_when, sendAt, status, code) => {
  const id = await taken(ana)
  const answer = await ana.request<{ code: string }>('POST', `/api/conversations/${id}/scheduled-messages`, {
    ...plain,
    sendAt,
  })
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('a call that is repeated schedules one message', async () => {
  const id = await taken(ana)
  const [first, second] = await Promise.all(
    [1, 2].map(() => scheduled(ana, id, { clientMessageId: 'repetida-12345678' })),
  )
  expect(second?.id).toBe(first?.id)
})

test('no more than fifty messages wait for one client', async () => {
  const id = await taken(ana)
  await t.sql`insert into scheduled_messages
      (conversation_id, author_id, content, send_at, asked_at, cancel_on_answer, only_open)
    select ${id}, ${ana.userId}, 'n', app_now() + interval '1 day', app_now() + interval '1 day', true, false
      from generate_series(1, 50)`
  const { status, body } = await ana.request<{ code: string }>(
    'POST',
    `/api/conversations/${id}/scheduled-messages`,
    { ...plain, sendAt: inHours(1) },
  )
  expect([status, body.code]).toEqual([409, 'scheduled.too_many'])
})

test('a message that arrives of before it was scheduled answers nothing', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  const one = await scheduled(ana, conversation.id)
  await t.sql`update scheduled_messages set created_at = app_now() + interval '1 minute' where id = ${one.id}`
  t.simulator.control.sendText(phoneId, 'de antes')
  await t.settled()
  expect(await stateOf(one.id)).toMatchObject({ state: 'pending' })
})

test('merged contacts keep their scheduled messages, and undoing gives each its own', async () => {
  const [one, two] = [await taken(ana), await taken(ana)]
  const kept = await scheduled(ana, one)
  const moved = await scheduled(ana, two)
  const contactOfTalk = async (id: number) =>
    (await t.sql<{ id: number }>`select contact_id as id from conversations where id = ${id}`)[0]?.id
  const [keptId, mergedId] = [await contactOfTalk(one), await contactOfTalk(two)]
  const conversationOf = async (id: number) =>
    (await t.sql<{ id: number }>`select conversation_id as id from scheduled_messages where id = ${id}`)[0]
      ?.id
  const merged = await chefe.request<{ id: number }>('POST', `/api/contacts/${keptId}/merge`, {
    otherId: mergedId,
  })
  expect(merged.status).toBeLessThan(300)
  expect([await conversationOf(kept.id), await conversationOf(moved.id)]).toEqual([one, one])
  const [merge] = await t.sql<{ id: number }>`select max(id) as id from contact_merges`
  expect((await chefe.request('POST', `/api/contacts/merges/${merge?.id}/undo`)).status).toBeLessThan(300)
  expect([await conversationOf(kept.id), await conversationOf(moved.id)]).toEqual([one, two])
})

test('a client who is anonymized gets nothing any more, and the text is gone', async () => {
  const id = await taken(ana)
  const one = await scheduled(ana, id)
  const [contact] = await t.sql<{ id: number }>`select contact_id as id from conversations where id = ${id}`
  const path = `/api/contacts/${contact?.id}/anonymize`
  const [{ name } = { name: '' }] = await t.sql<{
    name: string
  }>`select name from contacts where id = ${contact?.id}`
  const answer = await chefe.request('POST', path, { name, confirm: name })
  expect(answer.status).toBeLessThan(300)
  await eventually(() => stateOf(one.id), { state: 'cancelled', reason: 'contact_erased' })
  expect(await t.sql`select content from scheduled_messages where id = ${one.id}`).toEqual([{ content: '' }])
  await passTime(one.id)
  expect(await stateOf(one.id)).toMatchObject({ state: 'cancelled', message: null })
})

test('a cleanup leaves the conversation for whose client something is still to be sent', async () => {
  const id = await taken(ana)
  await scheduled(ana, id)
  await t.sql`update conversations set status = 'completed', completed_at = app_now() - interval '1 year'
               where id = ${id}`
  const other = await taken(ana)
  await t.sql`update conversations set status = 'completed', completed_at = app_now() - interval '1 year'
               where id = ${other}`
  await inTransaction(t.database, (db) =>
    deleteCompleted(db, { until: new Date(Date.now() - 86_400_000) }, 100),
  )
  expect(await t.sql`select id from conversations where id in (${id}, ${other})`).toEqual([{ id }])
})

test('what has ended three months ago is deleted, and what waits is not', async () => {
  const id = await taken(ana)
  const [waits, old, recent] = [await scheduled(ana, id), await scheduled(ana, id), await scheduled(ana, id)]
  for (const one of [old, recent]) await ana.request('POST', `/api/scheduled-messages/${one.id}/cancel`)
  await t.sql`update scheduled_messages set ended_at = app_now() - interval '91 days' where id = ${old.id}`
  await trimScheduled(t.database)
  expect(await t.sql`select id from scheduled_messages where conversation_id = ${id} order by id`).toEqual([
    { id: waits.id },
    { id: recent.id },
  ])
})

test('two instances send each message that is due once, whoever answers in that moment', async () => {
  const other = t.openAgain()
  const talks = await Promise.all(Array.from({ length: 12 }, () => newTalk(t, ana)))
  const made = await Promise.all(talks.map(({ conversation }) => scheduled(ana, conversation.id)))
  const ids = made.map(({ id }) => id)
  await t.sql`update scheduled_messages set send_at = app_now() where id = any(${`{${ids.join()}}`}::int[])`
  const answers = talks.map(async ({ phoneId }, n) => {
    if (n % 2 === 0) t.simulator.control.sendText(phoneId, 'agora mesmo')
  })
  await Promise.all([sendAllDue(t.database), sendAllDue(other), sendAllDue(t.database), ...answers])
  await t.settled()
  const found = await t.sql<{ id: number; state: string; sent: number; reason: string | null }>`
    select s.id, s.state, s.reason, (select count(*)::int from messages m
             where m.client_message_id = 'scheduled-' || s.id) as sent
      from scheduled_messages s where s.id = any(${`{${ids.join()}}`}::int[]) order by s.id`
  for (const { state, sent, reason } of found)
    expect([state, sent, reason]).toEqual(state === 'sent' ? ['sent', 1, null] : ['cancelled', 0, 'answered'])
  const { received } = t.simulator.control.oracle()
  for (const [n, { phoneId }] of talks.entries()) {
    const got = received.filter((one) => one.phone === phoneId && one.text === plain.content).length
    expect(got).toBe(found.find(({ id }) => id === ids[n])?.sent)
  }
})
