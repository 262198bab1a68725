import { expect, test } from 'vitest'
import { eventually, forAllTests, testApp, withoutJobs } from '../testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const admin = forAllTests(() => t.signIn('admin', 'adm'))

const allDay = { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] }
// Else nobody is asked anything at noon.
const noLunch = { enabled: false, start: '12:00', end: '13:00' }
const anotherDay = { ...allDay, days: [(new Date().getDay() + 3) % 7] }

test.each([
  ['the question is switched off', '5511960538101', { preAttendanceEnabled: false }],
  ['their hours are over', '5511960538102', { workingHours: anotherDay }],
])('clients who wait for their choice come into the queue once %s', async (_what, number, change) => {
  const save = (body: object) => admin.request('PATCH', '/api/system-settings', body)
  expect((await save({ preAttendanceEnabled: true, workingHours: allDay, lunchBreak: noLunch })).status).toBe(
    200,
  )
  const phone = t.simulator.control.createPhone({ name: number, number })
  t.simulator.control.sendText(phone.id, 'oi')
  const talk = () =>
    t.sql`select v.pre_attendance_stage as stage, v.status from conversations v
            join contacts c on c.id = v.contact_id where c.name = ${number}`
  await eventually(talk, [{ stage: 'waiting_option', status: 'completed' }])
  expect((await save(change)).status).toBe(200)
  expect(await talk()).toEqual([{ stage: 'attended', status: 'waiting' }])
})
