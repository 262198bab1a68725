// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { toast, toastStore } from '#web/ui/states/toast.ts'
import { inApp } from '#web/users/test-app.tsx'
import { RowActions } from './row-actions.tsx'

let answer: PromiseWithResolvers<Response>
beforeEach(() => {
  answer = Promise.withResolvers()
  toast({ title: 'antes' })
  vi.stubGlobal('fetch', (_path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'GET' ? new Promise<never>(() => undefined) : answer.promise,
  )
})

test("a refused 'Assumir' is said, although the pointer has left the row with its actions", async () => {
  render(
    <RowActions
      conversation={conversationRow({ id: 1 })}
      tabIndex={0}
      onAsk={() => undefined}
      className=""
    />,
    { wrapper: inApp(new QueryClient(), { permissions: { canEditConversations: true } }) },
  )
  fireEvent.click(screen.getByRole('button', { name: 'Assumir' }))
  cleanup()
  const taken = { code: 'conversations.taken', message: 'A conversa já está com Carla.' }
  answer.resolve(Response.json(taken, { status: 409 }))
  await waitFor(() =>
    expect(toastStore.get()).toMatchObject({ title: 'Erro ao assumir conversa', description: taken.message }),
  )
})
