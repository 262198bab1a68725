import { expect, test } from 'vitest'
import { findReasons, markOf } from './find-reasons.ts'

const all = [
  { id: 1, name: 'Segunda via', parent: 'Financeiro' },
  { id: 2, name: 'Avaria ou falta', parent: 'Logística' },
  { id: 3, name: 'Dúvida', parent: undefined },
]
const found = (typed: string) => findReasons(all, typed).map(({ id }) => id)

test.each([
  ['seg', [1]],
  ['FIN via', [1]],
  ['logistica', [2]],
  ['duvida', [3]],
  // Within a word nothing is looked for.
  ['ida', []],
  ['  ', [1, 2, 3]],
  ['seg avaria', []],
])('what is typed as %j finds by the beginnings of words, without accents', (typed, ids) => {
  expect(found(typed)).toEqual(ids)
})

test.each([
  ['Logística', 'logi', [0, 4]],
  ['Segunda via', 'VIA', [8, 11]],
  ['Segunda via', 'gunda', undefined],
  ['Dúvida', '', undefined],
])('in %j what was typed as %j is marked where a word begins with it', (text, typed, mark) => {
  expect(markOf(text, typed)).toEqual(mark)
})
