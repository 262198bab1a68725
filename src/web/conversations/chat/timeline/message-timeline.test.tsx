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
