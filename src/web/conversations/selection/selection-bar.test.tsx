// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ConversationRead } from '#shared/conversations/reads.ts'
import type { Flags } from '#shared/permissions.ts'
import type { Operator } from '#shared/users/users.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'
import { toastStore } from '#web/ui/states/toast.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useSelection } from './use-selection.ts'
import { inApp } from '#web/users/test-app.tsx'

const team = [7, 8, 9].map(
  (id) =>
    ({
      id,
      name: ['Ana', 'Bruno', 'Carla'][id - 7],
      role: 'operator',
      presence: 'online',
      activeConversations: 0,
      capacity: 5,
      numberIds: null,
    }) as Operator,
)
const lastMessage = { ...messageRow({ id: 9 }), senderId: undefined, senderName: undefined }
const rows = [1, 2, 3].map((id) =>
  conversationRow({ id, assignedUserId: 7, contactMessageCount: 2, lastMessage }),
)

let called: string[]
let bodies: unknown[]
let reads: ConversationRead[]
/** Answers by conversation; a number is the status of a refusal, 0 a network failure. */
let answer: (path: string, id: number) => object | number
let refusal: { code: string; message: string }

beforeEach(() => {
  called = []
  bodies = []
  reads = []
  refusal = { code: 'conversations.taken', message: 'A conversa já está com Carla.' }
  answer = (_path, id) => ({ conversation: finalized(id) })
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit) => {
    const id = Number(/\d+/.exec(path)?.[0])
    called.push(`${method} ${path}`)
    if (typeof body === 'string') bodies.push(JSON.parse(body))
    const lists: Record<string, object> = {
      '/api/conversations/reads': reads,
      '/api/users/operators': team,
    }
    const reply = lists[path] ?? answer(path, id)
    if (reply === 0) throw new TypeError('network')
    if (typeof reply === 'object') return new Response(JSON.stringify(reply))
    return new Response(JSON.stringify(refusal), { status: reply })
  })
})

const finalized = (id: number) => conversationRow({ id, status: 'completed', version: 2 })
const posts = () => called.filter((each) => each.startsWith('POST'))
const press = (name: string) => fireEvent.click(screen.getAllByRole('button', { name })[0] as HTMLElement)

function List({ given }: { given: readonly Conversation[] }) {
  const selection = useSelection(given, 'Todas')
  return (
    <>
      <button type="button" onClick={selection.chooseAll}>
        todas
      </button>
      {selection.isOn && <SelectionBar selection={selection} onClose={selection.end} />}
    </>
  )
}

/** Chooses all the conversations. */
function show(may: Partial<Flags> = {}, given = rows) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(conversationQueries.open().queryKey, given)
  const permissions = {
    canViewConversations: true,
    canFinalizeConversations: true,
    canTransferConversations: true,
    ...may,
  } as Flags
  const { rerender } = render(<List given={given} />, { wrapper: inApp(client, { permissions }) })
  fireEvent.click(screen.getByRole('button', { name: 'todas' }))
  return Object.assign(client, { push: (pushed: typeof rows) => rerender(<List given={pushed} />) })
}

const finalize = () => {
  press('Finalizar')
  fireEvent.click(screen.getByRole('button', { name: 'Finalizar 3 conversas' }))
}

test('each selected conversation is finalized once, however often it is pressed', async () => {
  show()
  press('Finalizar')
  const button = screen.getByRole('button', { name: 'Finalizar 3 conversas' })
  fireEvent.click(button)
  fireEvent.click(button)
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Seleção' })).toBeNull())
  expect(posts().toSorted()).toEqual([1, 2, 3].map((id) => `POST /api/conversations/${id}/finalize`))
  expect(toastStore.get()?.title).toBe('3 conversas finalizadas')
})

test('a bulk action reports refusals and failures, and retries only failures', async () => {
  answer = (_path, id) => (id === 1 ? { conversation: finalized(1) } : id === 2 ? 409 : 0)
  show()
  finalize()
  await screen.findByText('1 conversa finalizada · 1 recusada · 1 falhou')
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'C1Contato 1Finalizada',
    'C2Contato 2A conversa já está com Carla.',
    'C3Contato 3Erro de conexão. Verifique sua internet e tente novamente.',
  ])
  called = []
  reads = []
  answer = (_path, id) => ({ conversation: finalized(id) })
  press('Tentar de novo')
  await screen.findByText('2 conversas finalizadas · 1 recusada')
  expect(posts()).toEqual(['POST /api/conversations/3/finalize'])
  expect(screen.queryByRole('button', { name: 'Tentar de novo' })).toBeNull()
  press('Fechar')
  // What was not done remains selected.
  await screen.findByText('1 selecionada')
})

test('what a client writes under the dialog is not seen, so theirs is left open and named', async () => {
  answer = (_path, id) => (id === 2 ? 409 : { conversation: finalized(id) })
  refusal = { code: 'conversations.client_wrote', message: 'O cliente acabou de escrever' }
  const { push } = show()
  press('Finalizar')
  const written = { ...lastMessage, id: 10, content: 'espera' }
  push(rows.map((row) => (row.id === 2 ? { ...row, version: 2, lastMessage: written } : row)))
  fireEvent.click(screen.getByRole('button', { name: 'Finalizar 3 conversas' }))
  await screen.findByText('2 conversas finalizadas · 1 recusada')
  screen.getByText('O cliente acabou de escrever')
  const seen = { notes: '', holderId: 7, isUndoable: true }
  expect(bodies).toEqual(rows.map(() => ({ ...seen, seenMessageId: 9 })))
  // What the list shows now has been seen when it is asked again.
  bodies = []
  press('Fechar')
  press('Finalizar')
  fireEvent.click(screen.getByRole('button', { name: 'Finalizar 1 conversa' }))
  await waitFor(() => expect(bodies).toEqual([{ ...seen, seenMessageId: 10 }]))
})

test('several finalizations are undone from their notification, but those that have ended', async () => {
  show()
  finalize()
  await waitFor(() => expect(toastStore.get()?.title).toBe('3 conversas finalizadas'))
  answer = (_path, id) => (id === 3 ? 409 : { conversation: conversationRow({ id, version: 3 }) })
  refusal = { code: 'conversations.undo_too_late', message: 'O atendimento já está encerrado.' }
  toastStore.get()?.action?.onClick()
  await waitFor(() =>
    expect(toastStore.get()).toMatchObject({
      title: '2 finalizações desfeitas',
      description: '1 já não podia ser desfeita',
    }),
  )
  expect(posts().filter((call) => call.endsWith('/undo-finalize'))).toHaveLength(3)
})

test('a call whose answer was lost counts as done', async () => {
  answer = () => 0
  show()
  finalize()
  await screen.findByText('3 falharam')
  answer = (path, id) => (path.endsWith('/finalize') ? 409 : finalized(id))
  press('Tentar de novo')
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Seleção' })).toBeNull())
  expect(toastStore.get()?.title).toBe('3 conversas finalizadas')
})

test('reading calls for what is unread alone, and reports what was closed meanwhile', async () => {
  const read = { lastMessageId: 9, contactMessageCount: 2, updatedAt: '2026-11-19T12:00:00.000Z' }
  reads = [{ conversationId: 1, ...read }]
  answer = (_path, id) => ({ conversationId: id, ...read })
  const client = show()
  await waitFor(() => expect(client.getQueryData(conversationQueries.reads().queryKey)).toHaveLength(1))
  client.setQueryData(conversationQueries.open().queryKey, rows.slice(0, 2))
  press('Marcar como lidas')
  await screen.findByText('A conversa não está mais aberta.')
  await screen.findByText('2 conversas marcadas como lidas · 1 recusada')
  expect(called.filter((each) => each.startsWith('PUT'))).toEqual(['PUT /api/conversations/2/read'])
})

describe('transferring', () => {
  const passed = (id: number) => conversationRow({ id, assignedUserId: 8, version: 2 })
  const open = async () => {
    press('Transferir')
    await screen.findAllByRole('radio')
  }
  const chooseBruno = () => fireEvent.click(screen.getByRole('radio', { name: /Bruno/ }))
  const names = () => screen.getAllByRole('radio').map(({ textContent }) => textContent.slice(1, 4))
  const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Transferir \d conversas$/ })
  const passAll = async () => {
    await open()
    chooseBruno()
    fireEvent.click(confirm())
  }

  test('a bulk transfer gives each conversation to the colleague with the note', async () => {
    answer = (_path, id) => ({ conversation: passed(id) })
    const given = rows.map((row, at) => ({ ...row, assignedUserId: [7, 9, null][at] ?? null }))
    const client = show({}, given)
    await open()
    expect(confirm().disabled).toBe(true)
    chooseBruno()
    fireEvent.change(screen.getByLabelText('Observação para quem recebe'), {
      target: { value: 'pediu retorno' },
    })
    fireEvent.click(confirm())
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Seleção' })).toBeNull())
    expect(posts()).toEqual([1, 2, 3].map((id) => `POST /api/conversations/${id}/transfer`))
    expect(bodies).toEqual(
      [7, 9, null].map((holderId) => ({ newOperatorId: 8, note: 'pediu retorno', holderId })),
    )
    expect(toastStore.get()?.title).toBe('3 conversas transferidas para Bruno')
    const shown = client.getQueryData(conversationQueries.open().queryKey)
    expect(shown?.map(({ assignedUserId }) => assignedUserId)).toEqual([8, 8, 8])
  })

  test('a conversation that a colleague takes while the dialog is open is not taken from them', async () => {
    answer = (_path, id) => ({ conversation: passed(id) })
    const { push } = show()
    await open()
    push(rows.map((row) => (row.id === 2 ? { ...row, version: 2, assignedUserId: 9 } : row)))
    chooseBruno()
    fireEvent.click(confirm())
    await waitFor(() => expect(bodies).toHaveLength(3))
    expect(bodies).toEqual(rows.map(() => ({ newOperatorId: 8, note: '', holderId: 7 })))
  })

  test('a bulk transfer leaves out a colleague who has all of them', async () => {
    show()
    await open()
    expect(names()).toEqual(['Bru', 'Car'])
    cleanup()
    show(
      {},
      rows.map((row, at) => ({ ...row, assignedUserId: [8, 9, 8][at] ?? null })),
    )
    await open()
    expect(names()).toEqual(['Ana', 'Bru', 'Car'])
  })

  test('a bulk transfer names who has one already, and finds a lost answer done', async () => {
    answer = (_path, id) => (id === 1 ? { conversation: passed(1) } : id === 2 ? 409 : 0)
    show()
    await passAll()
    await screen.findByText('1 conversa transferida para Bruno · 1 recusada · 1 falhou')
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'C1Contato 1Transferida para Bruno',
      'C2Contato 2A conversa já está com Carla.',
      'C3Contato 3Erro de conexão. Verifique sua internet e tente novamente.',
    ])
    called = []
    answer = (path, id) => (path.endsWith('/transfer') ? 409 : passed(id))
    press('Tentar de novo')
    await screen.findByText('2 conversas transferidas para Bruno · 1 recusada')
    expect(posts()).toEqual(['POST /api/conversations/3/transfer'])
  })

  test('a transfer of what a colleague took meanwhile is refused', async () => {
    answer = () => 0
    show()
    await passAll()
    await screen.findByText('3 falharam')
    answer = (path, id) => (path.endsWith('/transfer') ? 409 : conversationRow({ id, assignedUserId: 9 }))
    press('Tentar de novo')
    await screen.findByText('3 recusadas')
  })
})

test('the selection offers nobody what they may not do', () => {
  show({ canFinalizeConversations: false, canTransferConversations: false })
  expect(screen.queryByRole('button', { name: 'Finalizar' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Transferir' })).toBeNull()
  expect(screen.getAllByRole('button', { name: 'Marcar como lidas' })).not.toEqual([])
})
