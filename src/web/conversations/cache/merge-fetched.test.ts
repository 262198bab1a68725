import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { Draft } from '#shared/conversations/drafts.ts'
import {
  insertMessage,
  keepNewer,
  mergeMessages,
  mergeOne,
  mergeOpen,
  mergePage,
  messageOrder,
  messagePageSize,
  patchDrafts,
  requote,
} from './merge-fetched.ts'
import { conversationPage, conversationRow, messageRow, quotedRow } from './test-rows.ts'
import type { PushedSince } from './pushed-since.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 19, 12, 0, seconds)).toISOString()
const row = (id: number, version = 1, given = {}) =>
  conversationRow({ id, version, startedAt: at(id), ...given })
const done = { status: 'completed' } as const
const pushed = (rows: PushedSince['rows'], ...cards: Conversation['contact'][]): PushedSince => ({
  rows,
  cards: new Map(cards.map((card) => [card.id, card])),
})
const ids = (rows: readonly { id: number }[]) => rows.map((each) => each.id)
const page = (...given: Message[][]) => ({ pages: given, pageParams: given.map(() => null) })

test.each([
  [undefined, 3, 3],
  [2, 3, 3],
  [3, 3, 3],
  [4, 3, 4],
])('a row of version %s and then %s is kept in version %s', (old, next, kept) => {
  const before = old === undefined ? undefined : row(1, old)
  expect(keepNewer(before, row(1, next)).version).toBe(kept)
})

test('on a tie the later report is kept: a queue position moves without a new version', () => {
  expect(keepNewer(row(1, 2, { queuePosition: 2 }), row(1, 2, { queuePosition: 1 })).queuePosition).toBe(1)
})

test('a page changes and loses rows, and never takes one in', () => {
  const landed = mergePage(
    conversationPage([row(1), row(2), row(3)]),
    pushed([
      { id: 1, row: row(1, 2, { priority: 'high' }) },
      { id: 2, row: row(2, 5, done) },
      { id: 9, row: row(9) },
    ]),
    {},
  )
  expect(ids(landed.conversations)).toEqual([1, 3])
  expect(landed.conversations[0]?.priority).toBe('high')
  expect(landed.pagination.totalItems).toBe(2)
})

test.each([
  ['gone for whoever asked', null, [{ id: 1, row: row(1, 9) }], null],
  ['reported as gone since', row(1, 3), [{ id: 1, row: null }], null],
  ['older than what was reported since', row(1, 3), [{ id: 1, row: row(1, 4) }], 4],
  ['newer than what was reported since', row(1, 5), [{ id: 1, row: row(1, 4) }], 5],
  ['older than its row in the list', row(1, 1), [], 2],
])('a fetched conversation is merged when it is %s', (_, fetched, since, version) => {
  expect(mergeOne(1, fetched, row(1, 2), pushed(since))?.version ?? null).toBe(version)
})

test('a contact pushed since a fetch began replaces the fetched one', () => {
  const old = row(1).contact
  const card = { ...old, name: 'Nome novo' }
  const since = pushed([], card)
  const other = row(2, 1, { contact: { ...old, id: old.id + 1 } })
  expect(mergeOpen([row(1), other], since).map(({ contact }) => contact.name)).toEqual([
    'Nome novo',
    old.name,
  ])
  expect(mergePage(conversationPage([row(1)]), since, {}).conversations[0]?.contact).toEqual(card)
  expect(mergeOne(1, row(1), undefined, since)?.contact).toEqual(card)
})

const never: Message[] = []

test('a message that went to another conversation is shown here no more', () => {
  const old = page([messageRow({ id: 1, sortAt: at(1) }), messageRow({ id: 2, sortAt: at(2) })])
  expect(mergeMessages(old, page([messageRow({ id: 2, sortAt: at(2) })]), never).pages.map(ids)).toEqual([
    [2],
  ])
  expect(mergeMessages(old, page([]), never).pages.map(ids)).toEqual([[]])
})

test('a quote says what the quoted message says now, whichever came last', () => {
  const quoted = quotedRow
  const quoting = messageRow({ id: 2, sortAt: at(2), quoted })
  const old = page([messageRow({ id: 1, version: 2, sortAt: at(1), content: 'depois' }), quoting])
  const late = page([messageRow({ id: 1, version: 1, sortAt: at(1), content: 'antes' }), quoting])
  expect(mergeMessages(old, late, never).pages[0]?.[1]?.quoted?.content).toBe('depois')
  const elsewhere = messageRow({ id: 1, conversationId: 9, content: 'depois' })
  for (const before of [undefined, page([quoting])])
    expect(mergeMessages(before, page([quoting]), [elsewhere]).pages[0]?.[0]?.quoted?.content).toBe('depois')
  expect(requote([[quoting]], [elsewhere])[0]?.[0]?.quoted?.content).toBe('depois')
  const same = [[quoting]]
  expect(requote(same)).toBe(same)
  const own = { ...elsewhere, senderType: 'user', senderId: 8, senderName: 'Carla' } as const
  expect(requote([[quoting]], [own])[0]?.[0]?.quoted).toMatchObject({ senderId: 8, senderName: 'Carla' })
  const { quoted: byPhone } =
    requote([[quoting]], [{ ...own, senderId: null, metadata: { origin: 'phone' } }])[0]?.[0] ?? {}
  expect(byPhone).toMatchObject({ origin: 'phone' })
  expect(byPhone).not.toHaveProperty('senderId')
})

const stretch = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => messageRow({ id: from + index, sortAt: at(from + index) }))

test('when the newest page moves on, what the reader has loaded stays above it without a gap', () => {
  const landed = mergeMessages(page(stretch(1, messagePageSize)), page(stretch(6, messagePageSize)), never)
  expect(landed.pages.flat()).toHaveLength(messagePageSize + 5)
  expect(ids(landed.pages[0] ?? []).slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6])
})

test('after so long an absence that messages between are unknown, the old ones go', () => {
  const landed = mergeMessages(page(stretch(1, messagePageSize)), page(stretch(500, messagePageSize)), never)
  expect(ids(landed.pages.flat())[0]).toBe(500)
})

test('a message lands on the page of its own time', () => {
  const pages = [stretch(10, 3), stretch(1, 3)]
  const late = messageRow({ id: 99, sortAt: at(2) })
  expect(insertMessage(pages, late).map(ids)).toEqual([
    [10, 11, 12],
    [1, 2, 99, 3],
  ])
  expect(insertMessage([], late)).toEqual([[late]])
  expect(insertMessage([[]], late)).toEqual([[late]])
})

test('pushed and fetched in any order, every message is there once, in its newest version, in order', () => {
  const telling = fc.record({ id: fc.integer({ min: 1, max: 15 }), version: fc.integer({ min: 1, max: 5 }) })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), rows: fc.array(telling, { maxLength: 1 }) }),
    fc.record({ kind: fc.constant('fetch' as const), rows: fc.array(telling) }),
  )
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let pages = page([])
      const newest = new Map<number, number>()
      for (const { kind, rows } of steps) {
        const updates = [...new Map(rows.map((each) => [each.id, each])).values()]
          .map(({ id, version }) => messageRow({ id, version, sortAt: at(id % 4) }))
          .sort(messageOrder)
        for (const each of updates) newest.set(each.id, Math.max(newest.get(each.id) ?? 0, each.version))
        pages =
          kind === 'fetch'
            ? { ...page(...mergeMessages(pages, page(updates), pages.pages.flat()).pages) }
            : { ...page(...updates.reduce(insertMessage, pages.pages)) }
      }
      const flat = pages.pages.flat()
      expect(new Map(flat.map((each) => [each.id, each.version]))).toEqual(newest)
      expect(flat).toHaveLength(newest.size)
      expect(flat).toEqual(flat.toSorted(messageOrder))
    }),
  )
})

const draftOf = (conversationId: number, content: string, seconds = 0): Draft => ({
  conversationId,
  content,
  quoted: null,
  updatedAt: at(seconds),
})

test('the later of two drafts of one conversation stays, and what is gone is gone', () => {
  const drafts = [draftOf(1, 'um', 5), draftOf(3, 'três', 5)]
  expect(patchDrafts(drafts, 1, draftOf(1, 'antes', 4))).toBe(drafts)
  expect(patchDrafts(drafts, 2, null)).toBe(drafts)
  const [one, three] = drafts
  expect(patchDrafts(drafts, 2, draftOf(2, 'dois'))).toEqual([one, draftOf(2, 'dois'), three])
  expect(patchDrafts(drafts, 3, draftOf(3, 'depois', 6))).toEqual([one, draftOf(3, 'depois', 6)])
  expect(patchDrafts(drafts, 1, null)).toEqual([three])
})
