import { expect, test } from 'vitest'
import { answerSince } from './answer-since.ts'

const sent = (id: number, senderId: number | null, messageType: 'text' | 'event' = 'text') => ({
  id,
  senderType: 'user' as const,
  senderId,
  senderName: senderId === null ? null : `Pessoa ${senderId}`,
  messageType,
})

test('only a colleague’s message since then counts as an answer', () => {
  expect(answerSince([sent(1, 2), sent(5, 3)], 4, 1)).toBe('Pessoa 3')
  expect(answerSince([sent(1, 2)], 4, 1)).toBeUndefined()
  expect(answerSince([sent(5, 1), sent(6, null), sent(7, 2, 'event')], 4, 1)).toBeUndefined()
  expect(answerSince([sent(5, 2)], undefined, 1)).toBeUndefined()
})
