import { expect, test } from 'vitest'
import type { LiveEventType } from '#shared/live-events.ts'
import { watchFrames } from './frame-watch.ts'

const frame = (n: number, type: LiveEventType = 'conversation_updated', epoch = 'a') => ({
  n,
  type,
  epoch,
  cursor: `c${n}`,
})

test('a first connection asks for a fetch once, then only after a hole', () => {
  const watch = watchFrames(undefined)
  const seen = [frame(1, 'hello'), frame(2), frame(3), frame(5), frame(6)].map((each) => watch.see(each))
  expect(seen).toEqual(['lost', 'ok', 'ok', 'lost', 'ok'])
  expect(watch.position()).toEqual({ epoch: 'a', cursor: 'c6' })
})

test('a connection that resumes asks for nothing', () => {
  const watch = watchFrames({ epoch: 'a', cursor: 'old' })
  const seen = [frame(1, 'hello'), frame(2), frame(3, 'resumed'), frame(4)].map((each) => watch.see(each))
  expect(seen).toEqual(['ok', 'ok', 'ok', 'ok'])
})

test('a connection that drops before it has resumed keeps the old position', () => {
  const watch = watchFrames({ epoch: 'a', cursor: 'old' })
  watch.see(frame(1, 'hello'))
  watch.see(frame(2))
  expect(watch.position()).toEqual({ epoch: 'a', cursor: 'old' })
  watch.see(frame(3, 'resumed'))
  expect(watch.position()).toEqual({ epoch: 'a', cursor: 'c3' })
})

test.each([
  ['a new epoch', frame(1, 'hello', 'b')],
  ['an order to resync', frame(1, 'resync')],
  ['a first frame that is not the first', frame(2, 'hello')],
])('%s means that everything is fetched', (_, first) => {
  expect(watchFrames({ epoch: 'a', cursor: 'old' }).see(first)).toBe('lost')
})
