import { expect, test } from 'vitest'
import { carryBackup, ended, makeBackup, startRestore } from '#server/testing/past.ts'
import { forAllTests, testApp, type TestApp } from '#server/testing/test-app.ts'

const from = forAllTests(() => testApp({}, { hasJobs: true }))
const to = forAllTests(() => testApp({}, { hasJobs: true }))
const there = forAllTests(() => from.signIn('admin', 'chefe'))
const here = forAllTests(() => to.signIn('admin', 'chefe'))

const periodsIn = (app: TestApp) =>
  app.sql`select u.username, w.state, r.name as reason, w.ended_at is null as "isOpen",
                 extract(epoch from coalesce(w.ended_at, w.seen_at) - w.started_at)::int as seconds
            from work_periods w join users u on u.id = w.user_id
            left join pause_reasons r on r.id = w.reason_id
           where u.username = 'ana' order by w.started_at`

test('working days come into another installation, also without the settings, and only once', async () => {
  const ana = await from.signIn('operator', 'ana')
  const { body } = await there.request<{ ids: number[] }>('POST', '/api/pauses', {
    reasons: [{ name: 'Almoço', icon: 'meal', color: '#ea580c', limitMinutes: 60, countsAsWork: false }],
  })
  await from.sql`
    insert into work_periods (user_id, state, reason_id, paused_at, started_at, ended_at, seen_at)
    values (${ana.userId}, 'available', null, null, '2026-03-02T11:00Z', '2026-03-02T15:00Z',
            '2026-03-02T15:00Z'),
           (${ana.userId}, 'paused', ${body.ids[0]}, '2026-03-02T15:00Z', '2026-03-02T15:00Z',
            '2026-03-02T16:00Z', '2026-03-02T16:00Z'),
           (${ana.userId}, 'available', null, null, '2026-03-02T16:00Z', null, '2026-03-02T18:00Z')`
  await from.sql`
    insert into work_corrections (period_id, state, why, by_user_id)
    select id, 'away', 'saiu antes', ${there.userId} from work_periods where state = 'paused'`
  const made = await makeBackup(there)
  const carried = await carryBackup({ from, to, admin: here }, made, { name: 'Dias' })
  const expected = [
    { username: 'ana', state: 'available', reason: null, isOpen: false, seconds: 14_400 },
    { username: 'ana', state: 'paused', reason: 'Almoço', isOpen: false, seconds: 3600 },
    // What went on ends where the backup was made.
    { username: 'ana', state: 'available', reason: null, isOpen: false, seconds: 7200 },
  ]
  for (const restoreSettings of [false, true, false]) {
    await startRestore(here, carried, { restoreComplete: true, restoreSettings })
    expect((await ended(here, 'restore')).state).toBe('done')
    expect(await periodsIn(to)).toEqual(expected)
    expect(await to.sql`select state, why from work_corrections`).toEqual([
      { state: 'away', why: 'saiu antes' },
    ])
  }
})
