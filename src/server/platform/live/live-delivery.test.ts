import { expect, test } from 'vitest'
import type { EventType } from '#server/schema/platform/live.ts'
import type { EventRow } from '#server/platform/database/events.ts'
import { withoutRepeats } from './live-delivery.ts'

const row = (seq: number, type: EventType, more: Partial<EventRow> = {}): EventRow => ({
  seq: String(seq),
  tx: '1',
  type,
  userId: null,
  conversationId: 1,
  messageId: null,
  data: null,
  ...more,
})
const reported = (rows: EventRow[]) => withoutRepeats(rows).map(({ seq, type }) => `${seq} ${type}`)

test('news of one thing is reported once, in the place of the first and with the number of the last', () => {
  expect(
    reported([
      row(1, 'new_message', { messageId: 5 }),
      row(2, 'new_message', { messageId: 6 }),
      row(3, 'new_message', { messageId: 5 }),
      row(4, 'conversation_updated'),
      row(5, 'new_message', { messageId: 5 }),
    ]),
  ).toEqual(['5 new_message', '2 new_message', '4 conversation_updated'])
})

test('news of another kind, thing or person, or with words of its own, is other news', () => {
  const different = [
    row(1, 'new_message', { messageId: 5 }),
    row(2, 'message_received', { messageId: 5 }),
    row(3, 'new_message', { messageId: 6 }),
    row(4, 'new_message', { messageId: 5, conversationId: 2 }),
    row(5, 'new_message', { messageId: 5, userId: 7 }),
    row(6, 'new_message', { messageId: 5, data: { why: 'a' } }),
    row(7, 'new_message', { messageId: 5, data: { why: 'a' } }),
  ]
  expect(withoutRepeats(different)).toEqual(different)
})
