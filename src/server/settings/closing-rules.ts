import { isDeepStrictEqual } from 'node:util'
import type { SystemSettings } from '#shared/settings/settings.ts'

const rules = [
  'inactivityAppliesTo',
  'inactivityCountsOpenHoursOnly',
  'inactivityWarningMinutes',
] as const satisfies readonly (keyof SystemSettings)[]
const hours = [
  'workingHours',
  'lunchBreak',
  'scheduleExceptions',
  'timezone',
] as const satisfies readonly (keyof SystemSettings)[]

/** Whether with the new settings inactivity is counted otherwise. Hours matter where only they count. */
export function changesClosing(before: SystemSettings, after: SystemSettings): boolean {
  const countsHours = before.inactivityCountsOpenHoursOnly || after.inactivityCountsOpenHoursOnly
  const names = countsHours ? [...rules, ...hours] : rules
  return names.some((name) => !isDeepStrictEqual(before[name], after[name]))
}
