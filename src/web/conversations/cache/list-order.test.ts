import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isQueued } from '#shared/conversations/list/list-view.ts'
import { isInView, listOrder, orderOf, ranked } from './list-order.ts'
import { conversationRow } from './test-rows.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 19, 12, minute)).toISOString()
const taken = { status: 'active', subStatus: 'OPERADOR', assignedUserId: 2 } as const

test('the queue comes first, oldest first; the rest newest start first', () => {
  const rows = [
    conversationRow({ id: 1, startedAt: at(1), ...taken }),
    conversationRow({ id: 2, startedAt: at(2) }),
    conversationRow({ id: 3, startedAt: at(3), ...taken }),
    conversationRow({ id: 4, startedAt: at(0) }),
  ]
  expect(rows.sort(listOrder).map((row) => row.id)).toEqual([4, 2, 3, 1])
})

test.each([
  ['waiting in the FILA', {}, true],
  ['active in the FILA', { status: 'active' }, true],
  ['with an operator', { subStatus: 'OPERADOR' }, false],
  ['waiting for the client', { waitingFor: 'client' }, false],
  ['begun by an operator and given back', { initiatedBy: 'operator' }, true],
  ['completed', { status: 'completed' }, false],
] as const)('a conversation is in the queue or not: %s', (_name, given, queued) => {
  expect(isQueued(conversationRow(given))).toBe(queued)
})

test('the order does not depend on the order of arrival', () => {
  const row = fc.record({ minute: fc.nat(3), queued: fc.boolean() })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.nat(), (given, seed) => {
      const rows = given.map(({ minute, queued }, id) =>
        conversationRow({ id: id + 1, startedAt: at(minute), ...(queued ? {} : taken) }),
      )
      const turned = rows.map((_, index) => rows[(index + seed) % rows.length]!)
      expect(turned.sort(listOrder)).toEqual(rows.toSorted(listOrder))
    }),
  )
})

test.each([
  ['waiting', [3, 1, 2, 4]],
  ['activity', [2, 1, 3, 4]],
] as const)(
  'the list by %s begins with whoever waits longest, or the last message, whether queued or not',
  (order, wanted) => {
    const rows = [
      conversationRow({ id: 1, waitingSince: at(5), lastActivityAt: at(8) }),
      conversationRow({ id: 2, waitingSince: null, lastActivityAt: at(9), ...taken }),
      conversationRow({ id: 3, waitingSince: at(2), lastActivityAt: at(7), ...taken }),
      conversationRow({ id: 4, waitingSince: null, lastActivityAt: at(1), ...taken }),
    ]
    const sorted = (given: Conversation[]) => given.toSorted(orderOf({ order })).map(({ id }) => id)
    expect(sorted(rows)).toEqual(wanted)
    expect(sorted(rows.toReversed())).toEqual(sorted(rows))
  },
)

test('what has returned from hold comes first in the list of its operator alone', () => {
  const rows = [
    conversationRow({ id: 1, lastActivityAt: at(8) }),
    conversationRow({ id: 2, lastActivityAt: at(5), returnedAt: at(9), ...taken }),
    conversationRow({ id: 3, lastActivityAt: at(6), returnedAt: at(9), ...taken, assignedUserId: 3 }),
  ]
  const idsFor = (userId: number) => rows.toSorted(orderOf({ order: 'activity', userId })).map(({ id }) => id)
  expect([2, 3, 4].map(idsFor)).toEqual([
    [2, 1, 3],
    [3, 1, 2],
    [1, 3, 2],
  ])
})

test('several numbers have one queue or their own, and the list of one has none of the others', () => {
  const rows = [
    conversationRow({ id: 1, startedAt: at(1), instanceId: 1 }),
    conversationRow({ id: 2, startedAt: at(2), instanceId: 2 }),
    conversationRow({ id: 3, startedAt: at(3), instanceId: 1 }),
    conversationRow({ id: 4, startedAt: at(4), instanceId: 2, ...taken }),
  ]
  const placesOf = (list: Conversation[]) => ranked(list).map(({ queuePosition }) => queuePosition)
  expect(placesOf(rows)).toEqual([1, 2, 3, 0])
  expect(placesOf(rows.map((row) => ({ ...row, queueId: row.instanceId })))).toEqual([1, 1, 2, 0])
  const idsIn = (view: Parameters<typeof isInView>[1]) =>
    rows.filter((row) => isInView(row, view)).map(({ id }) => id)
  expect(idsIn({ instanceId: 2 })).toEqual([2, 4])
  expect(idsIn({ instanceId: 2, tab: 'queue' })).toEqual([2])
  expect(idsIn({})).toEqual([1, 2, 3, 4])
})
