// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import type { Operator } from '#shared/users/users.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { testSector } from '#web/sectors/test-sectors.ts'
import { toastStore } from '#web/ui/states/toast.ts'
import type { GoOn } from './go-on.tsx'
import { TransferDialog } from './transfer-dialog.tsx'
import { inApp } from '#web/users/test-app.tsx'

const bruno = {
  id: 8,
  name: 'Bruno',
  role: 'operator',
  presence: 'online',
  activeConversations: 0,
  capacity: 5,
  numberIds: null,
} as Operator
const waitingSince = '2026-11-19T12:00:00.000Z'
const here = conversationRow({ id: 1, assignedUserId: 7, subStatus: 'OPERADOR', waitingSince })

let called: string[]
let bodies: unknown[]
let isRefused: boolean
let sectors: Sector[]
const onClose = vi.fn<() => void>()
beforeEach(() => {
  called = []
  bodies = []
  isRefused = false
  sectors = []
  onClose.mockClear()
  leave.mockClear()
  localStorage.clear()
  window.history.pushState(null, '', '/chat?conversation=1')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit) => {
    if (path === '/api/users/operators') return Response.json([bruno])
    if (path === '/api/sectors') return Response.json(sectors)
    if (path === '/api/sectors/queues') return Response.json([{ sectorId: 3, waiting: 2, waitingSince }])
    called.push(`${method} ${path}`)
    if (typeof body === 'string') bodies.push(JSON.parse(body))
    if (isRefused)
      return Response.json({ code: 'conversations.taken', message: 'Já é de Carla.' }, { status: 409 })
    return Response.json({ conversation: { ...here, assignedUserId: 8, version: 2 } })
  })
})

const leave = vi.fn<GoOn['leave']>(() => () => undefined)
const toNext: GoOn = { hint: 'abre Zélia', nextName: 'Zélia', leave }

/** Shows the dialog, and chooses Bruno. */
async function show(goOn?: GoOn, conversation = here) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  const dialog = (row: Conversation) => (
    <TransferDialog conversation={row} {...(goOn && { goOn })} onClose={onClose} />
  )
  const { rerender } = render(dialog(conversation), {
    wrapper: inApp(client, { permissions: { canEditConversations: true } }),
  })
  fireEvent.click(await screen.findByRole('radio', { name: /Bruno/ }))
  return {
    /** Shows the conversation as it is now. */
    push: (row: Conversation) => {
      client.setQueryData(conversationQueries.open().queryKey, [row])
      rerender(dialog(row))
    },
  }
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('a transfer leads on to the next conversation, and says which', async () => {
  await show(toNext)
  screen.getByText('transfere e abre Zélia')
  fireEvent.change(screen.getByLabelText('Observação para quem recebe'), { target: { value: 'é com você' } })
  press('Transferir e próxima')
  await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(true))
  expect(called).toEqual(['POST /api/conversations/1/transfer'])
  expect(bodies).toEqual([{ newOperatorId: 8, note: 'é com você', holderId: 7 }])
  expect(onClose).toHaveBeenCalledOnce()
  expect(toastStore.get()).toMatchObject({
    title: 'Conversa transferida!',
    description: 'Próxima: Zélia',
  })
})

test('a transfer alone leads back to the list, and Ctrl+Enter to the next conversation', async () => {
  await show(toNext)
  press('Transferir')
  await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(false))
  cleanup()
  leave.mockClear()
  await show(toNext)
  fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true })
  await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(true))
})

test('a transfer from a list does not go on to another chat', async () => {
  await show()
  expect(screen.queryByRole('button', { name: 'Transferir e próxima' })).toBeNull()
  press('Transferir')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('a refusal is reported, and keeps the dialog and the chat', async () => {
  isRefused = true
  await show(toNext)
  press('Transferir e próxima')
  await waitFor(() => expect(toastStore.get()?.title).toBe('Erro ao transferir conversa: Já é de Carla.'))
  expect(onClose).not.toHaveBeenCalled()
  expect(leave).not.toHaveBeenCalled()
})

test('what a colleague takes while the dialog is open is refused once, with their name', async () => {
  isRefused = true
  const { push } = await show()
  push({ ...here, assignedUserId: 9, version: 2 })
  press('Transferir')
  await waitFor(() => expect(toastStore.get()?.title).toBe('Erro ao transferir conversa: Já é de Carla.'))
  press('Transferir')
  await waitFor(() => expect(bodies).toHaveLength(2))
  expect(bodies).toEqual([7, 9].map((holderId) => ({ newOperatorId: 8, note: '', holderId })))
})

test('where there are sectors a conversation goes to the queue of one, with its note', async () => {
  sectors = [testSector(3, 'Financeiro', [8]), testSector(4, 'Suporte', [])]
  await show(toNext)
  fireEvent.click(await screen.findByRole('radio', { name: 'Setor' }))
  const financeiro = await screen.findByRole('radio', { name: /Financeiro/ })
  await waitFor(() => expect(financeiro.textContent).toContain('2 na fila'))
  expect(financeiro.textContent).toContain('1 pessoa, 1 disponível')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Transferir' }).disabled).toBe(true)
  fireEvent.click(financeiro)
  fireEvent.change(screen.getByLabelText('Observação para quem recebe'), { target: { value: 'quer boleto' } })
  press('Transferir')
  await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(false))
  expect(called).toEqual(['POST /api/conversations/1/transfer-to-sector'])
  expect(bodies).toEqual([{ sectorId: 3, note: 'quer boleto', holderId: 7 }])
})

test('the sector that has been chosen stays in sight while another is looked for', async () => {
  sectors = [testSector(3, 'Financeiro', [8]), testSector(4, 'Suporte', [])]
  await show(toNext)
  fireEvent.click(await screen.findByRole('radio', { name: 'Setor' }))
  fireEvent.click(await screen.findByRole('radio', { name: /Financeiro/ }))
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'sup' } })
  const [first, second] = within(screen.getByRole('radiogroup', { name: 'Para qual setor' })).getAllByRole(
    'radio',
  )
  expect([first?.textContent, second?.textContent]).toEqual([
    expect.stringContaining('Suporte'),
    expect.stringContaining('Financeiro'),
  ])
  expect(second?.getAttribute('aria-checked')).toBe('true')
})

test('whoever is in several sectors receives it in the one that is chosen', async () => {
  sectors = [testSector(3, 'Financeiro', [8]), testSector(4, 'Suporte', [8])]
  await show()
  fireEvent.click(await screen.findByRole('radio', { name: 'Suporte' }))
  press('Transferir')
  await waitFor(() => expect(bodies).toEqual([{ newOperatorId: 8, note: '', holderId: 7, sectorId: 4 }]))
})

test('the sector of now is marked, and what waits in its queue does not go there', async () => {
  sectors = [testSector(3, 'Financeiro', [8]), testSector(4, 'Suporte', [])]
  const isOff = async () => {
    fireEvent.click(await screen.findByRole('radio', { name: 'Setor' }))
    const item = await screen.findByRole<HTMLButtonElement>('radio', { name: /Financeiro.*está aqui/ })
    return item.disabled
  }
  await show(undefined, { ...here, sectorId: 3 })
  expect(await isOff()).toBe(false)
  cleanup()
  await show(undefined, { ...here, sectorId: 3, assignedUserId: null })
  expect(await isOff()).toBe(true)
})

test('Esc asks before a note is lost, and transfers nothing meanwhile', async () => {
  await show(toNext)
  const field = screen.getByLabelText<HTMLTextAreaElement>('Observação para quem recebe')
  fireEvent.change(field, { target: { value: 'é com você' } })
  fireEvent.keyDown(field, { key: 'Escape' })
  await screen.findByRole('dialog', { name: 'Descartar o que você escreveu?' })
  fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true })
  press('Continuar editando')
  expect(field.value).toBe('é com você')
  expect([called, onClose.mock.calls]).toEqual([[], []])
  press('Cancelar')
  await screen.findByRole('dialog', { name: 'Descartar o que você escreveu?' })
  press('Descartar')
  expect(onClose).toHaveBeenCalledOnce()
})
