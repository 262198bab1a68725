import { expect, test } from 'vitest'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { undeliveredFor } from './undelivered-for.ts'

const sentAt = '2026-11-19T17:00:00Z'
const after = (minutes: number) => Date.parse(sentAt) + minutes * 60_000

test.each([
  [0, undefined],
  [9.9, undefined],
  [10, '10 min'],
  [59, '59 min'],
  [60, '1 h'],
  [23 * 60, '23 h'],
  [24 * 60, undefined],
])('%d minutes without an acknowledgement are shown as %s', (minutes, reported) => {
  expect(undeliveredFor(messageRow({ sentAt, senderType: 'user' }), after(minutes))).toBe(reported)
})

test('nobody waits for an acknowledgement of what was sent elsewhere', () => {
  const metadata = { origin: 'phone' as const }
  expect(undeliveredFor(messageRow({ sentAt, metadata }), after(30))).toBeUndefined()
})
