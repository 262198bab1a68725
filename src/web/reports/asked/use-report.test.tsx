// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useReport } from './use-report.ts'

const beforeAt = (search: string, today: string) => {
  window.history.pushState(null, '', `/reports${search}`)
  return renderHook(() => useReport(today)).result.current.beforeFilter
}

test.each([
  ['', '2026-11-29', { startDate: '2026-11-28', endDate: '2026-11-28', until: 'now' }],
  ['?period=month', '2026-11-19', { startDate: '2026-10-01', endDate: '2026-10-19', until: 'now' }],
  // A day that is over, and a month that has fewer days, are compared whole.
  ['?startDate=2026-11-27', '2026-11-29', { startDate: '2026-11-26', endDate: '2026-11-26' }],
  ['?period=month', '2026-03-31', { startDate: '2026-02-01', endDate: '2026-02-28' }],
])('the report %j of %s is compared with equal parts', (search, today, before) => {
  expect(beforeAt(search, today)).toEqual(before)
})
