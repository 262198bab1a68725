import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { examineClock } from './machine.ts'

const t = forAllTests(testDatabase)

/** What is found with gateways whose clocks are so many milliseconds ahead of ours. */
const foundWith = (...aheadMs: number[]) =>
  examineClock(t.database, readConfig({ DATA_DIR: '/tmp' }, false), aheadMs)

test.each([
  [[11_000], 'clock_wrong'],
  [[-11_000], 'clock_wrong'],
  [[200, -45_000, 900], 'clock_wrong'],
  [[10_000], 'clock_right'],
  [[-10_000, 3000], 'clock_right'],
  [[], 'clock_alone'],
] as const)('clocks of gateways that are %j ms ahead are found to be %s', async (aheadMs, cause) => {
  expect((await foundWith(...aheadMs)).cause).toBe(cause)
})
