import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import type { PendingSend } from '#web/conversations/sends/sends.ts'
import { isSameGroup, timeline, withReactions } from './timeline.ts'

const dayOf = (instant: string) => instant.slice(0, 10)
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 19, 12, 0, seconds)).toISOString()

const pending = (clientMessageId: string, given: Partial<PendingSend> = {}): PendingSend => ({
  userId: 2,
  userName: 'Marina',
  conversationId: 1,
  clientMessageId,
  content: 'Oi',
  quoted: null,
  composedAtMs: Date.parse(at(100)),
  error: null,
  ...given,
})
const mine = { senderType: 'user', senderId: 2, senderName: 'Marina' } as const

test('a confirmed message takes the place of the pending one with its clientMessageId', () => {
  const confirmed = [messageRow({ id: 5, clientMessageId: 'aaaaaaaa', ...mine })]
  const items = timeline(confirmed, [pending('aaaaaaaa'), pending('bbbbbbbb')], dayOf)
  expect(items.map((item) => item.key)).toEqual(['day-2026-11-19', 'aaaaaaaa', 'bbbbbbbb'])
  expect(items.map((item) => item.kind === 'message' && item.pending !== null)).toEqual([false, false, true])
})

test('a refused send stays with its reason', () => {
  const items = timeline([], [pending('aaaaaaaa', { error: 'Esta conversa já foi finalizada.' })], dayOf)
  expect(items[1]).toMatchObject({
    message: { content: 'Oi', deliveryStatus: 'failed', failureReason: 'Esta conversa já foi finalizada.' },
  })
})

test('messages of one author within two minutes are one group', () => {
  const rows = [0, 60, 180, 301].map((seconds, id) => messageRow({ id: id + 1, sortAt: at(seconds) }))
  const groups = timeline(rows, [], dayOf).map((item) =>
    item.kind === 'message' ? [item.startsGroup, item.endsGroup] : item.kind,
  )
  expect(groups).toEqual(['day', [true, false], [false, false], [false, true], [true, true]])
})

test('a day separator stands before the first message of each day, and splits groups', () => {
  const rows = [
    messageRow({ id: 1, sortAt: '2026-11-18T23:59:30Z' }),
    messageRow({ id: 2, sortAt: '2026-11-19T00:00:10Z' }),
  ]
  const items = timeline(rows, [], dayOf)
  expect(items.map((item) => item.key)).toEqual(['day-2026-11-18', '1', 'day-2026-11-19', '2'])
  expect(items[1]).toMatchObject({ startsGroup: true, endsGroup: true })
})

test.each([
  ['the contact and an operator', {}, mine, false],
  ['two operators', mine, { ...mine, senderId: 3 }, false],
  ['an operator and the phone', mine, { senderType: 'user', metadata: { origin: 'phone' } }, false],
  ['an operator and an automatic warning', mine, { senderType: 'user', messageType: 'warning_auto' }, false],
  ['one operator', mine, mine, true],
] as const)('two messages form one group or not: %s', (_name, a, b, same) => {
  expect(isSameGroup(messageRow({ id: 1, ...a }), messageRow({ id: 2, ...b }))).toBe(same)
})

test('every row appears once with a key of its own, days never go back', () => {
  const row = fc.record({ seconds: fc.nat(400_000), mine: fc.boolean(), hasClientId: fc.boolean() })
  fc.assert(
    fc.property(fc.array(row), fc.array(fc.nat(400_000)), (given, composed) => {
      const confirmed = given
        .toSorted((a, b) => a.seconds - b.seconds)
        .map((each, index) =>
          messageRow({
            id: index + 1,
            sortAt: at(each.seconds),
            clientMessageId: each.hasClientId ? `client-${index}` : null,
            ...(each.mine ? mine : {}),
          }),
        )
      const sends = composed.map((seconds, index) =>
        pending(`client-${index}`, { composedAtMs: Date.parse(at(seconds)) }),
      )
      const items = timeline(confirmed, sends, dayOf)
      expect(new Set(items.map((item) => item.key)).size).toBe(items.length)
      const confirmedKeys = new Set(confirmed.map((message) => message.clientMessageId))
      const expected =
        confirmed.length + sends.filter((send) => !confirmedKeys.has(send.clientMessageId)).length
      expect(items.filter((item) => item.kind === 'message')).toHaveLength(expected)
    }),
  )
})

describe('a reaction on its way', () => {
  const shown = messageRow({ id: 5 })
  const client = { emoji: '🙏', from: 'contact' as const }
  const reactionsAfter = (reactions: Message['reactions'], emoji: string) =>
    withReactions([{ ...shown, reactions }], new Map([[5, emoji]]))[0]?.reactions

  test('a reaction on its way is shown beside the one of the client, in the place of ours', () => {
    expect(reactionsAfter([client], '👍')).toEqual([client, { emoji: '👍', from: 'user' }])
    expect(reactionsAfter([{ emoji: '👍', from: 'user' }, client], '❤️')).toEqual([
      client,
      { emoji: '❤️', from: 'user' },
    ])
  })

  test('a reaction on its way that takes ours back leaves the one of the client', () => {
    expect(reactionsAfter([client, { emoji: '👍', from: 'user' }], '')).toEqual([client])
  })

  test('a reaction on its way changes no other message, and nothing when none is on its way', () => {
    const all = [shown]
    expect(withReactions(all, new Map())).toBe(all)
    expect(withReactions(all, new Map([[6, '👍']]))[0]).toBe(shown)
  })
})
