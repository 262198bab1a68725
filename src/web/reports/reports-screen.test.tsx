// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { ReportsScreen } from './reports-screen.tsx'
import { noStats } from './test-stats.ts'

beforeEach(() => {
  vi.stubGlobal('fetch', async (path: string) =>
    path.startsWith('/api/reports/stats') ? Response.json(noStats) : new Promise<never>(() => undefined),
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
