// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { LastReason } from '#shared/reasons/conversation-reason.ts'
import type { KnownReasons } from '#shared/reasons/reasons.ts'
import type { Flags } from '#shared/permissions.ts'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { keepPlace } from '#web/conversations/cache/list-place.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'
import { knownReasons, reasonRow } from '#web/reasons/test-reasons.ts'
import { toast, toastStore } from '#web/ui/states/toast.ts'
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
/** As a fetch of it says. */
let status: Conversation['status']
let isQueueEmpty: boolean
/** What the client has written since the dialog was opened. */
let written: { id: number; content: string } | undefined
/** Why the server does not undo, if it does not. */
let refusal: string | undefined
/** Why the server does not take the reason, if it does not. */
let reasonRefusal: string | undefined
/** Done before the server's answer to the finalization arrives. */
let beforeAnswer: () => void
let bodies: unknown[]
let known: KnownReasons
let last: LastReason[]
/** Who has the conversation, for the server. */
let taker: number
beforeEach(() => {
  refusal = undefined
  reasonRefusal = undefined
  beforeAnswer = () => undefined
  status = 'active'
  bodies = []
  known = knownReasons()
  last = []
  taker = 7
  called = []
  isQueueEmpty = false
  written = undefined
  localStorage.clear()
  keepPlace('')
  window.history.pushState(null, '', '/chat?conversation=1')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method !== 'GET') called.push(path)
    if (path === '/api/reasons') return Response.json(known)
    if (path.endsWith('/last-reasons')) return Response.json(last)
    if (path === '/api/conversations/1')
      return Response.json({ ...here, status, lastMessage: { ...here.lastMessage, ...written } })
    const { seenMessageId, holderId = taker } = JSON.parse(typeof body === 'string' ? body : '{}') as {
      seenMessageId?: number
      holderId?: number
    }
    if (holderId !== taker) {
      const taken = { code: 'conversations.taken', message: 'A conversa já está com Carla.' }
      return Response.json(taken, { status: 409 })
    }
    if (path.endsWith('/finalize') && written && seenMessageId !== written.id)
      return Response.json(
        { code: 'conversations.client_wrote', message: 'O cliente acabou de escrever' },
        { status: 409 },
      )
    if (typeof body === 'string') bodies.push(JSON.parse(body))
    if (path.endsWith('/undo-finalize'))
      return refusal === undefined
        ? Response.json({ conversation: { ...here, version: 3 } })
        : Response.json({ code: 'conversations.undo_too_late', message: refusal }, { status: 409 })
    if (path.endsWith('/finalize') && reasonRefusal !== undefined)
      return Response.json({ code: 'reasons.inactive', message: reasonRefusal }, { status: 422 })
    if (path.endsWith('/finalize')) {
      beforeAnswer()
      return Response.json({ conversation: { ...here, status: 'completed', version: 2 } })
    }
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
  const dialog = (row: Conversation) => <FinalizeDialog conversation={row} onClose={() => undefined} />
  const { rerender } = render(dialog(here), { wrapper: inApp(client, { id: userId, permissions: may }) })
  return {
    /** Shows the conversation as it is now, as a pushed event does. */
    push: (row: Conversation) => {
      act(() => patchConversation(client, row.id, row))
      rerender(dialog(row))
    },
  }
}
/** The client has written before the end was told them, and the conversation goes on. */
const reopened: Conversation = { ...here, version: 3, waitingFor: 'operator' }
const keptOpen = 'O cliente escreveu: a conversa continua'

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const place = () => window.location.pathname + window.location.search
const undo = () => toastStore.get()?.action?.onClick()

test('finalizing leads on to the next conversation of the same tab, in its order', async () => {
  keepPlace('?tab=mine')
  show([here, mine(2, 30), mine(3, 20), conversationRow({ id: 40 })])
  screen.getByText('finaliza e abre Contato 3')
  press('Finalizar e próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=3'))
  expect(called).toEqual(['/api/conversations/1/finalize'])
  expect(bodies).toEqual([expect.objectContaining({ holderId: 7, isUndoable: true })])
  expect(toastStore.get()).toMatchObject({
    title: 'Atendimento finalizado!',
    description: 'Próxima: Contato 3',
    action: { label: 'Desfazer', forMs: 5000 },
  })
})

test('Ctrl+Enter finalizes and opens the next, which after the last of the tab is the first', async () => {
  keepPlace('?tab=mine')
  show([mine(2, 5), here])
  fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true })
  await waitFor(() => expect(place()).toBe('/chat?conversation=2'))
  expect(called).toEqual(['/api/conversations/1/finalize'])
})

test('after the last conversation of one’s own the next of the queue is taken', async () => {
  keepPlace('?tab=mine')
  show([here, conversationRow({ id: 40 })])
  screen.getByText('finaliza e assume a próxima da fila')
  press('Finalizar e próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=40'))
  expect(called).toEqual(['/api/conversations/1/finalize', '/api/conversations/take-next'])
})

test('when somebody else has taken the last of the queue, the operator returns to the list', async () => {
  isQueueEmpty = true
  keepPlace('?tab=mine')
  show([here, conversationRow({ id: 40 })])
  press('Finalizar e próxima')
  await waitFor(() => expect(place()).toBe('/conversas-ativas?tab=mine'), { timeout: 3000 })
})

test('without another conversation in the tab finalizing is one button, also for Ctrl+Enter', async () => {
  keepPlace('?tab=mine')
  show([here, conversationRow({ id: 40 })], {})
  expect(screen.queryByRole('button', { name: 'Finalizar e próxima' })).toBeNull()
  fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true })
  await waitFor(() => expect(place()).toBe('/conversas-ativas?tab=mine'), { timeout: 3000 })
  expect(called).toEqual(['/api/conversations/1/finalize'])
})

test('an undone finalization leads back to the chat, and keeps the notes for the next one', async () => {
  keepPlace('?tab=mine')
  show([here, mine(3, 20)])
  fireEvent.change(screen.getByLabelText(/Notas do atendimento/), { target: { value: 'resolvido' } })
  press('Finalizar e próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=3'))
  undo()
  await waitFor(() => expect(place()).toBe('/chat?conversation=1'))
  expect(called.at(-1)).toBe('/api/conversations/1/undo-finalize')
  await waitFor(() => expect(toastStore.get()?.title).toBe('Finalização desfeita'))
  cleanup()
  show([here])
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Notas do atendimento/).value).toBe('resolvido')
})

test('a finalization undone at once does not lead to the list a moment later', async () => {
  show([here])
  press('Finalizar')
  await waitFor(() => expect(toastStore.get()?.title).toBe('Atendimento finalizado!'))
  undo()
  await waitFor(() => expect(toastStore.get()?.title).toBe('Finalização desfeita'))
  await vi.advanceTimersByTimeAsync(2000)
  expect(place()).toBe('/chat?conversation=1')
})

test('an undo that comes too late is told, unless the client has opened the conversation again', async () => {
  refusal = 'O atendimento já está encerrado e não pode mais ser reaberto.'
  status = 'completed'
  keepPlace('?tab=mine')
  show([here, mine(3, 20)])
  press('Finalizar e próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=3'))
  const action = toastStore.get()?.action
  action?.onClick()
  await waitFor(() =>
    expect(toastStore.get()).toMatchObject({ title: 'Não foi possível desfazer', description: refusal }),
  )
  expect(place()).toBe('/chat?conversation=3')
  status = 'active'
  action?.onClick()
  await waitFor(() => expect(place()).toBe('/chat?conversation=1'))
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

test('a client who writes before the tab has left keeps it in the chat, and that is said', async () => {
  const { push } = show([here])
  press('Finalizar')
  await waitFor(() => expect(toastStore.get()?.title).toBe('Atendimento finalizado!'))
  push(reopened)
  await waitFor(() => expect(toastStore.get()).toMatchObject({ tone: 'info', title: keptOpen }))
  expect(toastStore.get()?.action).toBeUndefined()
  await vi.advanceTimersByTimeAsync(2000)
  expect(place()).toBe('/chat?conversation=1')
})

test('a client who writes once the tab has left is told with a way back, and the notes stay', async () => {
  keepPlace('?tab=mine')
  const { push } = show([here, mine(3, 20)])
  fireEvent.change(screen.getByLabelText(/Notas do atendimento/), { target: { value: 'enviada a nota' } })
  press('Finalizar e próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=3'))
  push(reopened)
  await waitFor(() =>
    expect(toastStore.get()).toMatchObject({
      tone: 'info',
      title: keptOpen,
      description: 'Contato 1',
      action: { label: 'Abrir' },
    }),
  )
  expect(place()).toBe('/chat?conversation=3')
  undo()
  expect(place()).toBe('/chat?conversation=1')
  expect(called).toEqual(['/api/conversations/1/finalize'])
  cleanup()
  show([here])
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Notas do atendimento/).value).toBe('enviada a nota')
})

test('a client who writes before the answer arrives keeps the tab from going on to the next', async () => {
  keepPlace('?tab=mine')
  const { push } = show([here, mine(3, 20)])
  beforeAnswer = () => push(reopened)
  press('Finalizar e próxima')
  await waitFor(() => expect(toastStore.get()).toMatchObject({ tone: 'info', title: keptOpen }))
  await vi.advanceTimersByTimeAsync(2000)
  expect(place()).toBe('/chat?conversation=1')
})

test('a notification of something else is not replaced when the client writes', async () => {
  keepPlace('?tab=mine')
  const { push } = show([here, mine(3, 20)])
  press('Finalizar e próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=3'))
  toast({ title: 'Nota salva' })
  push(reopened)
  await vi.advanceTimersByTimeAsync(100)
  expect(toastStore.get()?.title).toBe('Nota salva')
})

test('an undo that the client has forestalled leads back and says so', async () => {
  refusal = 'O atendimento já está encerrado e não pode mais ser reaberto.'
  keepPlace('?tab=mine')
  show([here, mine(3, 20)])
  press('Finalizar e próxima')
  await waitFor(() => expect(place()).toBe('/chat?conversation=3'))
  undo()
  await waitFor(() => expect(toastStore.get()).toMatchObject({ tone: 'info', title: keptOpen }))
  expect(place()).toBe('/chat?conversation=1')
})

test('a conversation that was undone is not said to be kept open by the client', async () => {
  const { push } = show([here])
  press('Finalizar')
  await waitFor(() => expect(toastStore.get()?.title).toBe('Atendimento finalizado!'))
  undo()
  push(reopened)
  await waitFor(() => expect(toastStore.get()?.title).toBe('Finalização desfeita'))
  await vi.advanceTimersByTimeAsync(100)
  expect(toastStore.get()?.title).toBe('Finalização desfeita')
})

test('what a colleague takes while the dialog is open is refused once, with their name', async () => {
  const { push } = show([here])
  taker = 9
  push({ ...here, assignedUserId: 9, version: 2 })
  press('Finalizar')
  await waitFor(() => expect(toastStore.get()?.title).toContain('A conversa já está com Carla.'))
  press('Finalizar')
  await waitFor(() => expect(bodies).toHaveLength(1))
  expect(bodies).toEqual([expect.objectContaining({ holderId: 9 })])
})

test('a late message above the last one was seen, and what comes under the dialog was not', async () => {
  const { queryKey } = conversationQueries.messages(1)
  const client = new QueryClient()
  client.setQueryData(queryKey, {
    pages: [[messageRow({ id: 12 }), messageRow({ id: 11 })]],
    pageParams: [null],
  })
  const last = {
    ...here,
    lastMessage: { ...messageRow({ id: 11 }), senderId: undefined, senderName: undefined },
  }
  render(<FinalizeDialog conversation={last} onClose={() => undefined} />, { wrapper: inApp(client) })
  client.setQueryData(queryKey, {
    pages: [[messageRow({ id: 12 }), messageRow({ id: 13 })]],
    pageParams: [null],
  })
  press('Finalizar')
  await waitFor(() => expect(bodies).toEqual([expect.objectContaining({ seenMessageId: 12 })]))
})

const finance = reasonRow(1, 'Financeiro')
const copy = reasonRow(2, 'Segunda via', { parentId: 1 })
const question = reasonRow(3, 'Dúvida')
const old = reasonRow(4, 'Antigo', { isActive: false })
const ofOthers = reasonRow(5, 'Instalação', { sectorId: 9 })
const several = [finance, copy, question, old, ofOthers]
const options = () => screen.getAllByRole('option').map((option) => option.textContent)
const field = () => screen.findByRole('combobox')
const type = async (text: string) => fireEvent.change(await field(), { target: { value: text } })
const key = async (name: string, more = {}) => fireEvent.keyDown(await field(), { key: name, ...more })

test('a dialog of an installation without reasons asks for none, and sends none', async () => {
  show([here])
  await waitFor(() => expect(screen.getByRole('button', { name: 'Finalizar' })).toBeTruthy())
  expect(screen.queryByRole('combobox')).toBeNull()
  press('Finalizar')
  await waitFor(() => expect(bodies).toEqual([expect.not.objectContaining({ reasonId: expect.anything() })]))
})

test('the last reasons of a contact come first, and the figures choose what they stand beside', async () => {
  known = knownReasons(several)
  last = [
    { reasonId: 3, at: '2026-11-12T12:00:00.000Z', isOfLast: true },
    { reasonId: 4, at: '2026-11-11T12:00:00.000Z', isOfLast: false },
  ]
  show([here])
  await field()
  await waitFor(() =>
    expect(options()).toEqual(['1Dúvidausado na última conversa', '2Financeiro › Segunda via']),
  )
  await key('2')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Segunda via')
  fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true })
  await waitFor(() => expect(bodies).toEqual([expect.objectContaining({ reasonId: 2 })]))
  expect(toastStore.get()?.description).toBe('Motivo: Financeiro › Segunda via')
})

test('what is typed is found in both levels, and figures are typed then', async () => {
  known = knownReasons(several)
  show([here])
  await type('fin seg')
  expect(options()).toEqual(['Financeiro › Segunda via'])
  await key('1')
  expect(screen.queryByRole('option', { selected: true })).toBeNull()
  await key('Enter')
  expect(screen.getByRole('option', { selected: true })).toBeTruthy()
  // Chosen once more it is not chosen.
  await key('Enter')
  expect(screen.queryByRole('option', { selected: true })).toBeNull()
  await type('garantia')
  screen.getByText('Nenhum motivo com “garantia”')
  await key('Escape')
  expect(options()).toHaveLength(2)
})

test('the arrows move over the reasons, and Enter chooses', async () => {
  known = knownReasons(several)
  show([here])
  await key('ArrowDown')
  await key('ArrowDown')
  await key('Enter')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Dúvida')
  await key('ArrowDown')
  expect((await field()).getAttribute('aria-activedescendant')).toMatch(/-2$/)
})

test('a required reason is asked for before anything is sent', async () => {
  known = knownReasons(several, { ask: 'required' })
  show([here])
  await field()
  press('Finalizar')
  expect((await screen.findByRole('alert')).textContent).toBe('Escolha o motivo')
  expect(bodies).toEqual([])
  await key('1')
  expect(screen.queryByRole('alert')).toBeNull()
  press('Finalizar')
  await waitFor(() => expect(bodies).toEqual([expect.objectContaining({ reasonId: 2 })]))
})

test('a reason that the server refuses is said at its field, and the dialog stays', async () => {
  known = knownReasons(several)
  reasonRefusal = 'O motivo Dúvida foi desativado. Escolha outro.'
  show([here])
  await key('2')
  press('Finalizar')
  expect((await screen.findByRole('alert')).textContent).toBe(reasonRefusal)
  expect(place()).toBe('/chat?conversation=1')
})
