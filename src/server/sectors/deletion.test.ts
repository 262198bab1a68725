import { beforeEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { sendPositions } from '#server/conversations/automatic/queue-turns.ts'
import { given } from '#server/testing/given.ts'
import { forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const list = '/api/conversations'

beforeEach(async () => {
  await t.sql`delete from conversations`
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

test('whoever was told a place in the queue of a deleted sector is told of their place in the next', async () => {
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
             set told_position = coalesce(${position}, told_position), told_at = app_now() - interval '5 minutes'
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
