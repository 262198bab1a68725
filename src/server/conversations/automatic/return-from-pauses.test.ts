import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { returnFromPauses } from '#server/conversations/automatic/return-from-pauses.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

const plain = { icon: 'break', color: '#64748b', limitMinutes: 5, countsAsWork: false }

/** A client waits for the person, who is in a pause, both since some minutes. */
async function waitingFor(who: Client, { pausedAgo, waitsFor }: { pausedAgo: number; waitsFor: number }) {
  const { conversation } = await newTalk(t, who)
  const take = { operatorId: who.userId }
  await who.request('PATCH', `/api/conversations/${conversation.id}/assign-operator`, take)
  await t.sql`update conversations set waiting_since = app_now() - ${waitsFor} * interval '1 minute'
               where id = ${conversation.id}`
  const { body } = await chefe.request<{ ids: number[] }>('POST', '/api/pauses', {
    reasons: [{ ...plain, name: `Pausa ${conversation.id}` }],
  })
  await who.request('PUT', '/api/profile/presence', { state: 'paused', reasonId: body.ids[0] })
  await t.sql`update users set paused_at = app_now() - ${pausedAgo} * interval '1 minute'
               where id = ${who.userId}`
  return conversation.id
}
const holderOf = async (id: number) =>
  (await chefe.get<Conversation>(`/api/conversations/${id}`)).assignedUserId
const returnAfter = (minutes: number) =>
  chefe.request('PATCH', '/api/system-settings', { pauseReturnMinutes: minutes })

test('who waits for somebody in a pause goes back to the queue after some minutes', async () => {
  const long = await waitingFor(ana, { pausedAgo: 20, waitsFor: 30 })
  await returnFromPauses(t.database)
  expect(await holderOf(long)).toBe(ana.userId)
  await returnAfter(15)
  // Their wait counts from the pause at the earliest: until then the person was there.
  const justPaused = await waitingFor(bruno, { pausedAgo: 5, waitsFor: 60 })
  await returnFromPauses(t.database)
  expect([await holderOf(long), await holderOf(justPaused)]).toEqual([null, bruno.userId])
  expect(
    await t.sql`select sender_id as by, metadata -> 'event' as event from messages
                 where conversation_id = ${long} and message_type = 'event' order by id desc limit 1`,
  ).toEqual([{ by: null, event: { act: 'returned', to: 'Ana' } }])
  await returnFromPauses(t.database)
  expect(await holderOf(long)).toBeNull()
})

test('whoever is back has their clients again', async () => {
  await returnAfter(15)
  const id = await waitingFor(ana, { pausedAgo: 20, waitsFor: 30 })
  await ana.request('PUT', '/api/profile/presence', { state: 'available' })
  await returnFromPauses(t.database)
  expect(await holderOf(id)).toBe(ana.userId)
})
