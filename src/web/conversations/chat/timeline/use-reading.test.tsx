// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'
import { useFinalize } from '#web/conversations/mutations/conversation-mutations.ts'
import { inApp } from '#web/users/test-app.tsx'
import { useReadingOf } from './use-reading.ts'

const here = conversationRow({ id: 1, assignedUserId: 7, status: 'active', contactMessageCount: 1 })
const ended: Conversation = { ...here, status: 'completed', version: 2 }
const reopened: Conversation = { ...here, version: 3, contactMessageCount: 2 }

let read: unknown[]
beforeEach(() => {
  read = []
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    // The finalization gets no answer yet.
    if (path.endsWith('/finalize')) return new Promise(() => undefined)
    if (method === 'PUT') read.push(JSON.parse(body as string))
    return Response.json({
      conversationId: 1,
      lastMessageId: 1,
      contactMessageCount: 1,
      updatedAt: here.startedAt,
    })
  })
})

/** The chat while it is looked at, at its end. */
function show() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(conversationQueries.reads().queryKey, [])
  const { rerender, result, unmount } = renderHook(
    ({ row }: { row: Conversation }) => {
      const messages = Array.from({ length: row.contactMessageCount }, (_, at) => messageRow({ id: at + 1 }))
      useReadingOf(row, messages, true)
      return useFinalize(1, { holderId: 7, messageId: 1 })
    },
    { initialProps: { row: here }, wrapper: inApp(client) },
  )
  return {
    now: (row: Conversation) => rerender({ row }),
    finalize: () => result.current.mutate({ notes: '', reasonId: undefined, tagIds: [] }),
    unmount,
  }
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('a chat that is looked at is read, and again when the client writes', async () => {
  const { now } = show()
  await pass(500)
  now(reopened)
  await pass(500)
  expect(read).toEqual([{ lastMessageId: 1 }, { lastMessageId: 2 }])
})

test.each(['pointerDown', 'keyDown', 'wheel'] as const)(
  'what keeps an ended conversation open is read only once the person acts: %s',
  async (sign) => {
    const { now } = show()
    await pass(500)
    now(ended)
    // They have not seen yet that it goes on.
    fireEvent[sign](document.body)
    now(reopened)
    await pass(2000)
    expect(read).toEqual([{ lastMessageId: 1 }])
    fireEvent[sign](document.body)
    await pass(500)
    expect(read).toEqual([{ lastMessageId: 1 }, { lastMessageId: 2 }])
  },
)

test('nothing is read from the moment in which the end is asked for, though no end was shown', async () => {
  const { now, finalize } = show()
  await pass(500)
  act(finalize)
  now(reopened)
  await pass(2000)
  expect(read).toEqual([{ lastMessageId: 1 }])
})

test('a chat that is opened again after its end is read as any other', async () => {
  const first = show()
  first.now(ended)
  first.unmount()
  const second = show()
  second.now(reopened)
  await pass(500)
  expect(read).toEqual([{ lastMessageId: 2 }])
})
