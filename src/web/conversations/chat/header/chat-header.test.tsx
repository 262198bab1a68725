// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { inApp } from '#web/users/test-app.tsx'
import { ChatHeader } from './chat-header.tsx'

const here = conversationRow({ id: 1, assignedUserId: 7, status: 'active', subStatus: 'OPERADOR' })

beforeEach(() => {
  window.history.pushState(null, '', '/chat?conversation=1')
  vi.stubGlobal('fetch', () => new Promise<never>(() => undefined))
})

/** @returns shows the conversation as it is then */
function show(row: Conversation) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(conversationQueries.open().queryKey, [here])
  const header = (conversation: Conversation) => (
    <ChatHeader
      conversation={conversation}
      userId={7}
      onTaken={() => undefined}
      onSearch={() => undefined}
      onMacro={() => undefined}
      onSummarize={() => undefined}
      isPanelOpen={false}
      onTogglePanel={() => undefined}
    />
  )
  const wrapper = inApp(client, { permissions: { canEditConversations: true } })
  const { rerender } = render(header(row), { wrapper })
  return (next: Conversation) => rerender(header(next))
}
const notes = () => screen.findByLabelText<HTMLTextAreaElement>('Notas do atendimento')
const buttonOf = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test('notes of an end stay in their dialog when the conversation is ended meanwhile', async () => {
  const push = show(here)
  fireEvent.click(screen.getByText('Finalizar'))
  fireEvent.change(await notes(), { target: { value: 'Troca combinada para sexta' } })
  push({ ...here, status: 'completed', version: 2 })
  expect((await notes()).value).toBe('Troca combinada para sexta')
  screen.getByText(/já foi finalizada/)
  expect(buttonOf('Finalizar').disabled).toBe(true)
  push({ ...here, version: 3 })
  expect(screen.queryByText(/já foi finalizada/)).toBeNull()
  expect(buttonOf('Finalizar').disabled).toBe(false)
})

test('a conversation that has ended offers no more acts in its header', () => {
  show({ ...here, status: 'completed' })
  screen.getByRole('button', { name: 'Buscar na conversa' })
  expect(screen.queryByText('Finalizar')).toBeNull()
})
