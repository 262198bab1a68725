import { expect, test } from 'vitest'
import type { LiveEventOf } from '#shared/live-events.ts'
import type { Message } from '#shared/messages/messages.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'
import { failureNotice, type AnnouncedFailures } from './failed-sends.ts'

const createdAt = '2026-11-19T12:00:00.000Z'
const nowMs = Date.parse(createdAt) + 60_000

function pushed(given: Partial<Message> = {}, assignedUserId: number | null = 7): LiveEventOf<'new_message'> {
  const message = messageRow({
    senderType: 'user',
    senderId: 7,
    deliveryStatus: 'failed',
    createdAt,
    ...given,
  })
  return {
    type: 'new_message',
    data: { conversationId: 1, conversation: conversationRow({ id: 1, assignedUserId }), message },
  } as LiveEventOf<'new_message'>
}
const opened: number[] = []
const noticeTo = (
  event: LiveEventOf<'new_message'>,
  {
    userId = 7,
    viewedId,
    announced = new Set(),
    now = nowMs,
  }: Partial<{
    userId: number
    viewedId: number
    announced: AnnouncedFailures
    now: number
  }> = {},
) => failureNotice(event, announced, { userId, nowMs: now, viewedId, open: (id) => opened.push(id) })

test('whoever wrote a reply that did not go out is notified, and whoever has the conversation', () => {
  const notice = noticeTo(pushed({ failureReason: 'Número não existe' }))
  expect(notice).toMatchObject({
    title: 'Mensagem não enviada a Contato 1',
    description: 'Número não existe',
  })
  notice?.action?.onClick()
  expect(opened).toEqual([1])
  expect(noticeTo(pushed({ senderId: 8 }))?.title).toBe('Mensagem não enviada a Contato 1')
  expect(noticeTo(pushed({ senderId: 7 }, 9))?.title).toBe('Mensagem não enviada a Contato 1')
  expect(noticeTo(pushed({ senderId: 8 }, 9))).toBeUndefined()
})

test('a failed reply is announced once, and once more when another attempt fails', () => {
  const announced: AnnouncedFailures = new Set()
  expect(noticeTo(pushed(), { announced })).toBeDefined()
  expect(noticeTo(pushed(), { announced })).toBeUndefined()
  expect(noticeTo(pushed({ deliveryStatus: 'pending' }), { announced })).toBeUndefined()
  expect(noticeTo(pushed(), { announced })).toBeDefined()
})

test('nothing is announced of a failed reply that is in front of the person, old or deleted', () => {
  expect(noticeTo(pushed(), { viewedId: 1 })).toBeUndefined()
  expect(noticeTo(pushed(), { viewedId: 2 })).toBeDefined()
  expect(noticeTo(pushed(), { now: nowMs + 3_600_000 })).toBeUndefined()
  expect(noticeTo(pushed({ deletedAt: createdAt }))).toBeUndefined()
})
