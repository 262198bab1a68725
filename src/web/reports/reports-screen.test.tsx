// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
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
      wrapper: inApp(new QueryClient(), {
        id: 1,
        name: 'Marina',
        role: 'admin',
        permissions: { canViewStatistics: true },
      }),
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

test('the figures of a report stay, dimmed, until those of another period are there', async () => {
  let answer: ((stats: object) => void) | undefined
  vi.stubGlobal('fetch', (path: string) => {
    if (!path.startsWith('/api/reports/stats')) return new Promise<never>(() => undefined)
    if (path.includes('2026')) return Promise.resolve(Response.json({ ...noStats, total: 7 }))
    return new Promise<Response>((resolve) => {
      answer = (stats) => resolve(Response.json(stats))
    })
  })
  show('/reports?period=month&startDate=2026-03-01&compare=no')
  const figure = await screen.findByRole('button', { name: /^Total: 7/ })
  const isDimmed = () => figure.closest('[aria-busy=true]') !== null
  await waitFor(() => expect(isDimmed()).toBe(false))
  fireEvent.click(screen.getByRole('radio', { name: 'Personalizado' }))
  fireEvent.change(screen.getByLabelText('Data inicial'), { target: { value: '2020-01-01' } })
  fireEvent.change(screen.getByLabelText('Data final'), { target: { value: '2020-01-31' } })
  fireEvent.click(screen.getByRole('button', { name: 'Gerar Relatório' }))
  await waitFor(() => expect(isDimmed()).toBe(true))
  expect(screen.getByRole('button', { name: /^Total: 7/ })).toBeDefined()
  answer?.({ ...noStats, total: 8 })
  await screen.findByRole('button', { name: /^Total: 8/ })
  expect(isDimmed()).toBe(false)
})

test('on paper a report says whose it is, of what, and who has printed it', async () => {
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.startsWith('/api/system-settings')) return Response.json({ companyName: 'Casa Norte' })
    if (path.startsWith('/api/sectors')) return Response.json([{ id: 4, name: 'Financeiro' }])
    if (path.startsWith('/api/reports/stats')) return Response.json(noStats)
    return new Promise<never>(() => undefined)
  })
  show('/reports?period=month&startDate=2026-03-01&sectorId=4&tag=vip')
  await screen.findByText(
    /^Casa Norte · 01\/03 a 31\/03\/2026 · no expediente · impresso por Marina em [\d/]{10} [\d:]{5}$/,
  )
  await screen.findByText('Só setor Financeiro, etiqueta vip')
})
