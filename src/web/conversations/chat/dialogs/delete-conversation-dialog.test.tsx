// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { keepPlace } from '#web/conversations/cache/list-place.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
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

/** A conversation that is deleted, and what the calls carried: the first of them is refused. */
async function deleteOver(client: QueryClient, now: Partial<Conversation>) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit = {}) => {
    if (method === 'GET') return Response.json(conversationRow(now))
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
    { wrapper: inApp(client) },
  )
  const press = () => fireEvent.click(screen.getByRole('button', { name: /^Excluir/ }))
  press()
  const { textContent } = await screen.findByRole('alert')
  press()
  await waitFor(() => expect(asked).toHaveLength(2))
  return { asked, textContent }
}

test('what the client has just written is shown before the conversation can be deleted', async () => {
  const newer = { ...lastMessage, id: 99, content: 'um detalhe' }
  const { asked, textContent } = await deleteOver(new QueryClient(), { lastMessage: newer })
  expect(textContent).toContain('O cliente acabou de escrever')
  expect(textContent).toContain('um detalhe')
  expect(asked).toEqual(['?seenMessageId=7', '?seenMessageId=99'])
})

test('a message that came late, and stands above the last one, does not keep its conversation', async () => {
  const client = new QueryClient()
  const { queryKey } = conversationQueries.messages(1)
  client.setQueryData(queryKey, { pages: [[messageRow({ id: 7 })]], pageParams: [undefined] })
  vi.spyOn(client, 'fetchQuery').mockImplementation(async () => {
    // It is pushed to the chat meanwhile.
    client.setQueryData(queryKey, {
      pages: [[messageRow({ id: 98 }), messageRow({ id: 7 })]],
      pageParams: [undefined],
    })
    return conversationRow({ lastMessage })
  })
  expect((await deleteOver(client, {})).asked).toEqual(['?seenMessageId=7', '?seenMessageId=98'])
})

test('a finished conversation is deleted whatever was seen of it', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    return new Response(null, { status: 204 })
  })
  const finished = conversationRow({ status: 'completed', lastMessage })
  render(<DeleteConversationDialog conversation={finished} onClose={() => undefined} />, {
    wrapper: inApp(new QueryClient()),
  })
  fireEvent.click(screen.getByRole('button', { name: /^Excluir/ }))
  await waitFor(() => expect(asked).toEqual(['/api/conversations/1']))
})
