// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { toast, toastStore } from '#web/ui/states/toast.ts'
import { inApp } from '#web/users/test-app.tsx'
import { ChatActions } from './chat-actions.tsx'

let isRefused: boolean
const onTaken = vi.fn<() => void>()
beforeEach(() => {
  isRefused = false
  onTaken.mockClear()
  toast({ title: 'antes' })
  vi.stubGlobal('fetch', async () =>
    isRefused
      ? Response.json({ code: 'conversations.held', message: 'Outra pessoa assumiu' }, { status: 409 })
      : Response.json({ conversation: conversationRow({ id: 1, version: 2, assignedUserId: 7 }) }),
  )
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <ChatActions
      conversation={conversationRow({ id: 1 })}
      userId={7}
      onTaken={onTaken}
      onSearch={() => undefined}
      onMacro={() => undefined}
      onSummarize={() => undefined}
      onAsk={() => undefined}
    />,
    { wrapper: inApp(client, { permissions: { canEditConversations: true } }) },
  )
})

test("the focus is taken care of once 'Assumir' is answered, since its button goes away", async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Assumir' }))
  expect(onTaken).not.toHaveBeenCalled()
  await waitFor(() => expect(onTaken).toHaveBeenCalledOnce())
})

test("a refused 'Assumir' leaves the focus where it is", async () => {
  isRefused = true
  fireEvent.click(screen.getByRole('button', { name: 'Assumir' }))
  await waitFor(() => expect(screen.queryByText('Assumindo...')).toBeNull())
  await screen.findByText('Assumir')
  expect(onTaken).not.toHaveBeenCalled()
})

test("a refused 'Assumir' is said, although another chat has been opened meanwhile", async () => {
  isRefused = true
  fireEvent.click(screen.getByRole('button', { name: 'Assumir' }))
  cleanup()
  const said = { title: 'Erro ao assumir conversa', description: 'Outra pessoa assumiu' }
  await waitFor(() => expect(toastStore.get()).toMatchObject(said))
  expect(onTaken).not.toHaveBeenCalled()
})
