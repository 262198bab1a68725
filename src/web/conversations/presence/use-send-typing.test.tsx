// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ClientFrame } from '#shared/live-events.ts'
import { applyLiveEvent } from '#web/room-events.ts'
import { useSendTyping } from './use-send-typing.ts'
import { useSendViewing } from './use-send-viewing.ts'

const line = vi.hoisted(() => ({ isUp: true, sent: [] as unknown[] }))
vi.mock('#web/platform/live/live.ts', async (original) => ({
  ...(await original()),
  sendLive: (frame: ClientFrame) => line.isUp && line.sent.push(frame),
}))

const greet = () => {
  line.isUp = true
  const data = {
    connectionId: '1',
    heartbeatMs: 30_000,
    serverTime: new Date().toISOString(),
    gatewayConnected: true,
    away: [],
    numbersVersion: '',
    waiting: 0,
    recovered: null,
  }
  applyLiveEvent(new QueryClient(), { type: 'hello', data })
}

beforeEach(() => {
  vi.useFakeTimers()
  line.isUp = true
  line.sent.length = 0
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

test('typing while disconnected is reported once connected, after the open chat', () => {
  const type = open()
  line.isUp = false
  type('um mo')
  expect(line.sent).toEqual([])
  greet()
  expect(line.sent).toEqual([
    { type: 'viewing', data: { conversationId: 7 } },
    { type: 'typing', data: { conversationId: 7, isTyping: true } },
  ])
})

test('who has stopped typing is not said to type after a reconnection', () => {
  const type = open()
  type('um mo')
  vi.advanceTimersByTime(5000)
  line.sent.length = 0
  greet()
  expect(line.sent).toEqual([{ type: 'viewing', data: { conversationId: 7 } }])
})
