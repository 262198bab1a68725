// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { pageNumbers } from './page-numbers.ts'
import { Pager } from './pager.tsx'

test('a list of one page has no pager', () => {
  const { container } = render(<Pager page={1} totalPages={1} onPage={() => undefined} />)
  expect(container.innerHTML).toBe('')
})

test('the pager shows the page, and leads first, back, to a number, on and last', () => {
  const onPage = vi.fn<(page: number) => void>()
  render(<Pager page={4} totalPages={9} onPage={onPage} />)
  expect(screen.getByText('Página 4 de 9')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Página 4' }).getAttribute('aria-current')).toBe('page')
  for (const name of ['Primeira página', 'Página anterior', 'Página 6', 'Próxima página', 'Última página'])
    fireEvent.click(screen.getByRole('button', { name }))
  expect(onPage.mock.calls.flat()).toEqual([1, 3, 6, 5, 9])
})

test('the pager disables the buttons that lead beyond an end', () => {
  render(<Pager page={1} totalPages={2} onPage={() => undefined} />)
  const isOff = (name: string) => screen.getByRole('button', { name }).hasAttribute('disabled')
  expect(isOff('Primeira página')).toBe(true)
  expect(isOff('Página anterior')).toBe(true)
  expect(isOff('Próxima página')).toBe(false)
  expect(isOff('Última página')).toBe(false)
})

test.each([
  [1, 9, [1, 2, 3, 4, 5]],
  [2, 9, [1, 2, 3, 4, 5]],
  [5, 9, [3, 4, 5, 6, 7]],
  [9, 9, [5, 6, 7, 8, 9]],
  [2, 3, [1, 2, 3]],
  [1, 0, []],
])('page %i of %i shows %j', (page, totalPages, numbers) => {
  expect(pageNumbers(page, totalPages)).toEqual(numbers)
})

test('the numbers are at most five, follow each other, exist, and hold the current one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (a, b) => {
      const [page, totalPages] = [Math.min(a, b), Math.max(a, b)]
      const numbers = pageNumbers(page, totalPages)
      expect(numbers).toHaveLength(Math.min(5, totalPages))
      expect(numbers).toContain(page)
      expect(numbers[0]).toBeGreaterThanOrEqual(1)
      expect(numbers.at(-1)).toBeLessThanOrEqual(totalPages)
      expect(numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1)).toBe(
        true,
      )
    }),
  )
})
