import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { addNumber } from '#server/testing/add-number.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { closeSilent } from './inactivity.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

const always = { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] }
const setSettings = (settings: object) => chefe.request('PATCH', '/api/system-settings', settings)
const path = (id: number) => `/api/conversations/${id}`
const statusOf = async (id: number) => (await chefe.get<Conversation>(path(id))).status

/** A conversation in which the client has not answered for a while. */
async function silent(minutes: number): Promise<number> {
  const { conversation } = await newTalk(t, chefe)
  await chefe.request('POST', `${path(conversation.id)}/messages`, { content: 'pois não?' })
  await t.settled()
  await pass(minutes, conversation.id)
  return conversation.id
}

/** All that is stored of the clock moves back, of one conversation or of everything. */
async function pass(minutes: number, id?: number): Promise<void> {
  await t.sql`update conversations set last_activity_at = last_activity_at - ${minutes} * interval '1 minute',
                     auto_close_from = auto_close_from - ${minutes} * interval '1 minute',
                     inactivity_warned_at = inactivity_warned_at - ${minutes} * interval '1 minute'
               where id = coalesce(${id ?? null}::int, id)`
  if (id === undefined)
    await t.sql`update evolution_api_config
                   set inactivity_from = inactivity_from - ${minutes} * interval '1 minute'`
}

/** The clock closes what is due. */
async function look(): Promise<void> {
  // Nothing is closed while a number is behind, or for a while after that, as it may be on a slow machine.
  await t.sql`update evolution_api_config set troubled_at = null, status = 'open', breaker_until = null`
  await closeSilent(t.database, false)
}

/** Not closed at once, nor after 29 minutes, but after 30. */
async function expectClosesAnew(id: number): Promise<void> {
  await look()
  expect(await statusOf(id)).toBe('active')
  await pass(29)
  await look()
  expect(await statusOf(id)).toBe('active')
  await pass(1)
  await look()
  expect(await statusOf(id)).toBe('completed')
}

test('an automatic close that is switched on again counts from that moment', async () => {
  const id = await silent(0)
  const toggle = (disableAutoClose: boolean) =>
    chefe.request('PATCH', `${path(id)}/toggle-auto-close`, { disableAutoClose })
  await toggle(true)
  await pass(45, id)
  await toggle(false)
  // Said once more, it is no news.
  await pass(10, id)
  await toggle(false)
  await pass(-10, id)
  await expectClosesAnew(id)
})

test.each([
  ['it applies to all, no longer to clients alone', {}, { inactivityAppliesTo: 'all' }],
  ['every hour counts', { inactivityCountsOpenHoursOnly: true }, { inactivityCountsOpenHoursOnly: false }],
  ['the client is to be warned earlier', {}, { inactivityWarningMinutes: 20 }],
  [
    'the hours that count have changed',
    { inactivityCountsOpenHoursOnly: true, workingHours: { ...always, end: '00:01' } },
    { workingHours: always },
  ],
])('once %s, the clock of the automatic close begins anew', async (_what, before, after) => {
  const usual = {
    inactivityAppliesTo: 'client',
    inactivityCountsOpenHoursOnly: false,
    inactivityWarningMinutes: 0,
    workingHours: always,
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  }
  await setSettings({ ...usual, ...before })
  await pass(60)
  const id = await silent(45)
  expect((await setSettings(after)).status).toBe(200)
  await expectClosesAnew(id)
  await setSettings(usual)
})

test("a number's own hours that change begin the clock of its conversations anew, of no others", async () => {
  await addNumber(t, 'loja2')
  await setSettings({ inactivityCountsOpenHoursOnly: true, workingHours: { ...always, end: '00:01' } })
  await t.sql`update evolution_api_config set inactivity_from = null`
  const id = await silent(45)
  const own = { workingHours: always }
  const answer = await chefe.request('PATCH', `/api/evolution-config/${t.instanceId}/settings`, own)
  expect(answer.status).toBe(200)
  expect(
    await t.sql`select instance_name from evolution_api_config where inactivity_from is not null`,
  ).toEqual([{ instance_name: 'loja1' }])
  await expectClosesAnew(id)
  await setSettings({ inactivityCountsOpenHoursOnly: false, workingHours: always })
})

test('a number that was switched off and is on again closes nobody for the time in between', async () => {
  const id = await silent(45)
  const save = (isActive: boolean) =>
    chefe.request('PUT', `/api/evolution-config/${t.instanceId}`, {
      instanceName: 'loja1',
      baseUrl: t.simulator.url,
      apiKey: t.simulator.apiKey,
      webhookUrl: `${t.app.url}/api/webhook/evolution`,
      isActive,
    })
  expect((await save(false)).status).toBe(200)
  await look()
  expect(await statusOf(id)).toBe('active')
  expect((await save(true)).status).toBe(200)
  await expectClosesAnew(id)
})

test('who takes a client from the queue has thirty minutes, whatever the wait before', async () => {
  await setSettings({ inactivityAppliesTo: 'all' })
  await pass(60)
  const { conversation } = await newTalk(t, chefe)
  await pass(45, conversation.id)
  await look()
  expect(await statusOf(conversation.id)).toBe('waiting')
  await chefe.request('PATCH', `${path(conversation.id)}/assign-operator`, { operatorId: chefe.userId })
  await expectClosesAnew(conversation.id)
  await setSettings({ inactivityAppliesTo: 'client' })
})

test('a reply that failed and is sent after an hour leaves the client thirty minutes to answer', async () => {
  await pass(60)
  const { conversation } = await newTalk(t, chefe)
  // What was said to others before must not get the answer.
  await t.settled()
  t.simulator.control.nextSendAnswers([{ status: 413, delivered: false }])
  await chefe.request('POST', `${path(conversation.id)}/messages`, { content: 'pois não?' })
  const messages = () => chefe.get<Message[]>(`${path(conversation.id)}/messages`)
  const [failed] = await eventually(
    async () => (await messages()).filter(({ deliveryStatus }) => deliveryStatus === 'failed'),
    { length: 1 },
  )
  await pass(60, conversation.id)
  const retried = await chefe.request('POST', `${path(conversation.id)}/messages/${failed?.id}/retry`)
  expect(retried.status).toBeLessThan(300)
  await t.settled()
  await expectClosesAnew(conversation.id)
})
