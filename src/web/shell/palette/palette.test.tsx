// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ArchivedHit, FoundRow } from '#shared/conversations/archive.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { inApp } from '#web/users/test-app.tsx'
import { Palette } from './palette.tsx'

const hit = (given: Partial<ArchivedHit> = {}): ArchivedHit => ({
  messageId: 77,
  sentAt: '2026-11-19T12:30:00.000Z',
  isContact: true,
  senderName: null,
  isFile: false,
  text: 'A caixa chegou',
  marks: [[2, 7]],
  ...given,
})
const found = (given: Partial<FoundRow>): FoundRow => ({
  ...conversationRow(given),
  hits: [],
  hitCount: 0,
  ...given,
})

let asked: string[]
let conversations: FoundRow[]
let completedCount: number
beforeEach(() => {
  asked = []
  conversations = []
  completedCount = 0
  window.history.pushState(null, '', '/')
  vi.stubGlobal('fetch', async (path: string) => {
    if (!path.startsWith('/api/conversations/search')) return Response.json([])
    asked.push(new URL(path, 'http://x').searchParams.get('search') ?? '')
    return Response.json({ conversations, completedCount, hasMore: false, isOwnOnly: false })
  })
})

function show(text = '', permissions = { canViewConversations: true }) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(<Palette text={text} onClose={() => undefined} />, { wrapper: inApp(client, { permissions }) })
}
const messages = async () => within(await screen.findByRole('group', { name: 'Mensagens' }))

test('messages are listed newest first, with the person, who wrote, and the marked words', async () => {
  conversations = [
    found({ id: 5, status: 'active', hits: [hit()], hitCount: 1 }),
    found({
      id: 6,
      status: 'completed',
      completedAt: '2026-11-20T10:00:00.000Z',
      hits: [hit({ messageId: 78, sentAt: '2026-11-20T09:00:00.000Z', isContact: false, senderName: 'Ana' })],
    }),
  ]
  completedCount = 1
  show('caixa')
  const options = (await messages()).getAllByRole('option')
  expect(options.map((option) => option.querySelector('mark')?.textContent)).toEqual(['caixa', 'caixa'])
  expect(options[0]?.textContent).toMatch(/Contato 6.*Ana: A caixa chegou/)
  within(options[0] as HTMLElement).getByLabelText('Finalizada')
  expect(options[1]?.textContent).toMatch(/Contato 5.*A caixa chegou/)
  screen.getByText('Ver todas no arquivamento (1)')
  expect(asked).toEqual(['caixa'])
})

test('Enter on a message of an open conversation leads to it in the chat', async () => {
  conversations = [found({ id: 5, status: 'active', hits: [hit()], hitCount: 1 })]
  show('caixa')
  await messages()
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  await waitFor(() =>
    expect(window.location.pathname + window.location.search).toBe('/chat?conversation=5&mensagem=77'),
  )
})

test('Enter on a message of a completed conversation leads to it in the archive', async () => {
  conversations = [found({ id: 6, status: 'completed', hits: [hit({ messageId: 78 })] })]
  show('caixa')
  await messages()
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  await waitFor(() =>
    expect(window.location.pathname + window.location.search).toBe(
      '/conversas-arquivadas/6?busca=caixa&mensagem=78',
    ),
  )
})

test('a completed conversation that is found by a name alone is of the archive', async () => {
  conversations = [found({ id: 6, status: 'completed', completedAt: '2026-11-20T10:00:00.000Z' })]
  completedCount = 12
  show('contato')
  const archive = within(await screen.findByRole('group', { name: 'Arquivamento' }))
  expect(archive.getAllByRole('option').map((option) => option.textContent)).toEqual([
    expect.stringContaining('Contato 6'),
    'Ver todas no arquivamento (12)',
  ])
  expect(screen.queryByRole('group', { name: 'Mensagens' })).toBeNull()
})

test('whoever may not see conversations asks for no messages', async () => {
  show('caixa', { canViewConversations: false })
  await screen.findByText('Nada encontrado para “caixa”')
  expect(asked).toEqual([])
})
