// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { keepPlace } from '#web/conversations/cache/list-place.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'
import { DeleteConversationDialog } from './delete-conversation-dialog.tsx'
import { inApp } from '#web/users/test-app.tsx'

const lastMessage = { ...messageRow({ id: 7 }), senderId: undefined, senderName: undefined }

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

test('what the client has just written is shown before the conversation can be deleted', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit = {}) => {
    if (method === 'GET')
      return Response.json(
        conversationRow({ lastMessage: { ...lastMessage, id: 99, content: 'um detalhe' } }),
      )
    asked.push(new URL(address, 'http://console').search)
    return asked.length > 1
      ? new Response(null, { status: 204 })
      : Response.json(
          { code: 'conversations.client_wrote', message: 'O cliente acabou de escrever' },
          { status: 409 },
        )
  })
  render(
    <DeleteConversationDialog conversation={conversationRow({ lastMessage })} onClose={() => undefined} />,
    { wrapper: inApp(new QueryClient()) },
  )
  fireEvent.click(screen.getByRole('button', { name: /^Excluir/ }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('O cliente acabou de escrever')
  expect(alert.textContent).toContain('um detalhe')
  fireEvent.click(screen.getByRole('button', { name: /^Excluir/ }))
  await waitFor(() => expect(asked).toEqual(['?seenMessageId=7', '?seenMessageId=99']))
})
