// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { ReportStats, Times } from '#shared/reports/reports.ts'
import { statsQuery } from '#web/reports/asked/queries.ts'
import { lastWeeks } from '#shared/reports/periods.ts'
import { dayKey } from '#web/platform/dates.ts'
import { noStats } from '#web/reports/test-stats.ts'
import { WeeklySummary } from '#web/reports/weekly-summary.tsx'
import { FigureCards } from './figure-cards.tsx'
import { HoursCard } from './hours-card.tsx'
import { FirstReplyCard } from './trend-cards.tsx'

afterEach(cleanup)

const minuteMs = 60_000
const spread = (minutes: number | null) => {
  const ms = minutes === null ? null : minutes * minuteMs
  return { mean: ms, median: ms, p90: ms }
}
const times = (count: number, outside: number, open: number | null, clock: number): Times => ({
  count,
  outside,
  open: spread(open),
  clock: spread(clock),
})
const part = (from: string, replied: number, outside: number, open: number | null, clock: number | null) => ({
  from,
  to: from,
  hour: null,
  total: replied,
  sameDay: replied,
  replied,
  outside,
  open: open === null ? null : open * minuteMs,
  clock: clock === null ? null : clock * minuteMs,
})
/** Some conversations that were answered; of `outside` it was closed all the while. */
function stats(firstReply: Times, trend: ReportStats['trend'] = []): ReportStats {
  return {
    ...noStats,
    total: firstReply.count,
    firstReply,
    queue: firstReply,
    handling: firstReply,
    trendUnit: 'day',
    trend,
    hours: [
      { weekday: 6, hour: 10, total: 1, replied: 1, outside: 1, open: null, clock: 17 * minuteMs },
      { weekday: 1, hour: 10, total: 1, replied: 1, outside: 0, open: 4 * minuteMs, clock: 4 * minuteMs },
    ],
  }
}

function card(now: ReportStats, before: ReportStats | undefined, isByClock = false) {
  render(
    <FigureCards
      stats={now}
      before={before}
      isByClock={isByClock}
      shown={undefined}
      onList={() => undefined}
    />,
  )
  const button = screen.getByRole('button', { name: /^Primeira resposta: / })
  return button.parentElement ?? button
}

const workday = stats(times(3, 0, 3, 3))
const closed = stats(times(2, 2, null, 17))

test('on a closed day the first reply has no value, and says how long it took by the clock', () => {
  const shown = card(closed, undefined)
  expect(shown.querySelector('button[aria-pressed]')?.textContent).toBe('--')
  expect(shown.textContent).toContain('2 fora do expediente, 17 min 0 s no relógio')
  expect(shown.textContent).not.toContain('0 s−')
})

test.each([
  ['a closed day with an open one', closed, workday],
  ['an open day with a closed one', workday, closed],
])('nothing is compared or praised of %s', (_, now, before) => {
  const shown = card(now, before)
  expect(shown.querySelector('.text-green-text, .text-red-text')).toBe(null)
  expect(shown.textContent).not.toMatch(/−|\+|era /)
})

test('by the clock a closed day is compared as any other', () => {
  const shown = card(closed, workday, true)
  expect(shown.textContent).toContain('17 min 0 s')
  expect(shown.querySelector('.text-red-text')?.textContent).toBe('+14 min 0 s')
})

test('a mean of some names those that it leaves out', () => {
  expect(card(stats(times(5, 2, 3, 9)), undefined).textContent).toContain('média de 3, 2 fora do expediente')
})

test('a compared mean names those that it leaves out, too', () => {
  const shown = card(stats(times(5, 2, 4, 9)), workday)
  expect(shown.textContent).toContain('+1 min 0 s era 3 min 0 s, 2 fora do expediente')
})

test('the line of the trend has a gap where the hours were closed, and its table says so', () => {
  const trend = [
    part('2026-10-02', 2, 0, 4, 4),
    part('2026-10-03', 1, 1, null, 17),
    part('2026-10-05', 1, 0, 5, 5),
  ]
  render(
    <FirstReplyCard
      stats={stats(times(4, 1, 4, 8), trend)}
      before={undefined}
      isByClock={false}
      onList={() => undefined}
    />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Ver Primeira resposta como tabela' }))
  const cells = screen.getAllByRole('row').map((row) => within(row).queryAllByRole('cell')[0]?.textContent)
  expect(cells).toEqual([undefined, '4 min 0 s', 'fora do expediente', '5 min 0 s'])
})

test('a period that was closed throughout draws no line of nothing, and explains none', () => {
  const trend = [part('2026-10-03', 1, 1, null, 17), part('2026-10-04', 1, 1, null, 17)]
  const { container } = render(
    <FirstReplyCard
      stats={stats(times(2, 2, null, 17), trend)}
      before={stats(times(1, 0, 4, 4), [part('2026-10-01', 1, 0, 4, 4)])}
      isByClock={false}
      onList={() => undefined}
    />,
  )
  expect(container.querySelector('svg[role=img]')).toBe(null)
  expect(container.textContent).not.toContain('tracejado')
  expect(container.textContent).toContain('2 fora do expediente, 17 min 0 s no relógio')
})

test('an hour of the week that was closed is pale, and still opens its conversations', () => {
  render(
    <HoursCard
      stats={stats(times(2, 1, 4, 10))}
      isByClock={false}
      restriction={{}}
      onList={() => undefined}
    />,
  )
  fireEvent.click(screen.getByRole('radio', { name: 'Primeira resposta' }))
  const cell = screen.getByRole('button', {
    name: 'sábado, 10 h: fora do expediente, 17 min 0 s no relógio. Ver as conversas',
  })
  expect(cell.className).toContain('bg-heat-0')
})

test('the line of the week on the dashboard names no 0 s of a closed week', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const { week, before } = lastWeeks(dayKey(Date.now()))
  client.setQueryData(statsQuery(week).queryKey, closed)
  client.setQueryData(statsQuery(before).queryKey, workday)
  render(
    <QueryClientProvider client={client}>
      <WeeklySummary />
    </QueryClientProvider>,
  )
  expect((await screen.findByRole('region', { name: 'Na semana' })).textContent).toContain(
    'primeira resposta fora do expediente, 17 min 0 s no relógio',
  )
})
