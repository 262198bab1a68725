// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toastStore } from '#web/ui/states/toast.ts'
import { inApp } from '#web/users/test-app.tsx'
import { TakeNextButton } from './take-next.tsx'

const empty = { code: 'conversations.queue_empty', message: 'Não há conversas na fila.' }
const ofOne = { hasSectors: true, sectors: [{ id: 1, isLead: false }] }
test.each<[string, number, { code: string; message: string }, object, number | undefined, object]>([
  [
    'a calm notice that nobody waits',
    404,
    empty,
    { hasSectors: false, sectors: [] },
    undefined,
    { tone: 'info', title: 'Ninguém espera na fila' },
  ],
  [
    'that nobody waits for them, where others have queues too',
    404,
    empty,
    ofOne,
    undefined,
    { tone: 'info', title: 'Ninguém espera na sua fila' },
  ],
  [
    'that they take nobody of the sector that the list shows',
    404,
    empty,
    ofOne,
    2,
    { tone: 'info', title: 'Você assume só das filas dos seus setores' },
  ],
  [
    'the error of any other refusal',
    500,
    { code: 'internal', message: 'Erro' },
    ofOne,
    undefined,
    { tone: 'error', title: 'Erro ao assumir a próxima conversa' },
  ],
])("'Assumir próxima' that leads to nobody shows %s", async (_what, status, answer, of, sectorId, notice) => {
  vi.stubGlobal('fetch', async () => Response.json(answer, { status }))
  const permissions = { canViewConversations: true, canEditConversations: true }
  render(<TakeNextButton sectorId={sectorId} />, {
    wrapper: inApp(new QueryClient(), { permissions, ...of }),
  })
  fireEvent.click(screen.getByRole('button', { name: 'Assumir próxima' }))
  await waitFor(() => expect(toastStore.get()).toMatchObject(notice))
})
