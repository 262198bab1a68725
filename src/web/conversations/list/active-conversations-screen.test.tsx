// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Flags } from '#shared/permissions.ts'
import { loadedAhead } from '#web/ui/on-demand.tsx'
import { hasPanes } from '#web/platform/browser/media-query.ts'
import { paletteAsked } from '#web/platform/commands.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { ActiveConversationsScreen } from './active-conversations-screen.tsx'
import { inApp } from '#web/users/test-app.tsx'

beforeEach(() => {
  localStorage.clear()
  window.history.pushState(null, '', '/conversas-ativas')
  vi.stubGlobal('fetch', async (path: string) =>
    path.startsWith('/api/conversations?') ? new Promise<never>(() => undefined) : Response.json([]),
  )
})

const noPages = { currentPage: 1, itemsPerPage: 10, totalItems: 0, totalPages: 1, hasNextPage: false }

function show(open: Conversation[], may: Partial<Flags>) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(conversationQueries.open().queryKey, open)
  render(<ActiveConversationsScreen />, { wrapper: inApp(client, { permissions: may }) })
}

const mine = () => fireEvent.click(screen.getByRole('button', { name: 'Minhas' }))

test("the next of the queue is offered once, also where 'Minhas' is empty", () => {
  show([conversationRow()], { canEditConversations: true })
  expect(screen.getAllByRole('button', { name: 'Assumir próxima' })).toHaveLength(1)
  mine()
  screen.getByText('Você não tem conversas abertas')
  expect(screen.getAllByRole('button', { name: 'Assumir próxima' })).toHaveLength(1)
  cleanup()
  show([conversationRow()], {})
  mine()
  screen.getByText('Você não tem conversas abertas')
  expect(screen.queryByRole('button', { name: 'Assumir próxima' })).toBeNull()
})

test('the chat is loaded ahead by the list, so that it opens with the server away', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', (idle: () => void) => idle())
  const load = vi.fn<() => Promise<void>>(async () => undefined)
  loadedAhead(load)
  show([conversationRow()], {})
  await act(() => vi.advanceTimersByTimeAsync(4000))
  expect(load).not.toHaveBeenCalled()
  // The others are really loaded.
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce(), { timeout: 10_000 })
})

test('a search of the list that finds nobody offers to look for the words in the messages', async () => {
  const asked: string[] = []
  const off = paletteAsked.on((typed) => asked.push(typed))
  vi.stubGlobal('fetch', async (path: string) =>
    path.startsWith('/api/conversations?')
      ? Response.json({ conversations: [], pagination: noPages })
      : Response.json([]),
  )
  window.history.pushState(null, '', '/conversas-ativas?search=caixa')
  show([conversationRow()], {})
  await screen.findByText('Nenhuma conversa corresponde à busca aplicada')
  fireEvent.click(screen.getByRole('button', { name: 'Procurar “caixa” nas mensagens' }))
  expect(asked).toEqual(['caixa'])
  off()
})

test('beside an empty list the place of the chat names no key for its first conversation', () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === hasPanes,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  show([conversationRow()], {})
  screen.getByText('Alt ↓')
  cleanup()
  show([], {})
  screen.getByText('Escolha uma conversa')
  expect(screen.queryByText('Alt ↓')).toBeNull()
})
