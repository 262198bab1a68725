// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveEventType } from '#shared/live-events.ts'

// The policy's own test covers the jitter; here every delay is the middle one.
vi.mock('./jitter.ts', () => ({ jitter: () => 0.5 }))
// Another file of this worker may have loaded them already: with the real jitter, and on another window.
vi.resetModules()
const { onSessionEnded, sessionBegan } = await import('#web/platform/api/api.ts')
const { beginLiveAt, failedText, liveStatus, onLiveEvent, onResync, startLive, stopLive } =
  await import('./live.ts')

/** The server's side of each socket that the browser has opened. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readyState = 0
  n = 0
  readonly sent: unknown[] = []

  constructor() {
    super()
    FakeSocket.all.push(this)
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  open() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  push(type: LiveEventType, data: object = {}, more: object = {}) {
    const frame = { type, data, n: ++this.n, cursor: `c${this.n}`, epoch: 'a', ...more }
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
  }
  greet(more: object = {}) {
    this.open()
    const data = {
      connectionId: 'x',
      heartbeatMs: 30_000,
      gatewayConnected: true,
      serverTime: '2026-11-19T17:00:00Z',
    }
    this.push('hello', data, more)
  }
  close(code = 1006, reason = '') {
    if (this.readyState === 3) return
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }))
  }
}

const last = () => FakeSocket.all.at(-1) as FakeSocket
let lastUserId = 0
const onResynced = vi.fn<() => void>()
const onEnded = vi.fn<() => void>()
const stops = [onResync(onResynced)]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  FakeSocket.all = []
  onSessionEnded(onEnded)
  stopLive()
  // Another user, so that nothing of the last test is resumed.
  startLive((lastUserId += 1))
})

afterEach(() => {
  // Otherwise calls of the worker's next file wait for a login.
  sessionBegan()
  stopLive()
  vi.runOnlyPendingTimers()
  vi.useRealTimers()
  onResynced.mockReset()
  onEnded.mockReset()
})

test('the link introduces itself, opens after the greeting, and fetches once', () => {
  last().greet()
  expect(last().sent[0]).toMatchObject({ type: 'authenticate' })
  expect(liveStatus()).toBe('open')
  vi.advanceTimersByTime(200)
  expect(onResynced).toHaveBeenCalledOnce()
})

test('the link resumes from the position before the first fetch', () => {
  stopLive()
  beginLiveAt((lastUserId += 1), { cursor: 'c0', epoch: 'a' })
  startLive(lastUserId)
  last().greet()
  expect(last().sent[0]).toMatchObject({ data: { lastCursor: 'c0', epoch: 'a' } })
  last().push('resumed')
  vi.advanceTimersByTime(200)
  expect(onResynced).not.toHaveBeenCalled()
})

test('events from before a reload are not repeated to a tab', () => {
  const reported: unknown[] = []
  const stop = onLiveEvent(({ seq }) => seq && reported.push(seq))
  last().greet()
  last().push('queue_changed', {}, { seq: '7' })
  window.dispatchEvent(new Event('pagehide'))
  stopLive()
  beginLiveAt((lastUserId += 1), { cursor: 'c0', epoch: 'a' })
  startLive(lastUserId)
  last().greet()
  last().push('queue_changed', {}, { seq: '7' })
  last().push('queue_changed', {}, { seq: '8' })
  stopLive()
  beginLiveAt((lastUserId += 1), { cursor: 'c0', epoch: 'b' })
  startLive(lastUserId)
  last().greet({ epoch: 'b' })
  last().push('queue_changed', {}, { seq: '7', epoch: 'b' })
  stop()
  expect(reported).toEqual(['7', '8', '7'])
})

test('a position that comes once the connection stands is not gone back to', () => {
  last().greet()
  beginLiveAt(lastUserId, { cursor: 'c0', epoch: 'a' })
  last().close(1012)
  vi.advanceTimersByTime(1500)
  last().greet()
  expect(last().sent[0]).toMatchObject({ data: { lastCursor: 'c1' } })
})

test('a hole in the numbers of frames causes a fetch of everything', () => {
  last().greet()
  vi.advanceTimersByTime(200)
  onResynced.mockReset()
  last().push('queue_changed')
  vi.advanceTimersByTime(200)
  expect(onResynced).not.toHaveBeenCalled()
  last().n += 1
  last().push('queue_changed')
  vi.advanceTimersByTime(200)
  expect(onResynced).toHaveBeenCalledOnce()
})

test('after a loss the link reconnects with the known cursor', () => {
  last().greet()
  last().push('queue_changed')
  last().close(1012)
  expect(liveStatus()).toBe('reconnecting')
  vi.advanceTimersByTime(1500)
  expect(FakeSocket.all).toHaveLength(2)
  last().greet()
  expect(last().sent[0]).toMatchObject({ data: { lastCursor: 'c2', epoch: 'a' } })
  expect(liveStatus()).toBe('open')
})

test('after five failed attempts it says so, and tries every 15 to 45 s or when somebody is back', () => {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    last().close()
    vi.advanceTimersByTime(24_000)
  }
  expect(liveStatus()).toBe('failed')
  expect(failedText).toBe('Falha ao reconectar após múltiplas tentativas')
  for (let round = 0; round < 5; round += 1) {
    const before = FakeSocket.all.length
    last().close()
    vi.advanceTimersByTime(14_000)
    expect(FakeSocket.all.length).toBe(before)
    vi.advanceTimersByTime(31_000)
    expect(FakeSocket.all.length).toBe(before + 1)
  }
  for (const isBack of [
    () => document.dispatchEvent(new Event('visibilitychange')),
    () => window.dispatchEvent(new Event('online')),
  ]) {
    last().close()
    const before = FakeSocket.all.length
    isBack()
    expect(FakeSocket.all.length).toBe(before + 1)
  }
  last().greet()
  expect(liveStatus()).toBe('open')
})

test('a busy server is asked again after the time it gave, and that is no failed attempt', () => {
  last().greet()
  for (let round = 0; round < 8; round += 1) {
    last().close(1013, '4000')
    expect(liveStatus()).toBe('reconnecting')
    const before = FakeSocket.all.length
    vi.advanceTimersByTime(3900)
    window.dispatchEvent(new Event('online'))
    document.dispatchEvent(new Event('visibilitychange'))
    expect(FakeSocket.all.length).toBe(before)
    vi.advanceTimersByTime(1200)
    expect(FakeSocket.all.length).toBe(before + 1)
  }
  last().close()
  window.dispatchEvent(new Event('online'))
  last().greet()
  expect(liveStatus()).toBe('open')
})

test('a network that comes back is used at once, even if the server was busy earlier', () => {
  last().greet()
  last().close(1013, '4000')
  vi.advanceTimersByTime(6000)
  last().greet()
  window.dispatchEvent(new Event('offline'))
  const before = FakeSocket.all.length
  window.dispatchEvent(new Event('online'))
  expect(FakeSocket.all.length).toBe(before + 1)
})

test('an ended session asks for a login and tries nothing', () => {
  last().greet()
  last().close(4401)
  vi.advanceTimersByTime(120_000)
  expect(onEnded).toHaveBeenCalledOnce()
  expect(FakeSocket.all).toHaveLength(1)
})

test('a link on which nothing is heard for two and a half heartbeats is given up', () => {
  last().greet()
  const [first] = FakeSocket.all as [FakeSocket]
  vi.advanceTimersByTime(74_000)
  expect(first.readyState).toBe(1)
  expect(first.sent.filter((frame) => (frame as { type: string }).type === 'request_stats')).toHaveLength(2)
  vi.advanceTimersByTime(6000)
  expect(first.readyState).toBe(3)
  expect(liveStatus()).toBe('reconnecting')
})

test('a quiet link that answers our question stays', () => {
  last().greet()
  const answer = vi.spyOn(last(), 'send').mockImplementation((text) => {
    if (text.includes('authenticate')) last().push('resumed')
  })
  vi.advanceTimersByTime(600_000)
  expect(answer).toHaveBeenCalled()
  expect(liveStatus()).toBe('open')
  expect(FakeSocket.all).toHaveLength(1)
})

test('each frame is passed to listeners and rebroadcast as a browser event', () => {
  const received: string[] = []
  stops.push(onLiveEvent((event) => received.push(event.type)))
  const dispatched = vi.fn<(event: Event) => void>()
  window.addEventListener('balcao:live', dispatched)
  last().greet()
  last().push('queue_changed')
  expect(received).toEqual(['hello', 'queue_changed'])
  expect(
    dispatched.mock.calls.map(([event]) => (event as CustomEvent<{ type: string }>).detail.type),
  ).toEqual(received)
})
