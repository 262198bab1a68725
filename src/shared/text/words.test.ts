import { expect, test } from 'vitest'
import { wordsOf } from './words.ts'

const folded = (text: string) => wordsOf(text).map((word) => word.folded)

test.each([
  ['Segunda via do boleto, por favor!', ['segunda', 'via', 'do', 'boleto', 'por', 'favor']],
  ['R$ 1.500,00', ['r', '1', '500', '00']],
  ['AT&T/contato@loja.com', ['at', 't', 'contato', 'loja', 'com']],
  ['Açúcar 🎉🎉 ok', ['acucar', '🎉', '🎉', 'ok']],
  ['CORAÇÃO', ['coracao']],
  ['%_&|!():*', []],
  ['\u0301\u0300', []],
  ['', []],
])('the folded words of the text %j', (text, words) => {
  expect(folded(text)).toEqual(words)
})

test('places are those of the text, also before a decomposed accent', () => {
  const text = 'a ac\u0327a\u0303o b'
  expect(wordsOf(text).map(({ from, to }) => text.slice(from, to))).toEqual(['a', 'ac\u0327a\u0303o', 'b'])
  expect(wordsOf(text)[1]).toMatchObject({ folded: 'acao', lower: 'ação' })
})

test('a word without end is cut', () => {
  expect(folded('x'.repeat(10_000))).toEqual(['x'.repeat(60)])
})
