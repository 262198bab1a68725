import { expect, test } from 'vitest'
import { findIn, searchable } from './palette-results.ts'

const entries = (...titles: string[]) => titles.map((title) => ({ item: title, text: searchable(title) }))

test('the palette finds without accents and in any order of the words', () => {
  const all = entries('Conceição Araújo', 'Configurações', 'João da Conceição')
  expect(findIn(all, 'conceicao').items).toEqual(['Conceição Araújo', 'João da Conceição'])
  expect(findIn(all, 'CONCEIÇÃO joao').items).toEqual(['João da Conceição'])
  expect(findIn(all, 'zz').items).toEqual([])
})

test('the palette lists names that begin with the query first', () => {
  const all = entries('Mariana', 'Rosa Ana', 'Ana Rosa')
  expect(findIn(all, 'ana').rank).toBe(0)
  expect(findIn(all, 'iana').rank).toBe(2)
  expect(findIn(all, 'ana').items).toEqual(['Ana Rosa', 'Rosa Ana', 'Mariana'])
})

test('a blank query of the palette finds everything in its order', () => {
  expect(findIn(entries('b', 'a'), '  ').items).toEqual(['b', 'a'])
})

test('the palette finds a telephone by its digits and as it is written', () => {
  const all = [{ item: 'x', text: searchable('Ana', '5511987654321', '(11) 98765-4321') }]
  for (const query of ['98765', '(11) 98765', '5511987', 'ana 4321'])
    expect(findIn(all, query).items).toEqual(['x'])
})

test('the palette finds a telephone with zeros and signs that show nothing', () => {
  const all = [{ item: 'x', text: searchable('Ana', '5511987654321', '(11) 98765-4321') }]
  for (const query of ['(011) 98765', '98765\u20114321', '\u202a11 98765'])
    expect(findIn(all, query).items).toEqual(['x'])
  expect(findIn(all, '015 11 98765-4321').items).toEqual([])
  expect(findIn(all, '015 11 98765-4321', '5511987654321').items).toEqual(['x'])
})
