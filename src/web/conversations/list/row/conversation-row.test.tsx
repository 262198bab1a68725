// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Flags } from '#shared/permissions.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { useSelection } from '#web/conversations/selection/use-selection.ts'
import { toastStore } from '#web/ui/states/toast.ts'
import { ConversationRow } from './conversation-row.tsx'
import { inApp } from '#web/users/test-app.tsx'

let calls: [string, unknown][]
/** Why the server refuses, if it does. */
let refusal: string | undefined
beforeEach(() => {
  window.history.pushState(null, '', '/conversas-ativas')
  calls = []
  refusal = undefined
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit) => {
    if (method === 'GET') return Response.json([])
    calls.push([`${method} ${path}`, JSON.parse(body as string)])
    if (refusal) return Response.json({ code: 'conversations.taken', message: refusal }, { status: 409 })
    return Response.json({ conversation: conversationRow({ assignedUserId: 7, version: 2 }) })
  })
})

const nowMs = Date.parse('2026-11-19T12:00:30.000Z')
const others = {
  assignedUserId: 2,
  assignedUser: { id: 2, name: 'Bruno Tavares' },
  subStatus: 'OPERADOR',
} as const

function List({ rows, unread }: { rows: Conversation[]; unread: number }) {
  const selection = useSelection(rows, '')
  return rows.map((row) => (
    <ConversationRow
      key={row.id}
      conversation={row}
      unread={unread}
      isMine={row.assignedUserId === 7}
      selection={selection}
      nowMs={nowMs}
    />
  ))
}

function show(
  rows: Conversation[],
  { unread = 0, may = {} }: { unread?: number; may?: Partial<Flags> } = {},
) {
  render(<List rows={rows} unread={unread} />, { wrapper: inApp(new QueryClient(), { permissions: may }) })
}

test('a client who has just begun to wait waits since now, and not for 0 minutes', () => {
  show([conversationRow()])
  screen.getByText('agora')
})

test("the operator of a colleague's conversation is named, mine is marked", () => {
  show([conversationRow({ id: 1, ...others })])
  screen.getByText('Com Bruno Tavares')
  expect(screen.queryByText('Minha conversa')).toBeNull()
  cleanup()
  show([conversationRow({ id: 1, ...others, assignedUserId: 7 })])
  expect(screen.queryByText(/^Com /)).toBeNull()
  screen.getByText('Minha conversa')
})

test('a client known by a number alone has an icon, and so has a colleague without letters', () => {
  const contact = { ...conversationRow().contact, name: '+55 11 98734-2210' }
  show([conversationRow({ id: 1, ...others, contact, assignedUser: { id: 2, name: '007' } })])
  const shown = (title: string) =>
    screen
      .getAllByTitle(title)
      .filter((element) => element.matches('.avatar'))
      .map((element) => [element.querySelectorAll('svg').length, element.textContent])
  expect(shown('+55 11 98734-2210')).toEqual([[1, '']])
  expect(shown('Com 007')).toEqual([[1, 'Com 007']])
  cleanup()
  show([conversationRow({ id: 1, ...others })])
  expect(shown('Contato 1')).toEqual([[0, 'C1']])
  expect(shown('Com Bruno Tavares')).toEqual([[0, 'BTCom Bruno Tavares']])
})

test('the time of a row says of what it is, and when the conversation began', () => {
  const [startedAt, lastActivityAt] = ['2026-11-18T12:05:00.000Z', '2026-11-19T11:40:00.000Z']
  show([conversationRow({ startedAt, lastActivityAt })])
  const time = document.querySelector('time')
  expect(time?.title).toBe('Última atividade 19/11/2026 08:40 · início 18/11/2026 09:05')
  expect(time?.textContent).toBe('Última atividade 08:40, início 18/11/2026 09:05')
})

test('a row shows name, preview and time in bold while something is unread', () => {
  const weights = () =>
    [
      screen.getByText('Contato 1'),
      screen.getByText('Nenhuma mensagem ainda').parentElement,
      document.querySelector('time'),
    ].map((element) => /font-\w+/.exec(element?.className ?? '')?.[0])
  show([conversationRow()])
  expect(weights()).toEqual(['font-medium', undefined, undefined])
  expect(document.querySelector('time')?.className).not.toContain('text-accent-text')
  cleanup()
  show([conversationRow()], { unread: 2 })
  expect(weights()).toEqual(['font-semibold', 'font-medium', 'font-medium'])
  expect(document.querySelector('time')?.className).toContain('text-accent-text')
})

test('under the mouse or with the focus a row offers what one may do with it', () => {
  const buttons = () => screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label'))
  const offered = () => {
    expect(buttons()).toEqual([])
    fireEvent.pointerEnter(screen.getByRole('link'), { pointerType: 'mouse' })
    const byMouse = buttons()
    fireEvent.pointerLeave(screen.getByRole('link'))
    act(() => screen.getByRole('link').focus())
    expect(buttons()).toEqual(byMouse)
    return byMouse
  }
  const may = { canEditConversations: true, canTransferConversations: true }
  show([conversationRow()], { may })
  expect(offered()).toEqual(['Assumir', 'Transferir'])
  cleanup()
  show([conversationRow(others)], { may })
  expect(offered()).toEqual(['Transferir'])
  cleanup()
  show([conversationRow()])
  expect(offered()).toEqual([])
})

test('a conversation is taken from its row, without leaving the list', async () => {
  const take = () => {
    act(() => screen.getByRole('link').focus())
    fireEvent.click(screen.getByRole('button', { name: 'Assumir' }))
  }
  show([conversationRow()], { may: { canEditConversations: true } })
  take()
  const call = ['PATCH /api/conversations/1/assign-operator', { operatorId: 7, holderId: null }]
  await waitFor(() => expect(calls).toEqual([call]))
  expect(window.location.pathname).toBe('/conversas-ativas')
  expect(toastStore.get()).toBeUndefined()
  cleanup()
  refusal = 'A conversa já está com Carla.'
  show([conversationRow()], { may: { canEditConversations: true } })
  take()
  await waitFor(() =>
    expect(toastStore.get()).toMatchObject({ title: 'Erro ao assumir conversa', description: refusal }),
  )
  expect(window.location.pathname).toBe('/conversas-ativas')
})

test('while something is selected a click on a row selects it, and opens no chat', () => {
  show([1, 2, 3].map((id) => conversationRow({ id })))
  const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked)
  const link = (id: number) => screen.getAllByRole('link')[id - 1] as HTMLElement
  fireEvent.click(screen.getByRole('checkbox', { name: 'Selecionar Contato 1' }))
  fireEvent.click(link(3), { shiftKey: true })
  expect(boxes()).toEqual([true, true, true])
  fireEvent.click(link(2))
  expect(boxes()).toEqual([true, false, true])
  expect(window.location.pathname).toBe('/conversas-ativas')
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(boxes()).toEqual([false, false, false])
  fireEvent.click(link(2))
  expect(window.location.pathname).toBe('/chat')
})
