// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { zonedDates } from '#shared/text/time/zoned-dates.ts'
import { LastBackup } from './storage-figures.tsx'

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
