// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { pageIn } from '#web/platform/page-number.ts'
import { pageOf, useTypedSearch } from './use-page-filter.ts'

const rows = [1, 2, 3, 4, 5, 6, 7]

test.each([
  [1, 3, [1, 2, 3], 0, 1],
  [3, 3, [7], 6, 3],
  // Beyond the end, since rows were deleted or the address was typed: the last page.
  [9, 3, [7], 6, 3],
  [1, 10, rows, 0, 1],
])('the page %i of %i rows each has the rows at its place', (page, limit, shown, first, shownPage) => {
  expect(pageOf(rows, { page, limit })).toMatchObject({ rows: shown, first, page: shownPage, total: 7 })
})

test('an empty list has one page', () => {
  expect(pageOf([], { page: 4, limit: 10 })).toEqual({ rows: [], first: 0, page: 1, totalPages: 1, total: 0 })
})

test.each([
  ['2', 2],
  ['0', 1],
  ['-1', 1],
  ['2x', 1],
  ['9999999', 1],
  [null, 1],
])('the address ?page=%s leads to page %i', (given, page) => {
  expect(pageIn(given)).toBe(page)
})

test('a typed search settles after the last key, however often the screen is drawn meanwhile', () => {
  vi.useFakeTimers()
  const settled: string[] = []
  const { result, rerender } = renderHook(() => useTypedSearch('', (search) => settled.push(search)))
  const drawnFor = (ms: number) => {
    for (let at = 0; at < ms; at += 50) {
      vi.advanceTimersByTime(50)
      rerender()
    }
  }
  act(() => result.current[1]('fra'))
  drawnFor(250)
  act(() => result.current[1]('frango '))
  drawnFor(250)
  expect(settled).toEqual([])
  drawnFor(50)
  expect(settled).toEqual(['frango'])
  vi.useRealTimers()
})
