import { describe, expect, test } from 'vitest'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { timeline } from './timeline.ts'
import { readingStop, withReadingStop } from './unread-divider.tsx'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 12, minute)).toISOString()
const dayOf = (instant: string) => instant.slice(0, 10)
const message = (id: number, minute = id, senderType: 'contact' | 'user' = 'contact') =>
  messageRow({ id, sortAt: at(minute), senderType })
/** The ids of the messages, with the position of the divider. */
const shown = (messages: ReturnType<typeof message>[], lastMessageId: number, unread: number) =>
  withReadingStop(timeline(messages, [], dayOf), { lastMessageId, unread }).map((item) =>
    item.kind === 'message' ? item.message.id : item.kind === 'unread' ? `${item.count} unread` : item.kind,
  )

describe('the line where reading had stopped', () => {
  test('the unread line stands before the first message of the contact that was not read', () => {
    expect(shown([message(1), message(2, 2, 'user'), message(3), message(4)], 1, 2)).toEqual([
      'day',
      1,
      2,
      '2 unread',
      3,
      4,
    ])
  })

  test('the unread line stands below the day of it', () => {
    const tomorrow = messageRow({ id: 2, sortAt: '2026-11-23T12:00:00.000Z', senderType: 'contact' })
    expect(shown([message(1), tomorrow], 1, 1)).toEqual(['day', 1, 'day', '1 unread', 2])
    expect(shown([message(1)], 0, 1)).toEqual(['day', '1 unread', 1])
  })

  test('the unread line stands before what came late, at its place', () => {
    expect(shown([message(1), message(9, 2), message(3)], 3, 1)).toEqual(['day', 1, '1 unread', 9, 3])
  })

  test('the unread line is not shown when everything is read', () => {
    expect(shown([message(1), message(2)], 2, 0)).toEqual(['day', 1, 2])
    expect(shown([message(5), message(6)], 3, 4)).toEqual(['day', 5, 6])
  })

  test('the unread line parts a group of messages', () => {
    const messages = [0, 10, 20].map((seconds, index) =>
      messageRow({ id: index + 1, sortAt: new Date(Date.UTC(2026, 10, 22, 12, 0, seconds)).toISOString() }),
    )
    const items = withReadingStop(timeline(messages, [], dayOf), { lastMessageId: 1, unread: 2 })
    const groups = items.flatMap((item) =>
      item.kind === 'message' ? [[item.startsGroup, item.endsGroup]] : [],
    )
    expect(groups).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ])
  })

  test('the unread line is where a person was, and at the beginning for who never was there', () => {
    const read = { conversationId: 1, lastMessageId: 8, contactMessageCount: 2, updatedAt: at(1) }
    expect(readingStop({ contactMessageCount: 5 }, read)).toEqual({ lastMessageId: 8, unread: 3 })
    expect(readingStop({ contactMessageCount: 5 }, undefined)).toEqual({ lastMessageId: 0, unread: 5 })
  })
})
