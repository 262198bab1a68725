// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Me } from '#shared/users/users.ts'
import { DashboardCards } from '#web/dashboard-cards.tsx'
import { MeContext } from '#web/users/me-context.ts'
import { noStats } from './test-stats.ts'
import { WeeklySummary } from './weekly-summary.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const line = () => screen.getByRole('region', { name: 'Na semana' })

test('the line of the week has its place before anything of it is loaded', () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const me = { id: 7, role: 'supervisor', permissions: { canViewStatistics: true } } as Me
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MeContext value={me}>
        <DashboardCards />
      </MeContext>
    </QueryClientProvider>,
  )
  expect(line().getAttribute('aria-busy')).toBe('true')
})

test.each([
  ['a week without a conversation', () => Response.json(noStats), 'Na semana: nenhum atendimento'],
  [
    'a failure',
    () => Response.json({ code: 'x', message: 'x' }, { status: 403 }),
    'Na semana: não foi possível carregar.',
  ],
])('the line of the week keeps its place after %s', async (_, answer, words) => {
  vi.stubGlobal('fetch', () => Promise.resolve(answer()))
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <WeeklySummary />
    </QueryClientProvider>,
  )
  const before = line()
  await screen.findByText(words)
  expect(line().className).toBe(before.className)
})
