// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientFrame, LiveFrame } from '#shared/live-events.ts'
import { useSendTyping } from './use-send-typing.ts'
import { useSendViewing } from './use-send-viewing.ts'

const line = vi.hoisted(() => ({
  isUp: true,
  sent: [] as unknown[],
  listeners: new Set<(frame: { type: string }) => void>(),
}))
vi.mock('#web/platform/live/live.ts', () => ({
  sendLive: (frame: ClientFrame) => line.isUp && line.sent.push(frame),
  onLiveEvent: (listener: (frame: Pick<LiveFrame, 'type'>) => void) => {
    line.listeners.add(listener as (frame: { type: string }) => void)
    return () => line.listeners.delete(listener as (frame: { type: string }) => void)
  },
}))

const greet = async () => {
  line.isUp = true
  for (const listener of line.listeners) listener({ type: 'hello' })
  await Promise.resolve()
}

beforeEach(() => {
  vi.useFakeTimers()
  line.isUp = true
  line.sent.length = 0
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function open() {
  const field = { current: document.createElement('textarea') }
  // As in the chat, where the composer's effects run before those around it.
  renderHook(() => {
    useSendTyping(7, field, 'texto')
    useSendViewing(7)
  })
  line.sent.length = 0
  return (text: string) => {
    field.current.value = text
    field.current.dispatchEvent(new Event('input'))
  }
}

test('what was typed while the line was down is told once it is up, after which chat is open', async () => {
  const type = open()
  line.isUp = false
  type('um mo')
  expect(line.sent).toEqual([])
  await greet()
  expect(line.sent).toEqual([
    { type: 'viewing', data: { conversationId: 7 } },
    { type: 'typing', data: { conversationId: 7, isTyping: true } },
  ])
})

test('who has stopped typing is not said to type after a reconnection', async () => {
  const type = open()
  type('um mo')
  vi.advanceTimersByTime(5000)
  line.sent.length = 0
  await greet()
  expect(line.sent).toEqual([{ type: 'viewing', data: { conversationId: 7 } }])
})
