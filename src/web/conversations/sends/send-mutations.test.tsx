// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { restoreSends, useDiscardSend, usePendingSends, useSendMessage } from './send-mutations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import type { Send } from './sends.ts'
import { messageRow } from '#web/conversations/cache/test-rows.ts'

const made: Send = {
  userId: 2,
  userName: 'Marina',
  conversationId: 1,
  clientMessageId: 'aaaaaaaa',
  content: 'Oi',
  quoted: null,
  composedAtMs: 1,
}
const send = (clientMessageId: string, composedAtMs: number): Send => ({
  ...made,
  clientMessageId,
  composedAtMs,
})

/** The statuses with which the server answers the posts, 0 for no answer; after the last one always 201. */
let answers: number[] = []
let posted: string[] = []
const stored = () => Object.keys(localStorage).filter((key) => key.startsWith('balcao:send:'))

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  localStorage.clear()
  answers = []
  posted = []
  vi.stubGlobal('fetch', async (_url: string, init: { method: string; body: string }) => {
    if (init.method !== 'POST') return new Response('[]')
    const { clientMessageId, content } = JSON.parse(init.body) as Send
    posted.push(clientMessageId)
    const status = answers.shift() ?? 201
    if (status === 0) throw new TypeError('network')
    const reply =
      status === 201
        ? messageRow({ id: posted.length, clientMessageId, content, senderType: 'user' })
        : { code: 'conversations.completed', message: 'Esta conversa já foi finalizada.' }
    return new Response(JSON.stringify(reply), { status })
  })
})

function openPage() {
  const client = new QueryClient()
  client.setQueryData(conversationQueries.messages(1).queryKey, { pages: [[]], pageParams: [null] })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const useAll = () => ({
    send: useSendMessage({ conversationId: 1 }),
    discard: useDiscardSend(),
    pending: usePendingSends({ conversationId: 1 }),
  })
  const page = renderHook(useAll, { wrapper })
  const confirmed = () =>
    client
      .getQueryData(conversationQueries.messages(1).queryKey)
      ?.pages.flat()
      .map((message) => message.clientMessageId)
  return { client, page, confirmed, pending: () => page.result.current.pending }
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('sends go out one after the other, in the order of composing, and leave when confirmed', async () => {
  const { page, pending, confirmed } = openPage()
  answers = [0, 503]
  act(() =>
    ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'].forEach((id, index) => page.result.current.send(send(id, index))),
  )
  await pass(10)
  expect(pending().map((each) => each.clientMessageId)).toEqual(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
  expect(posted).toEqual(['aaaaaaaa'])
  await pass(5000)
  expect(posted).toEqual(['aaaaaaaa', 'aaaaaaaa', 'aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
  expect(pending()).toEqual([])
  expect(confirmed()).toEqual(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
  expect(stored()).toEqual([])
})

test('a refused send stays with what the server said, and does not hold up the next', async () => {
  const { page, pending } = openPage()
  answers = [409]
  act(() => {
    page.result.current.send(send('aaaaaaaa', 1))
    page.result.current.send(send('bbbbbbbb', 2))
  })
  await pass(50)
  expect(pending()).toMatchObject([
    { clientMessageId: 'aaaaaaaa', content: 'Oi', error: 'Esta conversa já foi finalizada.' },
  ])
  expect(posted).toEqual(['aaaaaaaa', 'bbbbbbbb'])

  act(() => page.result.current.send(send('aaaaaaaa', 1)))
  await pass(50)
  expect(pending()).toEqual([])
  expect(posted).toEqual(['aaaaaaaa', 'bbbbbbbb', 'aaaaaaaa'])
})

test('a refused send goes away only by hand', async () => {
  const { page, pending } = openPage()
  answers = [409]
  act(() => page.result.current.send(made))
  await pass(50)
  await pass(3_600_000)
  expect(pending()).toHaveLength(1)
  act(() => page.result.current.discard(made))
  await pass(10)
  expect(pending()).toEqual([])
  expect(stored()).toEqual([])
})

test('a reload in the middle loses nothing and sends nothing under another id', async () => {
  const left = openPage()
  answers = [0, 0, 0, 0, 409]
  act(() =>
    ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'].forEach((id, index) =>
      left.page.result.current.send(send(id, index)),
    ),
  )
  await pass(10)
  left.page.unmount()
  left.client.clear()
  expect(stored()).toHaveLength(3)

  const { client, pending } = openPage()
  posted = []
  answers = [409]
  act(() => restoreSends(client, 2))
  await pass(50)
  expect(posted).toEqual(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
  expect(pending()).toMatchObject([
    { clientMessageId: 'aaaaaaaa', error: 'Esta conversa já foi finalizada.' },
  ])

  const again = openPage()
  posted = []
  act(() => restoreSends(again.client, 2))
  await pass(50)
  expect(again.pending()).toMatchObject([
    { clientMessageId: 'aaaaaaaa', error: 'Esta conversa já foi finalizada.' },
  ])
  expect(posted).toEqual([])
})

test('what one person left behind never goes out for another', async () => {
  const left = openPage()
  answers = [0]
  act(() => left.page.result.current.send(made))
  await pass(10)
  left.page.unmount()
  const { client, pending } = openPage()
  act(() => restoreSends(client, 3))
  await pass(50)
  expect(pending()).toEqual([])
})

test('a first message whose answer names no conversation is refused, and not sent again', async () => {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    if (method !== 'POST') return new Response('[]')
    bodies.push(url)
    return Response.json({ message: messageRow({ id: 1, content: 'Oi' }) }, { status: 201 })
  })
  const { conversationId: _none, ...rest } = made
  const first: Send = { ...rest, contactId: 9 }
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const useFirst = () => ({
    send: useSendMessage({ contactId: 9 }),
    pending: usePendingSends({ contactId: 9 }),
  })
  const page = renderHook(useFirst, { wrapper })
  act(() => page.result.current.send(first))
  await pass(60_000)
  expect(page.result.current.pending).toMatchObject([{ error: 'ID da conversa não encontrado' }])
  expect(bodies).toEqual(['/api/contacts/9/send-message'])
})
