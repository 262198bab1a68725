// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import type { ConversationRead } from '#shared/conversations/reads.ts'
import { badgedAddress } from '#web/platform/browser/favicon.ts'
import { showRead } from '#web/conversations/cache/live-patches.ts'
import { patchReads } from '#web/conversations/cache/merge-fetched.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { countUnread, unreadBy } from './reads.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'

const readRow = (given: Partial<ConversationRead> = {}): ConversationRead => ({
  conversationId: 7,
  lastMessageId: 40,
  contactMessageCount: 3,
  updatedAt: '2026-11-22T12:00:00.000Z',
  ...given,
})
const conversation = conversationRow({ id: 7, contactMessageCount: 5 })
const by = (read: ConversationRead) => new Map([[read.conversationId, read]])

describe('what is unread', () => {
  test('what is unread is what the contact said beyond my reading, and all of it where I never was', () => {
    expect(unreadBy(by(readRow()), [])(conversation)).toBe(2)
    expect(unreadBy(new Map(), [])(conversation)).toBe(5)
  })

  test('what is unread is nothing until it is known, and never less than nothing', () => {
    expect(unreadBy(undefined, [])(conversation)).toBe(0)
    expect(unreadBy(by(readRow({ contactMessageCount: 9 })), [])(conversation)).toBe(0)
  })

  test('what is unread is at once what a reading on its way will make of it', () => {
    const reading = { conversationId: 7, lastMessageId: 50, contactMessageCount: 5 }
    expect(unreadBy(by(readRow()), [reading])(conversation)).toBe(0)
    // More messages arrived meanwhile.
    expect(unreadBy(by(readRow()), [reading])({ id: 7, contactMessageCount: 6 })).toBe(1)
    expect(unreadBy(by(readRow()), [{ ...reading, conversationId: 8 }])(conversation)).toBe(2)
  })

  test('what is unread is not made less by marking it as unread', () => {
    const marking = { conversationId: 7, lastMessageId: null, contactMessageCount: 4 }
    expect(unreadBy(by(readRow({ contactMessageCount: 5 })), [marking])(conversation)).toBe(1)
    expect(unreadBy(by(readRow()), [marking])(conversation)).toBe(2)
    expect(unreadBy(new Map(), [marking])(conversation)).toBe(5)
  })

  test('what is unread is counted by conversations', () => {
    const rows = [
      conversation,
      conversationRow({ id: 8, contactMessageCount: 1 }),
      conversationRow({ id: 9 }),
    ]
    expect(countUnread(rows, unreadBy(by(readRow({ contactMessageCount: 5 })), []))).toBe(1)
  })
})

describe('of two tellings of one reading', () => {
  const later = readRow({ lastMessageId: 20, contactMessageCount: 1, updatedAt: '2026-11-22T12:00:00.001Z' })

  test('the later of two reports of a reading is kept', () => {
    expect(patchReads([readRow()], later)).toEqual([later])
    const known = [later]
    expect(patchReads(known, readRow())).toBe(known)
    expect(patchReads(known, readRow({ conversationId: 3 })).map((read) => read.conversationId)).toEqual([
      3, 7,
    ])
  })

  test('a reading pushed during a fetch is kept', async () => {
    const client = new QueryClient()
    let land = (_reads: ConversationRead[]) => {}
    const fetched = new Promise<ConversationRead[]>((resolve) => (land = resolve))
    const realFetch = globalThis.fetch
    globalThis.fetch = async () => Response.json(await fetched)
    const landed = client.fetchQuery(conversationQueries.reads())
    showRead({ type: 'conversation_read', data: { conversationId: 7, read: later } }, client)
    land([readRow(), readRow({ conversationId: 8 })])
    expect(await landed).toEqual([later, readRow({ conversationId: 8 })])
    globalThis.fetch = realFetch
  })
})

test('the icon of unread messages counts up to nine', () => {
  expect(decodeURIComponent(badgedAddress(3))).toContain('>3</text>')
  expect(decodeURIComponent(badgedAddress(10))).toContain('>9+</text>')
})
