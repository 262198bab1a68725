import { expect, test } from 'vitest'
import { answerSince } from './answer-since.ts'

const said = (id: number, senderId: number | null, messageType: 'text' | 'event' = 'text') => ({
  id,
  senderType: 'user' as const,
  senderId,
  senderName: senderId === null ? null : `Pessoa ${senderId}`,
  messageType,
})

test('only what a colleague has said since then is an answer', () => {
  expect(answerSince([said(1, 2), said(5, 3)], 4, 1)).toBe('Pessoa 3')
  expect(answerSince([said(1, 2)], 4, 1)).toBeUndefined()
  expect(answerSince([said(5, 1), said(6, null), said(7, 2, 'event')], 4, 1)).toBeUndefined()
  expect(answerSince([said(5, 2)], undefined, 1)).toBeUndefined()
})
