// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { keepPlace } from '#web/conversations/cache/list-place.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { DeleteConversationDialog } from './delete-conversation-dialog.tsx'

afterEach(() => {
  keepPlace('')
})

test('who has deleted a conversation is back in the list as it was left', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
  window.history.pushState(null, '', '/chat?conversation=1')
  keepPlace('?search=Maria')
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DeleteConversationDialog conversation={conversationRow()} onClose={() => undefined} />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: /^Excluir/ }))
  await waitFor(() =>
    expect(window.location.pathname + window.location.search).toBe('/conversas-ativas?search=Maria'),
  )
})
