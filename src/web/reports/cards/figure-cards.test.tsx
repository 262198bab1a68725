// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { noStats } from '#web/reports/test-stats.ts'
import { FigureCards } from './figure-cards.tsx'
import { VolumeCard } from './trend-cards.tsx'

const withMessages = (contact: number, team: number) => ({ ...noStats, messages: { contact, team } })

test.each([
  [withMessages(30, 22), '−55,8 % eram 52 · 12 de clientes'],
  [undefined, '12 de clientes'],
])('the card of the messages says what there was before, apart from who wrote', (before, text) => {
  render(
    <FigureCards
      stats={withMessages(12, 11)}
      before={before}
      isByClock={false}
      shown={undefined}
      onList={() => undefined}
    />,
  )
  const card = screen.getAllByRole('heading', { name: 'Mensagens' }).at(-1)?.parentElement
  expect(card?.querySelector('p:last-child')?.textContent).toBe(text)
})

test.each([
  ['2026-11-29', '2026-11-29', 'hora'],
  ['2026-11-01', '2026-11-30', 'dia'],
  ['2026-01-01', '2026-12-31', 'semana'],
])('the chart from %s to %s has its title before it is loaded', (startDate, endDate, unit) => {
  render(<VolumeCard stats={undefined} days={{ startDate, endDate }} onList={() => undefined} />)
  expect(screen.getByRole('heading', { name: `Conversas por ${unit}` })).toBeDefined()
})
