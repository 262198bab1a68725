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

test('events repeated after a resumption are recognized, if they are of the log', () => {
  const delivered = new Set<string>()
  const event = (n: number, seq: string) => ({ ...frame(n), seq })
  const first = watchFrames({ epoch: 'a', cursor: 'old' }, delivered)
  expect([frame(1, 'hello'), frame(2, 'resumed'), event(3, '7')].map(first.see)).toEqual(['ok', 'ok', 'ok'])
  const second = watchFrames(first.position(), delivered)
  const seen = [frame(1, 'hello'), event(2, '7'), event(3, '8'), frame(4, 'resumed')].map(second.see)
  expect(seen).toEqual(['ok', 'again', 'ok', 'ok'])
  const third = watchFrames(second.position(), delivered)
  expect([event(5, '9'), event(6, '9')].map(third.see)).toEqual(['lost', 'again'])
  const other = watchFrames(third.position(), delivered)
  expect([frame(1, 'hello', 'b'), { ...event(2, '7'), epoch: 'b' }].map(other.see)).toEqual(['lost', 'ok'])
})

test('events of long ago are forgotten by the frame watch', () => {
  const delivered = new Set<string>()
  const watch = watchFrames({ epoch: 'a', cursor: 'old' }, delivered)
  for (let n = 1; n <= 3000; n++) watch.see({ ...frame(n), seq: String(n) })
  expect(delivered.size).toBe(1000)
})
