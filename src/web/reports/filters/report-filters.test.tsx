// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { givenNumber } from '#web/numbers/test-numbers.ts'
import { useReport } from '#web/reports/asked/use-report.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { ReportFilters } from './report-filters.tsx'

const today = '2026-11-19'
let generated = 0
let client = new QueryClient()
let numbers = [givenNumber(1)]

beforeEach(() => {
  generated = 0
  client = new QueryClient()
  numbers = [givenNumber(1)]
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(path.startsWith('/api/numbers') ? numbers : []),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Filters() {
  const report = useReport(today)
  return <ReportFilters report={report} today={today} isLoading={false} onGenerate={() => (generated += 1)} />
}
const show = (address: string) => {
  window.history.pushState(null, '', address)
  render(
    <UiProvider>
      <Filters />
    </UiProvider>,
    { wrapper: inApp(client, { id: 1, role: 'admin' }) },
  )
}
const search = () => window.location.search
const choose = (period: string) => fireEvent.click(screen.getByRole('radio', { name: period }))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('the periods of a report and their arrows apply at once', () => {
  show('/reports')
  choose('Semana')
  expect(search()).toBe('?period=week')
  press('Período anterior')
  expect(search()).toBe('?period=week&startDate=2026-11-15')
  choose('Mês')
  expect(search()).toBe('?period=month')
  choose('Dia')
  expect(search()).toBe('')
  expect(generated).toBe(0)
})

test("the dates of 'Personalizado' wait for 'Gerar Relatório', which fetches other periods again", () => {
  show('/reports?period=week')
  press('Gerar Relatório')
  expect([search(), generated]).toEqual(['?period=week', 1])
  choose('Personalizado')
  fireEvent.change(screen.getByLabelText('Data inicial'), { target: { value: '2026-10-01' } })
  expect(search()).toBe('?period=week')
  screen.getByText('Clique em Gerar Relatório para ver 01/10 a 19/11/2026.')
  press('Gerar Relatório')
  expect(search()).toBe('?period=custom&startDate=2026-10-01&endDate=2026-11-19')
  expect(generated).toBe(1)
})

test('a report goes back to its period when chosen dates were not asked for', () => {
  show('/reports')
  choose('Personalizado')
  choose('Dia')
  expect(screen.queryByLabelText('Data inicial')).toBeNull()
  expect(screen.queryByText(/^Clique em Gerar Relatório/)).toBeNull()
})

test('a day of the calendar chooses the period that has it', () => {
  show('/reports?period=month')
  const days = screen.getByRole('button', { name: '01/11 a 30/11/2026. Escolher no calendário' })
  const calendar = days.parentElement?.querySelector('input')
  if (!calendar) throw new Error('no calendar')
  calendar.showPicker = vi.fn()
  fireEvent.click(days)
  expect(calendar.showPicker).toHaveBeenCalled()
  fireEvent.change(calendar, { target: { value: '2026-09-14' } })
  expect(search()).toBe('?period=month&startDate=2026-09-14')
  expect(screen.getByRole('button', { name: /^01\/09 a 30\/09\/2026/ })).toBeDefined()
})

test('a report is narrowed by number for whoever has several', async () => {
  numbers = [givenNumber(1), givenNumber(2)]
  show('/reports')
  fireEvent.click(await screen.findByRole('button', { name: 'Número' }))
  fireEvent.click(await screen.findByRole('option', { name: 'loja2' }))
  expect(search()).toBe('?instanceId=2')
  await screen.findByRole('button', { name: 'Número: loja2' })
})

test('a report speaks of no number to whoever has one', async () => {
  show('/reports')
  await waitFor(() => expect(client.getQueryData(['numbers'])).toHaveLength(1))
  expect(screen.queryByRole('button', { name: 'Número' })).toBeNull()
})
