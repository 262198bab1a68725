import { beforeEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { sendPositions } from '#server/conversations/automatic/queue-turns.ts'
import { given } from '#server/testing/given.ts'
import { eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const list = '/api/conversations'

beforeEach(async () => {
  await t.sql`delete from conversations`
  await t.sql`update contacts set sector_id = null`
  await t.sql`delete from sectors`
})

async function sector(name: string, userIds: number[] = []): Promise<number> {
  const people = userIds.map((userId) => ({ userId, isLead: false }))
  const { body } = await chefe.request<{ id: number }>('POST', '/api/sectors', {
    name,
    color: '#2563eb',
    people,
  })
  return body.id
}

/** A conversation in the queue of a sector. */
async function talkOf(sectorId: number): Promise<Conversation> {
  const talk = await given.conversation(t, chefe)
  await chefe.request('PATCH', `${list}/${talk.id}/sector`, { sectorId })
  return talk
}
const read = (id: number) => chefe.get<Conversation>(`${list}/${id}`)
const remove = async (id: number, targetId: number) =>
  (await chefe.request('DELETE', `/api/sectors/${id}?targetId=${targetId}`)).status

test('whoever was told a place in a queue that is deleted is told of their place in the next', async () => {
  const [gone, next] = [await sector('A'), await sector('B', [ana.userId])]
  await chefe.request('PATCH', '/api/system-settings', {
    workingHours: { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] },
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
    queuePositionUpdateMessage: 'Agora {{position}}',
  })
  const first = await talkOf(next)
  await talkOf(next)
  const moved = await talkOf(gone)
  const told = (position: number | null) =>
    t.sql`update queue_pending_conversations
             set told_position = coalesce(${position}, told_position),
                 told_at = app_now() - interval '5 minutes'
           where conversation_id = ${moved.id}`
  await told(1)
  expect(await remove(gone, next)).toBe(204)
  expect((await read(moved.id)).queuePosition).toBe(3)
  await sendPositions(t.database)
  await told(null)
  await ana.request('PATCH', `${list}/${first.id}/assign-operator`, { operatorId: ana.userId })
  await sendPositions(t.database)
  expect(
    await t.sql`select content from messages where conversation_id = ${moved.id}
                   and message_type = 'queue_position'`,
  ).toEqual([{ content: 'Agora 2' }])
})

test('a conversation whose end is undone after its sector was deleted has none', async () => {
  const [gone, next] = [await sector('A', [ana.userId]), await sector('B')]
  const { id } = await talkOf(gone)
  await ana.request('PATCH', `${list}/${id}/assign-operator`, { operatorId: ana.userId })
  await ana.request('POST', `${list}/${id}/finalize`, { isUndoable: true })
  expect(await remove(gone, next)).toBe(204)
  expect((await read(id)).sectorId).toBe(gone)
  expect((await ana.request('POST', `${list}/${id}/undo-finalize`, {})).status).toBe(200)
  expect(await read(id)).toMatchObject({ status: 'active', sectorId: null })
})

test('two clients who are told apart again after their sector was deleted wait without one', async () => {
  const [gone, next] = [await sector('A'), await sector('B')]
  const [kept, joined] = [await talkOf(next), await talkOf(gone)]
  await chefe.request('POST', `/api/contacts/${kept.contactId}/merge`, { otherId: joined.contactId })
  expect(await remove(gone, next)).toBe(204)
  const [merge] = await chefe.get<{ id: number }[]>('/api/contacts/merges')
  await chefe.request('POST', `/api/contacts/merges/${merge?.id}/undo`)
  expect(await read(joined.id)).toMatchObject({ status: 'waiting', sectorId: null })
})

/** Until so many statements of people wait for a lock, beside what still comes of a new conversation. */
const waiting = (count: number) =>
  eventually(
    () => t.sql`select query from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'
                   and query not like '%"startedAt"%'`,
    { length: count },
  )

test('a conversation that is transferred into a sector while that is deleted has none', async () => {
  const [gone, next] = [await sector('A', [ana.userId]), await sector('B')]
  const [held, other] = [await talkOf(gone), await given.conversation(t, chefe)]
  const holder = await t.database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from conversations where id = $1 for update', [held.id])
    const deleted = remove(gone, next)
    await waiting(1)
    const transfer = { newOperatorId: ana.userId }
    const transferred = chefe.request('POST', `${list}/${other.id}/transfer`, transfer)
    await waiting(2)
    await holder.query('rollback')
    expect([await deleted, (await transferred).status]).toEqual([204, 200])
  } finally {
    holder.release()
  }
  expect(await read(other.id)).toMatchObject({ assignedUserId: ana.userId, sectorId: null })
})

test('a sector is deleted while one of its clients writes', async () => {
  const [gone, next] = [await sector('A'), await sector('B')]
  const { id, contactId } = await talkOf(gone)
  await t.sql`update contacts set sector_id = ${gone} where id = ${contactId}`
  const writer = await t.database.pool.connect()
  try {
    // What comes in holds its contact before its conversation.
    await writer.query('begin')
    // Whoever waited for the other would wait until one of the two is given up.
    await writer.query("set local lock_timeout = '500ms'")
    await writer.query('select from contacts where id = $1 for update', [contactId])
    const deleted = remove(gone, next)
    await waiting(1)
    await writer.query('select from conversations where id = $1 for update', [id])
    await writer.query('commit')
    expect(await deleted).toBe(204)
  } finally {
    writer.release()
  }
  expect(await read(id)).toMatchObject({ sectorId: next })
})

test('a sector that does not serve the number of an open conversation is no target for it', async () => {
  const [gone, next] = [await sector('A'), await sector('B')]
  const { id } = await talkOf(gone)
  await t.sql`update sectors set number_ids = '{0}' where id = ${next}`
  const { status, body } = await chefe.request('DELETE', `/api/sectors/${gone}?targetId=${next}`)
  expect([status, body.message]).toEqual([422, 'O setor B não atende este número.'])
  expect((await read(id)).sectorId).toBe(gone)
})
