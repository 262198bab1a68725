// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { keepPlace } from '#web/conversations/cache/list-place.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { DeleteConversationDialog } from './delete-conversation-dialog.tsx'
import { inApp } from '#web/users/test-app.tsx'

afterEach(() => {
  keepPlace('')
})

test('who has deleted a conversation is back in the list as it was left', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
  window.history.pushState(null, '', '/chat?conversation=1')
  keepPlace('?search=Maria')
  render(<DeleteConversationDialog conversation={conversationRow()} onClose={() => undefined} />, {
    wrapper: inApp(new QueryClient()),
  })
  fireEvent.click(screen.getByRole('button', { name: /^Excluir/ }))
  await waitFor(() =>
    expect(window.location.pathname + window.location.search).toBe('/conversas-ativas?search=Maria'),
  )
})
