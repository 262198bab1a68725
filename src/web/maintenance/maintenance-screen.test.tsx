// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { MaintenanceScreen } from './maintenance-screen.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(backups: () => Promise<Response>) {
  vi.stubGlobal('fetch', (path: string) =>
    path === '/api/maintenance/backups' ? backups() : new Promise<never>(() => undefined),
  )
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <UiProvider>
      <MaintenanceScreen />
    </UiProvider>,
    { wrapper: inApp(client, { role: 'admin', permissions: { canAccessMaintenance: true } }) },
  )
}
/** Their place, while they are not known. */
const figures = () => screen.getByRole('status', { name: 'Carregando as estatísticas' })
const before = (one: HTMLElement, other: HTMLElement) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0

test('the backups and their proof stand before what is stored', async () => {
  show(async () => Response.json([]))
  await screen.findByText('Nenhum backup ainda')
  const proof = screen.getByText('Conversas abertas ficam de fora do backup e da restauração.')
  expect(before(proof, figures())).toBe(true)
})

test('what stands below the backups comes when their number is known, or can not be', async () => {
  show(() => new Promise<never>(() => undefined))
  screen.getByRole('status', { name: 'Carregando os backups' })
  expect(screen.queryByRole('region', { name: 'O que ocupa espaço' })).toBeNull()
  cleanup()
  show(async () => Response.json({ message: 'Erro' }, { status: 400 }))
  await screen.findByText('Falha ao buscar backups')
  figures()
  screen.getByRole('region', { name: 'O que ocupa espaço' })
})
