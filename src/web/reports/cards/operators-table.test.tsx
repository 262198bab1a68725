// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { OperatorPerformance } from '#shared/reports/report-parts.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { noStats } from '#web/reports/test-stats.ts'
import { OperatorsTable } from './operators-table.tsx'

type Operator = OperatorPerformance['operators'][number]
const minute = 60_000
const { firstReply: noTimes } = noStats
const noFigures = {
  total: 0,
  active: 0,
  completed: 0,
  waiting: 0,
  firstReply: noTimes,
  handling: noTimes,
  rated: { count: 0, mean: null, commented: 0 },
}
const times = (minutes: number) => ({
  ...noTimes,
  count: 1,
  open: { ...noTimes.open, mean: minutes * minute },
  clock: { ...noTimes.clock, mean: 2 * minutes * minute },
})
const operator = (id: number, name: string, given: Partial<Operator>): Operator => ({
  id,
  name,
  pictureUrl: null,
  isActive: true,
  ...noFigures,
  ...given,
})
const ana = operator(1, 'Ana', { total: 9, active: 4, waiting: 1, firstReply: times(5), handling: times(30) })
const bruno = operator(2, 'Bruno', {
  total: 3,
  active: 7,
  isActive: false,
  firstReply: times(2),
  rated: { count: 2, mean: 4.5, commented: 0 },
})
const carla = operator(3, 'Carla', {})

let opened: unknown[]
beforeEach(async () => {
  opened = []
  const performance = { operators: [ana, bruno, carla], others: noFigures }
  vi.stubGlobal('fetch', async () => Response.json(performance))
  const days = { startDate: '2026-11-01', endDate: '2026-11-30' }
  const onList = (restriction: unknown) => opened.push(restriction)
  render(
    <UiProvider>
      <OperatorsTable filter={days} isByClock={false} onList={onList} />
    </UiProvider>,
    { wrapper: inApp(new QueryClient(), { id: 1, role: 'admin' }) },
  )
  await screen.findByRole('rowheader', { name: 'Ana' })
})
const names = () =>
  screen.getAllByRole('rowheader').map((cell) => cell.querySelector('[dir=auto]')?.textContent)
const sortBy = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const sortOf = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort')

test('the table of the operators has the columns of the specification, then the times and the rating', () => {
  const headings = screen.getAllByRole('columnheader')
  expect(headings.map((cell) => within(cell).getByRole('button').textContent)).toEqual([
    'Operador',
    'Total',
    'Ativas',
    'Finalizadas',
    'Aguardando',
    'Status',
    'Primeira resposta',
    'Atendimento',
    'Nota',
  ])
  const row = screen.getByRole('row', { name: /^Bruno/ })
  expect(within(row).getByText('Conta inativa')).toBeDefined()
  for (const figure of ['Bruno, primeira resposta: 2 min 0 s.', 'Bruno, nota: 4,5.'])
    expect(within(row).getByRole('button', { name: new RegExp(`^${figure}`) })).toBeDefined()
  expect(within(screen.getByRole('row', { name: /^Ana/ })).getByText('Conta ativa')).toBeDefined()
})

test('the headings of the table of the operators say what is active and what waits', () => {
  const hintOf = (name: string) => screen.getByRole('button', { name }).getAttribute('data-tooltip')
  expect(hintOf('Ativas')).toMatch(/abertas e com o operador/)
  expect(hintOf('Aguardando')).toMatch(/das ativas/)
  fireEvent.click(screen.getByRole('button', { name: /^Ana, ativas: 4/ }))
  fireEvent.click(screen.getByRole('button', { name: /^Ana, aguardando: 1/ }))
  expect(opened).toEqual([
    { figure: 'active', by: 'operator', key: '1' },
    { figure: 'active_waiting', by: 'operator', key: '1' },
  ])
})

test('the table of the operators is sorted by any column, those without a value last', () => {
  expect(names()).toEqual(['Ana', 'Bruno', 'Carla'])
  sortBy('Ativas')
  expect([names(), sortOf('Ativas'), sortOf('Operador')]).toEqual([
    ['Bruno', 'Ana', 'Carla'],
    'descending',
    'none',
  ])
  sortBy('Ativas')
  expect([names(), sortOf('Ativas')]).toEqual([['Carla', 'Ana', 'Bruno'], 'ascending'])
  sortBy('Primeira resposta')
  expect(names()).toEqual(['Ana', 'Bruno', 'Carla'])
  sortBy('Primeira resposta')
  expect(names()).toEqual(['Bruno', 'Ana', 'Carla'])
  sortBy('Operador')
  sortBy('Operador')
  expect(names()).toEqual(['Carla', 'Bruno', 'Ana'])
})
