// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { testConfig } from '#web/gateway/test-config.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import { sectorQueries } from '#web/sectors/sectors.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { EvolutionForm } from '#web/gateway/evolution-form.tsx'

const config: EvolutionConfig = { ...testConfig, id: 4, defaultSectorId: 2 }
const sector = (id: number, name: string, given: Partial<Sector> = {}): Sector => ({
  id,
  name,
  color: '#2563eb',
  description: '',
  isActive: true,
  isDeleted: false,
  numberIds: null,
  people: [],
  isOpenNow: true,
  changesAt: null,
  ...given,
})

let sent: unknown[]
beforeEach(() => {
  sent = []
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    sent.push([path, JSON.parse(body as string)])
    return Response.json({ ...config, defaultSectorId: null })
  })
})

function show(sectors: Sector[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(sectorQueries.known().queryKey, sectors)
  render(<EvolutionForm config={config}>{null}</EvolutionForm>, { wrapper: inApp(client) })
}

test('a number offers the active sectors that serve it, and is saved with the chosen one', async () => {
  show([
    sector(2, 'Comercial'),
    sector(3, 'Antigo', { isActive: false }),
    sector(5, 'De outra loja', { numberIds: [9] }),
    sector(6, 'Suporte', { numberIds: [4] }),
  ])
  const field = await screen.findByRole('combobox', { name: 'Setor padrão' })
  expect(field.textContent).toBe('Comercial')
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  const options = await screen.findAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual(['Sem setor', 'Comercial', 'Suporte'])
  fireEvent.keyDown(options[0] as HTMLElement, { key: 'Enter' })
  fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  await waitFor(() =>
    expect(sent[0]).toEqual(['/api/evolution-config/4', expect.objectContaining({ defaultSectorId: null })]),
  )
})

test('nothing of sectors is shown of a number where there are none', () => {
  show([])
  expect(screen.queryByText('Setor padrão')).toBeNull()
})
