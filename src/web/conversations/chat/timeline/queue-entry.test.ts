import { expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { withQueueEntry } from './queue-entry.ts'
import { newestKey } from './timeline.ts'
import type { TimelineItem } from './timeline.ts'

const startedAt = '2026-11-20T12:00:00.000Z'
const queued = { kind: 'queued', key: 'queued', at: startedAt }
const at = (seconds: number, senderType: 'contact' | 'user' = 'contact'): TimelineItem => ({
  kind: 'message',
  key: `${seconds}`,
  message: {
    senderType,
    sortAt: new Date(Date.parse(startedAt) + seconds * 1000).toISOString(),
  } as Message,
  pending: null,
  startsGroup: true,
  endsGroup: true,
})
const linesOf = (items: readonly TimelineItem[]) =>
  items.map(({ kind, key }) => (kind === 'message' ? key : kind))
const contact = { initiatedBy: 'contact', startedAt } as const

test.each([
  ['behind the message that opened it', [at(0.4), at(5, 'user')], ['0.4', 'queued', '5']],
  [
    'behind the choice that led there',
    [at(-60), at(-59, 'user'), at(0), at(9)],
    ['-60', '-59', '0', 'queued', '9'],
  ],
  ['before what we said to it', [at(0), at(0.1, 'user')], ['0', 'queued', '0.1']],
  ['nowhere on a page that begins later', [at(60), at(61)], ['60', '61']],
])('the queue is entered %s', (_what, items, expected) => {
  expect(linesOf(withQueueEntry(items, contact))).toEqual(expected)
})

test('who was written to by us has entered no queue', () => {
  const items = [at(0, 'user'), at(0.5)]
  expect(withQueueEntry(items, { initiatedBy: 'operator', startedAt })).toBe(items)
  expect(withQueueEntry([at(0)], contact)).toContainEqual(queued)
})

test('a message within the moment of the queue entry is news, although its line stays the last row', () => {
  const first = withQueueEntry([at(0)], contact)
  const second = withQueueEntry([at(0), at(0.5)], contact)
  expect([first.at(-1)?.key, second.at(-1)?.key]).toEqual(['queued', 'queued'])
  expect([newestKey(first), newestKey(second)]).toEqual(['0', '0.5'])
})
