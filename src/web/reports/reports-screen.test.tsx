// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { ReportsScreen } from './reports-screen.tsx'

const no = { mean: null, median: null, p90: null }
const times = { count: 0, outside: 0, open: no, clock: no }
const empty = {
  total: 0,
  waitingClient: 0,
  waitingOperator: 0,
  inQueue: 0,
  completed: 0,
  byPerson: 0,
  byInactivity: 0,
  byTeam: 0,
  firstReply: times,
  queue: times,
  handling: times,
  messages: { contact: 0, team: 0 },
  rated: { count: 0, mean: null, commented: 0 },
  stars: [0, 0, 0, 0, 0],
  trendUnit: 'hour',
  trend: [],
  hours: [],
  due: 0,
  timezone: 'America/Sao_Paulo',
}

beforeEach(() => {
  vi.stubGlobal('fetch', async (path: string) =>
    path.startsWith('/api/reports/stats') ? Response.json(empty) : new Promise<never>(() => undefined),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(address: string) {
  window.history.pushState(null, '', address)
  render(
    <UiProvider>
      <ReportsScreen />
    </UiProvider>,
    {
      wrapper: inApp(new QueryClient(), { id: 1, role: 'admin', permissions: { canViewStatistics: true } }),
    },
  )
}

test('a report of nothing keeps its cards, and speaks of filters only where there are some', async () => {
  show('/reports')
  await screen.findByText('Nenhuma conversa no período')
  expect(screen.getByRole('button', { name: /^Total: 0/ })).toBeDefined()
  expect(screen.getByText('Escolha outras datas.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Limpar filtros' })).toBeNull()
})

test('a report of nothing offers to take off the filters that it has', async () => {
  show('/reports?tag=nada')
  await screen.findByText('Mude as datas ou tire os filtros.')
  expect(screen.getByRole('button', { name: 'Limpar filtros' })).toBeDefined()
})
