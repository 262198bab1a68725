// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { patchMessage } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'
import { MessageTimeline } from './message-timeline.tsx'
import { inApp } from '#web/users/test-app.tsx'

test('the first message of a client in an empty chat is announced', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(conversationQueries.messages(1).queryKey, { pages: [[]], pageParams: [null] })
  client.setQueryData(conversationQueries.reads().queryKey, [])
  const { container } = render(<MessageTimeline conversation={conversationRow()} />, {
    wrapper: inApp(client),
  })
  screen.getByText('Nenhuma mensagem ainda')
  const announced = container.querySelector('[aria-live="polite"]')
  act(() => patchMessage(client, messageRow({ content: 'Bom dia!' })))
  await vi.waitFor(() => screen.getByRole('log'), 15_000)
  expect(announced?.isConnected).toBe(true)
  expect(announced?.textContent).toBe('Contato 1: Bom dia!')
})

test('an address that names a message leads to it once, through the older pages', async () => {
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(
      path.includes('before=201')
        ? [messageRow({ id: 7, content: 'a caixa' })]
        : new Promise(() => undefined),
    ),
  )
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  window.history.pushState(null, '', '/chat?conversation=1&mensagem=7')
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  const newest = Array.from({ length: 200 }, (_, n) => messageRow({ id: 201 + n }))
  client.setQueryData(conversationQueries.messages(1).queryKey, { pages: [newest], pageParams: [null] })
  client.setQueryData(conversationQueries.reads().queryKey, [])
  render(<MessageTimeline conversation={conversationRow()} />, { wrapper: inApp(client) })
  await screen.findByText('a caixa')
  expect(window.location.search).toBe('?conversation=1')
})
