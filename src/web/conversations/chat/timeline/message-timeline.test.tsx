// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Me } from '#shared/users/users.ts'
import { MeContext } from '#web/users/me-context.ts'
import { patchMessage } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'
import { MessageTimeline } from './message-timeline.tsx'

test('the first message of a client in an empty chat is announced', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(conversationQueries.messages(1).queryKey, { pages: [[]], pageParams: [null] })
  client.setQueryData(conversationQueries.reads().queryKey, [])
  const { container } = render(
    <QueryClientProvider client={client}>
      <MeContext value={{ id: 7, permissions: {} } as Me}>
        <MessageTimeline conversation={conversationRow()} />
      </MeContext>
    </QueryClientProvider>,
  )
  screen.getByText('Nenhuma mensagem ainda')
  const announced = container.querySelector('[aria-live="polite"]')
  act(() => patchMessage(client, messageRow({ content: 'Bom dia!' })))
  await vi.waitFor(() => screen.getByRole('log'), 15_000)
  expect(announced?.isConnected).toBe(true)
  expect(announced?.textContent).toBe('Contato 1: Bom dia!')
})
