// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Flags } from '#shared/permissions.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import { keepPlace, listAddress } from '#web/conversations/cache/list-place.ts'
import { paletteAsked } from '#web/platform/commands.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import type { SavedView } from '#shared/views/views.ts'
import { sectorQueries } from '#web/sectors/sectors.tsx'
import { toastStore } from '#web/ui/states/toast.ts'
import { viewQueries } from '#web/views/views.tsx'
import { testSector } from '#web/sectors/test-sectors.ts'
import { InboxPane } from './inbox-pane.tsx'
import { inApp } from '#web/users/test-app.tsx'

let called: string[]
let enableSoundNotifications: boolean
let views: SavedView[]
beforeEach(() => {
  called = []
  views = []
  keepPlace('')
  enableSoundNotifications = true
  localStorage.clear()
  window.history.pushState(null, '', '/chat?conversation=1')
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit) => {
    called.push(`${method} ${path}${typeof body === 'string' ? ` ${body}` : ''}`)
    if (path.includes('search=')) return Response.json(noneFound)
    // The rows that are known stand in for a page that is under way.
    if (path.startsWith('/api/conversations?page=')) return new Promise<never>(() => undefined)
    if (path === '/api/views') return Response.json(views)
    if (path === '/api/system-settings') return Response.json({ enableSoundNotifications })
    return Response.json(path.endsWith('/take-next') ? { conversation: conversationRow({ id: 40 }) } : [])
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const noneFound = {
  conversations: [],
  pagination: { currentPage: 1, itemsPerPage: 10, totalItems: 0, totalPages: 1, hasNextPage: false },
}

function show(open: Conversation[], openId = 1, sectors: Sector[] = []) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(conversationQueries.open().queryKey, open)
  client.setQueryData(sectorQueries.known().queryKey, sectors)
  const permissions = { canViewConversations: true, canEditConversations: true } as Flags
  render(<InboxPane openId={openId} />, {
    wrapper: inApp(client, { permissions, hasSectors: sectors.length > 0, hasViews: views.length > 0 }),
  })
  return client
}

const minute = (at: number) => `2026-11-19T12:${at}:00.000Z`
/** By start; the first was active last, and the second waits longest. */
const rows = [
  conversationRow({ id: 1, lastActivityAt: minute(30), waitingSince: minute(20) }),
  conversationRow({ id: 2, lastActivityAt: minute(10), waitingSince: minute(10) }),
  conversationRow({ id: 3, lastActivityAt: minute(20), waitingSince: minute(15) }),
]
const orderOf = (links: HTMLElement[]) => links.map((link) => /Contato \d/.exec(link.textContent)?.[0].at(-1))
const order = async () => orderOf(await screen.findAllByRole('link'))
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

test('a saved view counts by the clock as targets come near, the first to run out on top', async () => {
  await import('#web/conversations/list/controls/view-tabs.tsx')
  vi.useFakeTimers({ now: Date.parse(minute(40)), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const near = (dueAt: string, nearAt: string) => ({ sla: { clock: 'reply' as const, dueAt, nearAt } })
  views = [
    {
      id: 5,
      name: 'Em risco',
      content: { tab: 'all', order: 'sla', sla: 'near' },
      ownerId: 7,
      ownerName: 'Eu',
      isShared: false,
      sectorId: null,
      isChangeable: true,
      version: 1,
    },
  ]
  keepPlace('?visao=5')
  const client = show([
    conversationRow({ id: 1, ...near(minute(59), minute(41)) }),
    conversationRow({ id: 2, ...near(minute(45), minute(30)) }),
    conversationRow({ id: 3 }),
    conversationRow({ id: 4, ...near(minute(58), minute(57)) }),
  ])
  client.setQueryData(viewQueries.seen().queryKey, views)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  const listedNow = () => orderOf(screen.getAllByRole('link'))
  await vi.waitFor(() => screen.getByRole('button', { name: /^Em risco.*1/ }))
  expect(listedNow()).toEqual(['2'])
  await act(() => vi.advanceTimersByTimeAsync(91_000))
  screen.getByRole('button', { name: /^Em risco.*2/ })
  expect(listedNow()).toEqual(['2', '1'])
  vi.useRealTimers()
})

test('a filter shows what is on hold beside the rest of a tab, or alone', async () => {
  const held = conversationRow({ id: 2, snoozedUntil: '2026-11-20T12:00:00.000Z' })
  keepPlace('?emespera=too')
  show([conversationRow({ id: 1 }), held])
  expect(new Set(await order())).toEqual(new Set(['1', '2']))
  cleanup()
  keepPlace('?emespera=only')
  show([conversationRow({ id: 1 }), held])
  expect(await order()).toEqual(['2'])
  cleanup()
  keepPlace('')
  show([conversationRow({ id: 1 }), held])
  expect(await order()).toEqual(['1'])
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

test("beside a chat the pane shows the chat's page, and turns its pages without leaving it", async () => {
  const many = Array.from({ length: 23 }, (_, n) =>
    conversationRow({ id: 101 + n, startedAt: minute(10 + n), assignedUserId: null }),
  )
  show(many, 115)
  await screen.findByText('11-20 de 23 conversas')
  expect(screen.getByRole('link', { current: 'page' }).getAttribute('href')).toBe('/chat?conversation=115')
  press('Página anterior')
  await screen.findByText('1-10 de 23 conversas')
  expect(window.location.search).toBe('?conversation=1')
  expect(listAddress()).toBe('/conversas-ativas')
  press('Última página')
  await screen.findByText('21-23 de 23 conversas')
  expect(listAddress()).toBe('/conversas-ativas?page=3')
})

test('the queue is counted whole, and of the other tabs what is unread', async () => {
  show([
    conversationRow({ id: 1, assignedUserId: 7, subStatus: 'OPERADOR', contactMessageCount: 3 }),
    conversationRow({ id: 2, contactMessageCount: 0 }),
    conversationRow({ id: 3, contactMessageCount: 0 }),
  ])
  const count = (name: RegExp) => screen.getByRole('button', { name }).textContent
  expect(count(/^Fila/)).toBe('Fila2 conversas')
  await waitFor(() => expect(count(/^Minhas/)).toBe('Minhas11 conversa não lida'))
  expect(count(/^Todas/)).toBe('Todas11 conversa não lida')
})

test('the pane has the words and buttons for sound of the list', async () => {
  show(rows)
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Conversas Ativas')
  screen.getByRole('button', { name: 'Testar som de nova conversa' })
  screen.getByRole('button', { name: 'Testar som de mudança de status' })
  press('Som Ativo')
  expect(screen.getByRole('button', { name: 'Som Off' }).getAttribute('aria-pressed')).toBe('false')
  cleanup()
  enableSoundNotifications = false
  show(rows)
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Som Off' }).disabled).toBe(true),
  )
})

test('a search of the pane that finds nobody offers to look for the words in the messages', async () => {
  const asked: string[] = []
  const off = paletteAsked.on((typed) => asked.push(typed))
  show(rows)
  press(/^Todas/)
  const type = (value: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value } })
  type('x')
  await screen.findByText('Nenhuma conversa corresponde à busca aplicada')
  expect(screen.queryByRole('button', { name: /nas mensagens$/ })).toBeNull()
  type('caixa azul ')
  await screen.findByRole('button', { name: /nas mensagens$/ })
  press('Procurar “caixa azul” nas mensagens')
  expect(asked).toEqual(['caixa azul'])
  off()
})

test('what a search finds takes the place of the rows that the pointer is over', async () => {
  const answer = Promise.withResolvers<void>()
  const known = globalThis.fetch
  const page = (found: Conversation[]) =>
    Response.json({
      conversations: found,
      pagination: { ...noneFound.pagination, totalItems: found.length },
    })
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (!path.startsWith('/api/conversations?page=')) return known(path, init)
    if (!path.includes('search=')) return page(rows)
    await answer.promise
    return page(rows.slice(1, 2))
  })
  const client = show(rows)
  await waitFor(() => expect(client.isFetching()).toBe(0))
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'Contato 2' } })
  await waitFor(() => expect(listAddress()).toContain('search='))
  fireEvent.pointerEnter(screen.getByRole('list', { name: 'Conversas ativas' }), { pointerType: 'mouse' })
  answer.resolve()
  await screen.findByText('1-1 de 1 conversas')
  expect(await order()).toEqual(['2'])
})

/** Chooses in the popover, which is opened for it. */
async function choose(kind: RegExp, option: string) {
  if (!screen.queryByRole('list', { name: 'Filtros' })) press(/^Filtrar/)
  fireEvent.click(
    within(await screen.findByRole('list', { name: 'Filtros' })).getByRole('button', { name: kind }),
  )
  fireEvent.click(await screen.findByRole('option', { name: option }))
  await screen.findByRole('list', { name: 'Filtros' })
}

test('the list is filtered by sector, and the next one is taken from its queue', async () => {
  const open = [
    conversationRow({ id: 1, sectorId: 5 }),
    conversationRow({ id: 2, sectorId: 6 }),
    conversationRow({ id: 3 }),
  ]
  show(open, 1, [testSector(5, 'Comercial'), testSector(6, 'Suporte')])
  await choose(/^Setor/, 'Suporte')
  expect(await order()).toEqual(['2'])
  screen.getByText('1 de 3 conversas')
  await choose(/^Setor/, 'Sem setor')
  expect(await order()).toEqual(['3'])
  fireEvent.click(await screen.findByRole('button', { name: 'Tirar o filtro: Setor' }))
  expect(await order()).toEqual(['1', '2', '3'])
  await choose(/^Setor/, 'Suporte')
  press(/^Fila/)
  press('Assumir próxima')
  await waitFor(() => expect(called).toContain('POST /api/conversations/take-next {"sectorId":6}'))
})

test('filters are combined, shown as chips, and cleared together', async () => {
  const open = [
    conversationRow({
      id: 1,
      priority: 'high',
      assignedUserId: 9,
      assignedUser: { id: 9, name: 'Bia' },
      waitingSince: null,
    }),
    conversationRow({ id: 2, priority: 'high', waitingSince: null }),
    conversationRow({ id: 3, waitingSince: minute(10) }),
  ]
  show(open)
  await choose(/^Prioridade/, 'Prioridade Alta')
  expect(await order()).toEqual(['1', '2'])
  await choose(/^Pessoa/, 'Bia')
  expect(await order()).toEqual(['1'])
  within(await screen.findByRole('group', { name: 'Filtros da lista' })).getByText('Prioridade Alta')
  fireEvent.click(screen.getAllByRole('button', { name: 'Limpar' })[0] as HTMLElement)
  expect(await order()).toEqual(['1', '2', '3'])
  await choose(/^Espera/, 'Espera há 15 min ou mais')
  expect(await order()).toEqual(['3'])
  expect(listAddress()).toContain('espera=15')
})

test('what is unread stays in the list while it is open, and an empty list leads back to all', async () => {
  show([conversationRow({ id: 1 }), conversationRow({ id: 2, contactMessageCount: 1 })])
  press(/^Filtrar/)
  fireEvent.click(await screen.findByRole('button', { name: /^Não lidas/ }))
  expect(await order()).toEqual(['1', '2'])
  await choose(/^Prioridade/, 'Prioridade Alta')
  await screen.findByText('Nenhuma conversa com estes filtros')
  press('Limpar filtros')
  expect(await order()).toEqual(['1', '2'])
})

const view = (id: number, name: string, given: Partial<SavedView> = {}): SavedView => ({
  id,
  name,
  content: { tab: 'all', order: 'start', priority: 'high' },
  ownerId: 1,
  ownerName: 'Ana',
  isShared: false,
  sectorId: null,
  isChangeable: true,
  version: 1,
  ...given,
})

test('a saved view is shown with its count, follows a colleague’s change, and says its end', async () => {
  const open = [conversationRow({ id: 1, priority: 'high' }), conversationRow({ id: 2, priority: 'low' })]
  views = [view(7, 'Urgentes'), view(8, 'Fila', { isShared: true, ownerId: 2 })]
  const client = show(open)
  const { queryKey } = viewQueries.seen()
  fireEvent.click(await screen.findByRole('button', { name: /^Visões salvas/ }))
  fireEvent.click(await screen.findByRole('button', { name: /^Urgentes.*só você.*1$/ }))
  expect(await order()).toEqual(['1'])
  expect(listAddress()).toBe('/conversas-ativas?visao=7')
  screen.getByRole('button', { name: /^Urgentes/, pressed: true })
  client.setQueryData(queryKey, [
    view(7, 'Urgentes', { content: { tab: 'all', order: 'start', priority: 'low' }, version: 2 }),
  ])
  await waitFor(async () => expect(await order()).toEqual(['2']))
  await waitFor(() => expect(toastStore.get()?.title).toBe('A visão Urgentes mudou'))
  client.setQueryData(queryKey, [])
  await waitFor(() => expect(toastStore.get()?.title).toBe('A visão Urgentes foi excluída'))
  expect(await order()).toEqual(['1', '2'])
  expect(listAddress()).toBe('/conversas-ativas')
})

test('a view that is changed is stored anew or as another one, and names what is gone', async () => {
  views = [view(7, 'Urgentes', { content: { tab: 'all', order: 'start', tagId: 99 } })]
  show([conversationRow({ id: 1 })])
  fireEvent.click(await screen.findByRole('button', { name: /^Visões salvas/ }))
  fireEvent.click(await screen.findByRole('button', { name: /^Urgentes/ }))
  await screen.findByText('etiqueta excluída')
  press(/^Filtrar/)
  await screen.findByRole('list', { name: 'Filtros' })
  expect(screen.queryByRole('button', { name: 'Salvar esta visão' })).toBeNull()
  await choose(/^Etiqueta/, 'Qualquer etiqueta')
  await screen.findByRole('button', { name: 'Salvar esta visão' })
  press('Salvar alterações')
  await waitFor(() =>
    expect(called).toContain('PATCH /api/views/7 {"version":1,"content":{"tab":"all","order":"start"}}'),
  )
})

test('without sectors there is nothing to filter by, whatever the address says', async () => {
  keepPlace('?setor=5')
  show(rows)
  expect(await order()).toEqual(['1', '2', '3'])
  expect(screen.queryByRole('button', { name: /^Setor/ })).toBeNull()
})
