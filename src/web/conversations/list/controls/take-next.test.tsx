// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toastStore } from '#web/ui/states/toast.ts'
import { inApp } from '#web/users/test-app.tsx'
import { TakeNextButton } from './take-next.tsx'

test.each([
  [
    'a calm notice that nobody waits',
    404,
    'conversations.queue_empty',
    { tone: 'info', title: 'Ninguém espera na sua fila' },
  ],
  [
    'the error of any other refusal',
    500,
    'internal',
    { tone: 'error', title: 'Erro ao assumir a próxima conversa' },
  ],
])("'Assumir próxima' that leads to nobody shows %s", async (_what, status, code, notice) => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ code, message: 'Não há conversas na fila.' }, { status }),
  )
  const permissions = { canViewConversations: true, canEditConversations: true }
  render(<TakeNextButton />, { wrapper: inApp(new QueryClient(), { permissions }) })
  fireEvent.click(screen.getByRole('button', { name: 'Assumir próxima' }))
  await waitFor(() => expect(toastStore.get()).toMatchObject(notice))
})
