import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Stats } from '#shared/conversations/stats.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { given } from '#server/testing/given.ts'
import { eventually, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin'))

const completedToday = async () => (await admin.get<Stats>('/api/stats')).completedToday

test('a conversation that ends counts as completed today, whoever had it, if anybody', async () => {
  const before = (await completedToday()) ?? 0
  const [unassigned, taken] = [await given.conversation(t, admin), await given.conversation(t, admin)]
  expect(await completedToday()).toBe(before)
  const path = ({ id }: Conversation) => `/api/conversations/${id}`
  expect((await admin.get<Conversation>(path(unassigned))).assignedUserId).toBeNull()
  await admin.request('POST', `${path(unassigned)}/finalize`, {})
  expect(await completedToday()).toBe(before + 1)
  await admin.request('PATCH', `${path(taken)}/assign-operator`, { operatorId: admin.userId })
  await admin.request('POST', `${path(taken)}/finalize`, {})
  expect(await completedToday()).toBe(before + 2)
})

test('a client who leaves before being attended, or has not chosen yet, is not counted', async () => {
  const always = { start: '00:00', end: '23:59', days: [0, 1, 2, 3, 4, 5, 6] }
  await saveSettings(t.database, {
    preAttendanceEnabled: true,
    workingHours: always,
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  })
  const before = await completedToday()
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Caio', number: '5511943000001' })
  const answers = () => control.chat(phone.id).filter(({ from }) => from === 'company').length
  control.sendText(phone.id, 'oi')
  await eventually(answers, 1)
  expect(await completedToday()).toBe(before)
  control.sendText(phone.id, '2')
  await eventually(answers, 2)
  expect(await completedToday()).toBe(before)
})
