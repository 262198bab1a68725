// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { zonedDates } from '#shared/text/time/zoned-dates.ts'
import type { MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import { LastBackup, StorageFigures } from './storage-figures.tsx'

const dates = zonedDates('America/Sao_Paulo')
const shown = (status: 'processing' | 'completed') => {
  render(<LastBackup last={{ date: '2026-11-19T14:00:00.000Z', size: 1000, status }} dates={dates} />)
  return screen.getByRole('region', { name: 'Último backup' }).textContent
}

test('the last backup has no date while it is under way', () => {
  const text = shown('processing')
  expect(text).toContain('Em andamento')
  expect(text).not.toMatch(/19\/11/)
})

test('the last backup has its date once it is complete', () => {
  const text = shown('completed')
  expect(text).toMatch(/19\/11.*Concluído/)
})

test('the figure of files says how many of them are of messages, and what the others are', () => {
  const stats = {
    diskUsage: { totalSize: 12_000, percentage: 2, totalFiles: 1207, mediaFiles: 1200 },
    database: { size: 34_000, conversations: 1, messages: 2, contacts: 3, companies: 4 },
    lastBackup: null,
  } as MaintenanceStats
  render(<StorageFigures stats={stats} dates={dates} />)
  const files = screen.getByRole('region', { name: 'Total de arquivos' })
  expect(files.textContent).toBe('Total de arquivos1.2071.200 de mensagens, 7 de perfis e respostas')
})
