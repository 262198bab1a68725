// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Role } from '#shared/permissions.ts'
import type { Operator } from '#shared/users/users.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { DashboardScreen } from './dashboard-screen.tsx'

const ana: Operator = {
  id: 1,
  name: 'Ana',
  role: 'operator',
  pictureUrl: null,
  presence: 'online',
  isOnline: true,
  since: null,
  activeConversations: 1,
  capacity: 5,
  numberIds: null,
}
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const waiting = (id: number, minutes: number, given: object) =>
  conversationRow({ id, waitingFor: 'operator', waitingSince: ago(minutes), ...given })
const open = [
  waiting(11, 3, { assignedUserId: 1, assignedUser: { id: 1, name: 'Ana' } }),
  waiting(12, 20, { assignedUserId: 1, assignedUser: { id: 1, name: 'Ana' } }),
  waiting(13, 45, { assignedUserId: null, assignedUser: null, subStatus: 'FILA', queuePosition: 1 }),
]
const pagination = { currentPage: 1, itemsPerPage: 5, totalItems: 3, totalPages: 1, hasNextPage: false }

beforeEach(() => {
  window.history.pushState(null, '', '/')
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.startsWith('/api/users/operators')) return Response.json([ana])
    if (path.startsWith('/api/conversations?page')) return Response.json({ conversations: open, pagination })
    if (path.startsWith('/api/conversations')) return Response.json(open)
    return Response.json(path.startsWith('/api/stats/team') ? [] : {})
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(role: Role) {
  const permissions = { canViewDashboard: true, canViewStatistics: true, canViewConversations: true }
  render(
    <UiProvider>
      <DashboardScreen cards={null} />
    </UiProvider>,
    { wrapper: inApp(new QueryClient(), { id: 9, role, permissions }) },
  )
}
const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)

test.each(['admin', 'supervisor'] as const)(
  'the dashboard of a person who is %s begins with the team',
  async (role) => {
    show(role)
    await screen.findByRole('heading', { name: 'Conversas Recentes' })
    await screen.findByRole('rowheader', { name: /Ana/ })
    expect(titles()[0]).toBe('Equipe agora')
  },
)

test('the dashboard of an operator ends with the team, without the filter of waits', async () => {
  show('operator')
  await screen.findByRole('rowheader', { name: /Ana/ })
  expect(titles().at(-1)).toBe('Equipe agora')
  expect(screen.queryByRole('button', { name: /^Esperando há mais de/ })).toBeNull()
})

test('the dashboard shows who has waited for long, whoever they wait for', async () => {
  show('supervisor')
  // With it the whole card is another one, in which nothing is open.
  await screen.findByRole('button', { name: 'Setor' })
  fireEvent.click(await screen.findByRole('button', { name: 'Esperando há mais de…' }))
  fireEvent.click(await screen.findByRole('option', { name: '15 minutos' }))
  const list = await screen.findByRole('list', { name: 'Esperando há mais de 15 minutos' })
  const links = [...list.querySelectorAll('a')].map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/chat?conversation=13', '/chat?conversation=12'])
  expect(list.textContent).toContain('Ana')
  expect(window.location.search).toBe('?waitOver=15')
  fireEvent.click(screen.getByRole('button', { name: 'Tirar o filtro: Esperando há mais de…' }))
  await screen.findByRole('rowheader', { name: /Ana/ })
})

test('the dashboard says so when nobody has waited for that long', async () => {
  window.history.pushState(null, '', '/?waitOver=240')
  show('supervisor')
  await screen.findByText('Ninguém espera há mais de 4 horas')
})
