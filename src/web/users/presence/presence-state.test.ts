import { expect, test } from 'vitest'
import type { LiveEvent } from '#shared/live-events.ts'
import {
  type ChatPresence,
  withoutExpired,
  reducePresence,
  nextExpiry,
  noPresence,
} from './presence-state.ts'

const bruno = { id: 2, name: 'Bruno' }
const clara = { id: 3, name: 'Clara' }
const viewing = (isWhole: boolean, all: Record<number, (typeof bruno)[]>): LiveEvent => ({
  type: 'viewing',
  data: {
    isWhole,
    conversations: Object.entries(all).map(([id, people]) => ({ conversationId: Number(id), people })),
  },
})
const types = (
  conversationId: number,
  by: typeof bruno | null,
  activity: 'composing' | 'recording' | 'paused',
) => ({ type: 'typing', data: { typing: [{ conversationId, by, activity }] } }) satisfies LiveEvent
const after = (events: LiveEvent[], nowMs = 0): ChatPresence =>
  events.reduce((state, event) => reducePresence(state, event, nowMs), noPresence)
const typingIn = (state: ChatPresence, id: number) =>
  (state.typing.get(id) ?? []).map(({ by }) => by?.name ?? 'client')

test('the presence of one chat leaves the others, a snapshot replaces everything', () => {
  const both = after([viewing(false, { 1: [bruno] }), viewing(false, { 2: [bruno, clara] })])
  expect([...both.viewing.keys()]).toEqual([1, 2])
  expect([...reducePresence(both, viewing(false, { 1: [] }), 0).viewing.keys()]).toEqual([2])
  expect([...reducePresence(both, viewing(true, { 3: [clara] }), 0).viewing.keys()]).toEqual([3])
})

test('a colleague who types is shown until they stop, send, or fall silent', () => {
  const state = after([
    types(1, bruno, 'composing'),
    types(1, null, 'recording'),
    types(1, clara, 'composing'),
  ])
  expect(typingIn(state, 1)).toEqual(['Bruno', 'client', 'Clara'])
  expect(typingIn(reducePresence(state, types(1, bruno, 'paused'), 0), 1)).toEqual(['client', 'Clara'])
  expect(nextExpiry(state)).toBe(6000)
  expect(typingIn(withoutExpired(state, 6000), 1)).toEqual(['client'])
  expect(withoutExpired(state, 10_000)).toEqual(noPresence)
  expect(withoutExpired(state, 5999)).toBe(state)
})

test('a repeated presence counts from then on, and is listed once', () => {
  const state = reducePresence(after([types(1, bruno, 'composing')]), types(1, bruno, 'composing'), 4000)
  expect(state.typing.get(1)).toEqual([{ by: bruno, activity: 'composing', untilMs: 10_000 }])
})

test('a message ends the typing of its sender, and only that', () => {
  const state = after([
    types(1, bruno, 'composing'),
    types(1, null, 'composing'),
    types(2, bruno, 'composing'),
  ])
  const sent = (senderType: string, senderId: number | null) =>
    ({ type: 'new_message', data: { conversationId: 1, message: { senderType, senderId } } }) as LiveEvent
  expect(typingIn(reducePresence(state, sent('contact', null), 0), 1)).toEqual(['Bruno'])
  expect(typingIn(reducePresence(state, sent('user', 2), 0), 1)).toEqual(['client'])
  expect(typingIn(reducePresence(state, sent('user', 2), 0), 2)).toEqual(['Bruno'])
  // An automatic text is noPresence's.
  expect(reducePresence(state, sent('user', null), 0)).toBe(state)
})
