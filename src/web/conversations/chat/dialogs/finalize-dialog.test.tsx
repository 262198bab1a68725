// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Flags } from '#shared/permissions.ts'
import { keepPlace } from '#web/conversations/cache/list-place.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { FinalizeDialog } from './finalize-dialog.tsx'
import { inApp } from '#web/users/test-app.tsx'

const mine = (id: number, minute: number) =>
  conversationRow({
    id,
    assignedUserId: 7,
    subStatus: 'OPERADOR',
    waitingSince: `2026-11-19T12:${minute}:00.000Z`,
  })
const here = mine(1, 10)

let called: string[]
let isQueueEmpty: boolean
/** What the client has written since the dialog was opened. */
let written: { id: number; content: string } | undefined
beforeEach(() => {
  called = []
  isQueueEmpty = false
  written = undefined
  localStorage.clear()
  keepPlace('')
  window.history.pushState(null, '', '/chat?conversation=1')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    called.push(path)
    if (path === '/api/conversations/1')
      return Response.json({ ...here, lastMessage: { ...here.lastMessage, ...written } })
    const { seenMessageId } = JSON.parse(typeof body === 'string' ? body : '{}') as { seenMessageId?: number }
    if (path.endsWith('/finalize') && written && seenMessageId !== written.id)
      return Response.json(
        { code: 'conversations.client_wrote', message: 'O cliente acabou de escrever' },
        { status: 409 },
      )
    if (path.endsWith('/finalize'))
      return Response.json({ conversation: { ...here, status: 'completed', version: 2 } })
    const nobody = { code: 'conversations.queue_empty', message: 'Ninguém espera na fila.' }
    return isQueueEmpty
      ? Response.json(nobody, { status: 404 })
      : Response.json({ conversation: conversationRow({ id: 40, version: 2, assignedUserId: 7 }) })
  })
})

function show(
  open: readonly Conversation[],
  may: Partial<Flags> = { canEditConversations: true },
  userId = 7,
) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(conversationQueries.open().queryKey, [...open])
  render(<FinalizeDialog conversation={here} onClose={() => undefined} />, {
    wrapper: inApp(client, { id: userId, permissions: may }),
  })
}

const box = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /Ir para a próxima conversa/ })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const place = () => window.location.pathname + window.location.search

test('finalizing leads to the client of one’s own who waits longest', async () => {
  show([here, mine(2, 30), mine(3, 20), conversationRow({ id: 40 })])
  fireEvent.click(box())
  screen.getByText('Minha: Contato 3, que espera há mais tempo.')
  press('Finalizar e ir para a próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=3'))
  expect(called).toEqual(['/api/conversations/1/finalize'])
})

test('without a client of one’s own finalizing takes the next of the queue', async () => {
  show([here, conversationRow({ id: 40 })])
  fireEvent.click(box())
  screen.getByText('Assume a próxima da fila.')
  press('Finalizar e ir para a próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=40'))
  expect(called).toEqual(['/api/conversations/1/finalize', '/api/conversations/take-next'])
  cleanup()
  window.history.pushState(null, '', '/chat?conversation=1')
  show([here])
  expect(box().checked).toBe(true)
  cleanup()
  show([here], {}, 8)
  expect(box().checked).toBe(false)
})

test.each([
  ['when nobody waits any more', { canEditConversations: true }, ['/api/conversations/take-next']],
  ['when they may not take any', {}, []],
])('after finalizing the operator returns to the list %s', async (_, may, further) => {
  isQueueEmpty = true
  show([here, conversationRow({ id: 40 })], may)
  fireEvent.click(box())
  press('Finalizar e ir para a próxima')
  await waitFor(() => expect(place()).toBe('/conversas-ativas'), { timeout: 3000 })
  expect(called).toEqual(['/api/conversations/1/finalize', ...further])
})

test('what the client has just written is shown before it can be finalized', async () => {
  written = { id: 99, content: 'e mais uma coisa' }
  show([here])
  fireEvent.change(screen.getByLabelText(/Notas do atendimento/), { target: { value: 'resolvido' } })
  press('Finalizar')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('O cliente acabou de escrever')
  expect(alert.textContent).toContain('e mais uma coisa')
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Notas do atendimento/).value).toBe('resolvido')
  press('Finalizar')
  await waitFor(() => expect(place()).toBe('/conversas-ativas'), { timeout: 3000 })
})

test('finalizing alone returns to the list as it was left, and takes nothing', async () => {
  keepPlace('?tab=mine&page=2')
  show([here, mine(2, 30), conversationRow({ id: 40 })])
  press('Finalizar')
  await waitFor(() => expect(place()).toBe('/conversas-ativas?tab=mine&page=2'), { timeout: 3000 })
  expect(called).toEqual(['/api/conversations/1/finalize'])
})
