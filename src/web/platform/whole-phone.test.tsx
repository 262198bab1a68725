// @vitest-environment happy-dom
import { renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useWholePhone, wholePhone } from './whole-phone.ts'

test('a whole number that is searched for gets its normal form once the rules are loaded', async () => {
  const { result, rerender } = renderHook(({ typed }) => useWholePhone(typed), {
    initialProps: { typed: '015 41' },
  })
  expect(result.current).toBeUndefined()
  rerender({ typed: '015 41 98765-1504' })
  await waitFor(() => expect(result.current).toBe('5541987651504'))
  rerender({ typed: 'Maria' })
  expect(result.current).toBeUndefined()
})

test('what is no whole number has no normal form', async () => {
  expect(await wholePhone('(041) 98765-1502')).toBe('5541987651502')
  expect(await wholePhone('98765-1502')).toBeUndefined()
  expect(await wholePhone('Maria')).toBeUndefined()
})
