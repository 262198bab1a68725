// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { PendingSend } from '#web/conversations/sends/sends.ts'
import { useAwaitsNetwork } from './use-awaits-network.ts'

beforeEach(() => void vi.useFakeTimers())

const send = (composedAtMs: number): PendingSend => ({
  userId: 2,
  userName: 'Marina',
  conversationId: 1,
  clientMessageId: 'aaaaaaaa',
  content: 'Oi',
  quoted: null,
  composedAtMs,
  error: null,
})
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('a send waits for the network after five seconds, and one from before a reload at once', async () => {
  const now = Date.now()
  const fresh = renderHook(() => useAwaitsNetwork(send(now)))
  const old = renderHook(() => useAwaitsNetwork(send(now - 60_000)))
  await pass(4900)
  expect([fresh.result.current, old.result.current]).toEqual([false, true])
  await pass(200)
  expect(fresh.result.current).toBe(true)
})
