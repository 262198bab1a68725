// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Sector } from '#shared/sectors/sectors.ts'
import { inApp } from '#web/users/test-app.tsx'
import { sectorQueries } from './queries.ts'
import { QueueText } from './sector-mark.tsx'
import { testSector } from './test-sectors.ts'

test.each<[string, Sector[], number | null, string]>([
  ['a sector', [testSector(1, 'Comercial')], 1, 'Comercial #1'],
  ['none, where there are sectors', [testSector(1, 'Comercial')], null, 'Sem setor #1'],
  ['none, where there is no sector', [], null, 'FILA #1'],
])('a place in the queue of %s names it', (_what, sectors, sectorId, text) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(sectorQueries.known().queryKey, sectors)
  const { container } = render(<QueueText sectorId={sectorId} position={1} />, { wrapper: inApp(client) })
  expect(container.textContent).toBe(text)
})
