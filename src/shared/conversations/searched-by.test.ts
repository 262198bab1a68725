import { expect, test } from 'vitest'
import { searchedBy } from './searched-by.ts'

const iris = { protocol: '20261119000001', contact: { name: 'Íris São Luís', phone: '5511987654321' } }

test.each([
  ['', true],
  ['íris', true],
  ['iris', true],
  ['SAO LUIS', true],
  ['98765-4321', true],
  ['(11) 98765', true],
  ['20261119', true],
  ['isis', false],
  ['Contato 1', false],
  ['987 ou mais', false],
  ['99999', false],
])('a conversation is found by the search %j: %s', (search, isFound) => {
  expect(searchedBy(search)(iris)).toBe(isFound)
})
