// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Flags } from '#shared/permissions.ts'
import { paletteAsked } from '#web/platform/commands.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { ConversationPane } from './conversation-pane.tsx'
import { inApp } from '#web/users/test-app.tsx'

let called: string[]
let enableSoundNotifications: boolean
beforeEach(() => {
  called = []
  enableSoundNotifications = true
  localStorage.clear()
  window.history.pushState(null, '', '/chat?conversation=1')
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    called.push(`${method} ${path}`)
    if (path === '/api/system-settings') return Response.json({ enableSoundNotifications })
    return Response.json(path.endsWith('/take-next') ? { conversation: conversationRow({ id: 40 }) } : [])
  })
  // The rows that fit are drawn.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
})
afterEach(() => {
  vi.restoreAllMocks()
})

function show(open: Conversation[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(conversationQueries.open().queryKey, open)
  const permissions = { canViewConversations: true, canEditConversations: true } as Flags
  render(<ConversationPane selectedId={1} userId={7} />, { wrapper: inApp(client, { permissions }) })
}

const minute = (at: number) => `2026-11-19T12:${at}:00.000Z`
/** By start; the first was active last, and the second waits longest. */
const rows = [
  conversationRow({ id: 1, lastActivityAt: minute(30), waitingSince: minute(20) }),
  conversationRow({ id: 2, lastActivityAt: minute(10), waitingSince: minute(10) }),
  conversationRow({ id: 3, lastActivityAt: minute(20), waitingSince: minute(15) }),
]
const order = async () =>
  (await screen.findAllByRole('link')).map((link) => /Contato \d/.exec(link.textContent)?.[0].at(-1))
const press = (name: RegExp | string) => fireEvent.click(screen.getByRole('button', { name }))

test("'Todas' is by start, and each tab keeps the order that is chosen for it", async () => {
  show(rows)
  press(/^Todas/)
  expect(await order()).toEqual(['1', '2', '3'])
  press('Ordenar: início')
  const menu = within(await screen.findByRole('menu'))
  expect(menu.getAllByRole('menuitemradio').map((item) => item.textContent)).toEqual([
    'Início',
    'Quem espera há mais tempo',
    'Última mensagem',
  ])
  expect(menu.getByRole('menuitemradio', { checked: true }).textContent).toBe('Início')
  fireEvent.click(menu.getByText('Última mensagem'))
  await screen.findByRole('button', { name: 'Ordenar: última mensagem' })
  expect(await order()).toEqual(['1', '3', '2'])
  press(/^Fila/)
  screen.getByRole('button', { name: 'Ordenar: início' })
  press(/^Minhas/)
  screen.getByRole('button', { name: 'Ordenar: quem espera há mais tempo' })
  press(/^Todas/)
  screen.getByRole('button', { name: 'Ordenar: última mensagem' })
})

test('a pane without conversations offers the next of the queue', async () => {
  show(rows)
  press(/^Minhas/)
  screen.getByText('Você não tem conversas abertas')
  expect(screen.queryByRole('button', { name: 'Passar meu turno' })).toBeNull()
  press('Assumir próxima')
  await waitFor(() => expect(window.location.search).toBe('?conversation=40'))
  expect(called).toContain('POST /api/conversations/take-next')
  cleanup()
  show([conversationRow({ id: 1, assignedUserId: 7 })])
  press(/^Minhas/)
  screen.getByRole('button', { name: 'Passar meu turno' })
  expect(screen.queryByRole('button', { name: 'Assumir próxima' })).toBeNull()
})

test('the pane switches the sound of this browser off and on', async () => {
  show(rows)
  expect(screen.getByRole('button', { name: 'Som ativo' }).getAttribute('aria-pressed')).toBe('true')
  press('Som ativo')
  expect(screen.getByRole('button', { name: 'Som desligado' }).getAttribute('aria-pressed')).toBe('false')
  cleanup()
  show(rows)
  press('Som desligado')
  screen.getByRole('button', { name: 'Som ativo' })
  cleanup()
  enableSoundNotifications = false
  show(rows)
  const name = 'Os sons estão desligados para todos, nas configurações'
  expect((await screen.findByRole<HTMLButtonElement>('button', { name })).disabled).toBe(true)
})

test('a search of the pane that finds nobody offers to look for the words in the messages', async () => {
  const asked: string[] = []
  const off = paletteAsked.on((typed) => asked.push(typed))
  show(rows)
  press(/^Todas/)
  const type = (value: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value } })
  type('x')
  screen.getByText('Nenhuma conversa encontrada')
  expect(screen.queryByRole('button', { name: /nas mensagens$/ })).toBeNull()
  type('caixa azul ')
  press('Procurar “caixa azul” nas mensagens')
  expect(asked).toEqual(['caixa azul'])
  off()
})
