// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import { sectorQueries } from '#web/sectors/sectors.tsx'
import { testSector } from '#web/sectors/test-sectors.ts'
import { inApp } from '#web/users/test-app.tsx'
import { ColumnsCard } from './columns-card.tsx'

afterEach(cleanup)

const job = {
  id: 1,
  state: 'read',
  format: 'csv',
  known: 'update',
  columns: [{ name: 'Area', sample: 'Financeiro' }],
  firstRows: [],
  mapping: [null],
  mappingFrom: null,
  knownRows: null,
  errors: 0,
  choice: null,
} as unknown as ContactImport

function offered(sectors: Sector[]): (string | null)[] {
  const client = new QueryClient()
  client.setQueryData(sectorQueries.known().queryKey, sectors)
  render(<ColumnsCard job={job} onDiscarded={() => undefined} />, {
    wrapper: inApp(client, { role: 'admin', hasSectors: true }),
  })
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'No Balcão: Area' }), { key: 'ArrowDown' })
  return screen.getAllByRole('option').map(({ textContent }) => textContent)
}

test('a column of an imported file can be the sector of a contact', () => {
  expect(offered([testSector(1)])).toContain('Setor fixo')
})

test('no column of an imported file can be a sector where there are none, or all were deleted', () => {
  const words = offered([{ ...testSector(1), isDeleted: true }])
  expect(words).toContain('Notas')
  expect(words).not.toContain('Setor fixo')
})
