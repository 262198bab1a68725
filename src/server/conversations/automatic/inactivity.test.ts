import { expect, test } from 'vitest'
import { defaultSettings } from '#server/settings/default-texts.ts'
import { judgeInactivity } from './inactivity.ts'

const now = new Date('2027-03-09T13:00:00Z')
const minute = 60_000
const silent = (ms: number, more: Partial<Parameters<typeof judgeInactivity>[0]> = {}) => ({
  status: 'active' as const,
  subStatus: 'OPERADOR' as const,
  waitingFor: 'client' as const,
  disableAutoClose: false,
  lastActivityAt: new Date(now.getTime() - ms),
  autoCloseFrom: null,
  inactivityWarnedAt: null,
  snoozedUntil: null,
  returnedAt: null,
  ...more,
})

test.each([
  [30 * minute - 1, 'leave'],
  [30 * minute, 'close'],
  [30 * minute + 1, 'close'],
])('after %i ms without a message the verdict is %s', (ms, verdict) => {
  expect(judgeInactivity(silent(ms), defaultSettings, now)).toBe(verdict)
})

test.each([
  [25 * minute - 1, null, 'leave'],
  [25 * minute, null, 'warn'],
  [25 * minute, now, 'leave'],
  // Somebody has written since: it is another inactivity.
  [25 * minute, new Date(now.getTime() - 26 * minute), 'warn'],
  [30 * minute, now, 'close'],
])(
  'half an hour of inactivity with a warning five minutes before, after %i ms, warned %s: %s',
  (ms, inactivityWarnedAt, verdict) => {
    const settings = { ...defaultSettings, inactivityWarningMinutes: 5 }
    expect(judgeInactivity(silent(ms, { inactivityWarnedAt }), settings, now)).toBe(verdict)
  },
)

test('half an hour of inactivity closes nobody in the queue, and whom the phone answered', () => {
  const all = { ...defaultSettings, inactivityAppliesTo: 'all' as const }
  for (const settings of [defaultSettings, all]) {
    const queued = silent(60 * minute, { subStatus: 'FILA', waitingFor: 'operator' })
    expect(judgeInactivity(queued, settings, now)).toBe('leave')
    expect(judgeInactivity({ ...queued, waitingFor: 'client' }, settings, now)).toBe('close')
  }
})

test('inactivity closes nothing where that is switched off, nor while a client waits for an operator', () => {
  for (const more of [{ disableAutoClose: true }, { waitingFor: 'operator' as const }])
    expect(judgeInactivity(silent(60 * minute, more), defaultSettings, now)).toBe('leave')
})

test('half an hour of inactivity is of the hours in which somebody answers, with the setting', () => {
  const settings = { ...defaultSettings, inactivityCountsOpenHoursOnly: true }
  const last = { lastActivityAt: new Date('2027-03-09T17:50:00-03:00') }
  const verdictAt = (at: string) => judgeInactivity(silent(0, last), settings, new Date(at))
  expect(verdictAt('2027-03-10T09:19:00-03:00')).toBe('leave')
  expect(verdictAt('2027-03-10T09:20:00-03:00')).toBe('close')
})

test.each([
  ['the conversation', 29 * minute, null, 'leave'],
  ['the conversation', 30 * minute, null, 'close'],
  ['its number', null, 29 * minute, 'leave'],
  ['its number', null, 30 * minute, 'close'],
  ['both', 60 * minute, 29 * minute, 'leave'],
])('inactivity that began to count for %s %s or %s ms ago is judged as %s', (_of, own, number, verdict) => {
  const ago = (ms: number | null) => (ms === null ? null : new Date(now.getTime() - ms))
  const conversation = silent(45 * minute, { autoCloseFrom: ago(own) })
  expect(judgeInactivity(conversation, defaultSettings, now, ago(number))).toBe(verdict)
})

test('a clock that was set back closes nothing', () => {
  expect(judgeInactivity(silent(-5 * minute), defaultSettings, now)).toBe('leave')
})
