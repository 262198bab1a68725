// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { GivenNumber } from '#shared/gateway/given-numbers.ts'
import { numbersQuery, useNumbers } from './given-numbers.ts'
import { givenNumber } from './test-numbers.ts'
import { inApp } from '#web/users/test-app.tsx'

beforeEach(() => vi.stubGlobal('fetch', () => new Promise<never>(() => undefined)))

function numbersOf(numbers: GivenNumber[] | undefined) {
  const client = new QueryClient()
  if (numbers) client.setQueryData(numbersQuery().queryKey, numbers)
  return renderHook(useNumbers, {
    wrapper: inApp(client),
  }).result.current
}

test('the name of a number is shown only where there are several', () => {
  expect(numbersOf([givenNumber(1)]).nameOf(1)).toBeUndefined()
  const several = numbersOf([givenNumber(1), givenNumber(2, { isActive: false })])
  expect([1, 2, 3].map(several.nameOf)).toEqual(['loja1', 'loja2', undefined])
  expect(several.living.map(({ isActive }) => isActive)).toEqual([true, false])
})

test('a deleted number does not count, and keeps its name', () => {
  const { living, all, nameOf, find } = numbersOf([
    givenNumber(1),
    givenNumber(2, { isActive: false, isDeleted: true }),
  ])
  expect(living.map(({ id }) => id)).toEqual([1])
  expect([nameOf(1), nameOf(2)]).toEqual([undefined, undefined])
  expect(all.map(({ id }) => id)).toEqual([1, 2])
  expect(find(2)?.isDeleted).toBe(true)
})

test('no number is shown before the numbers are known', () => {
  const { isKnown, nameOf } = numbersOf(undefined)
  expect([isKnown, nameOf(1)]).toEqual([false, undefined])
})
