import { expect, test } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import { findPhones } from './find-phones.ts'

function phone(id: string, name: string, number: string) {
  return { id, name, number } as PhoneView
}
const phones = [
  phone('a', 'Thaís Conceição', '5571988201147'),
  phone('b', 'Kauã Nhambiquara', '5592991740388'),
  phone('c', 'José da Conceição', '5511970128834'),
]
function found(search: string, first: string[] = []) {
  return findPhones(phones, search, new Set(first)).map(({ id }) => id)
}

test('a search that says nothing finds everybody, those on the stage first', () => {
  expect(found('')).toEqual(['a', 'b', 'c'])
  expect(found('  ', ['c'])).toEqual(['c', 'a', 'b'])
})

test('names are found without accents, in any case, by words in any order', () => {
  expect(found('conceicao')).toEqual(['a', 'c'])
  expect(found('CONCEIÇÃO jose')).toEqual(['c'])
  expect(found('kaua', ['a'])).toEqual(['b'])
})

test('numbers are found as people write them', () => {
  expect(found('(92) 99174-0388')).toEqual(['b'])
  expect(found('8834')).toEqual(['c'])
})

test('what nobody is called finds nobody', () => {
  expect(found('zzz')).toEqual([])
  expect(found('thais 9')).toEqual([])
})
