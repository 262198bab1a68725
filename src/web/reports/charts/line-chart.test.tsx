// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LineChart } from './line-chart.tsx'
import { StackedBars } from './stacked-bars.tsx'

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 220))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const draw = (
  values: number[],
  { before, mean }: Partial<Pick<ComponentProps<typeof LineChart>, 'before' | 'mean'>>,
) => {
  render(
    <LineChart
      labels={values.map(String)}
      values={values}
      before={before}
      mean={mean}
      titles={values.map(String)}
      label="Tempos"
      format={String}
      onOpen={() => undefined}
    />,
  )
  return screen.getByRole('img', { name: 'Tempos' })
}

test('a value of the period before is drawn, though there is none beside it', () => {
  const [before] = draw([3, 4, 5], { before: [null, 4, null] }).querySelectorAll('path')
  // A line without a length, of which only its round end is seen.
  expect(before?.getAttribute('d')).toMatch(/^M[\d.]+,[\d.]+Z$/)
  expect(before?.getAttribute('stroke-linecap')).toBe('round')
})

test('a chart has the line of its mean, at its place between the values', () => {
  const chart = draw([2, 4], { mean: { value: 3, text: 'média 3 min' } })
  expect(chart.textContent).toContain('média 3 min')
  const [low = 0, high = 0] = [...chart.querySelectorAll('circle')].map((one) =>
    Number(one.getAttribute('cy')),
  )
  const mean = chart.querySelector('line[stroke-dasharray]')
  expect(Number(mean?.getAttribute('y1'))).toBeCloseTo((low + high) / 2)
})

test('bars have the line of their mean', () => {
  const bars = [4, 8].map((upper) => ({ label: '', title: '', lower: 0, upper }))
  render(
    <StackedBars label="Barras" bars={bars} mean={{ value: 6, text: 'média 6' }} onOpen={() => undefined} />,
  )
  expect(screen.getByRole('img', { name: 'Barras' }).textContent).toContain('média 6')
})
