// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Operator } from '#shared/users/users.ts'
import { keepPlace } from '#web/conversations/cache/list-place.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { toastStore } from '#web/ui/states/toast.ts'
import { TransferDialog } from './transfer-dialog.tsx'
import { inApp } from '#web/users/test-app.tsx'

const bruno = {
  id: 8,
  name: 'Bruno',
  role: 'operator',
  presence: 'online',
  activeConversations: 0,
  numberIds: null,
} as Operator
const waitingSince = '2026-11-19T12:00:00.000Z'
const here = conversationRow({ id: 1, assignedUserId: 7, subStatus: 'OPERADOR', waitingSince })

let called: string[]
let bodies: unknown[]
let isRefused: boolean
const onClose = vi.fn<() => void>()
beforeEach(() => {
  called = []
  bodies = []
  isRefused = false
  onClose.mockClear()
  localStorage.clear()
  keepPlace('')
  window.history.pushState(null, '', '/chat?conversation=1')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit) => {
    if (path === '/api/users/operators') return Response.json([bruno])
    called.push(`${method} ${path}`)
    if (typeof body === 'string') bodies.push(JSON.parse(body))
    if (isRefused)
      return Response.json({ code: 'conversations.taken', message: 'Já é de Carla.' }, { status: 409 })
    return Response.json({ conversation: { ...here, assignedUserId: 8, version: 2 } })
  })
})

/** Shows the dialog with a further conversation of the person, and chooses Bruno. */
async function show() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(conversationQueries.open().queryKey, [here, { ...here, id: 2 }])
  render(<TransferDialog conversation={here} onClose={onClose} />, {
    wrapper: inApp(client, { permissions: { canEditConversations: true } }),
  })
  fireEvent.click(await screen.findByRole('radio', { name: /Bruno/ }))
}

const box = () => screen.queryByRole<HTMLInputElement>('checkbox', { name: /Ir para a próxima conversa/ })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const place = () => window.location.pathname + window.location.search

test('a transfer leads to the client of one’s own who waits longest', async () => {
  await show()
  expect(box()?.checked).toBe(false)
  fireEvent.click(box() as HTMLElement)
  screen.getByText('Minha: Contato 1, que espera há mais tempo.')
  fireEvent.change(screen.getByLabelText('Nota para a equipe'), { target: { value: 'é com você' } })
  press('Transferir e ir para a próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=2'))
  expect(called).toEqual(['POST /api/conversations/1/transfer'])
  expect(bodies).toEqual([{ newOperatorId: 8, note: 'é com você', holderId: 7 }])
  expect(onClose).toHaveBeenCalledOnce()
})

test('a transfer alone returns to the list as it was left', async () => {
  keepPlace('?page=2')
  await show()
  press('Transferir')
  await waitFor(() => expect(place()).toBe('/conversas-ativas?page=2'), { timeout: 3000 })
  expect(called).toEqual(['POST /api/conversations/1/transfer'])
})

test('a transfer from a list does not go on to another chat', async () => {
  await show()
  fireEvent.click(box() as HTMLElement)
  cleanup()
  window.history.pushState(null, '', '/conversas-ativas?page=2')
  await show()
  expect(box()).toBeNull()
  press('Transferir')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  await vi.advanceTimersByTimeAsync(2000)
  expect(place()).toBe('/conversas-ativas?page=2')
})

test('a refusal is reported, and keeps the dialog and the chat', async () => {
  isRefused = true
  await show()
  fireEvent.click(box() as HTMLElement)
  press('Transferir e ir para a próxima')
  await waitFor(() => expect(toastStore.get()?.title).toBe('Erro ao transferir conversa: Já é de Carla.'))
  await vi.advanceTimersByTimeAsync(2000)
  expect(onClose).not.toHaveBeenCalled()
  expect(place()).toBe('/chat?conversation=1')
})
