import { expect, test } from 'vitest'
import { plainText, plainWithMarks } from './plain-text.ts'

test.each([
  ['Oi *Kauã*, o frete é ~grátis~ _hoje_', 'Oi Kauã, o frete é grátis hoje'],
  ['*_duas vezes_*', 'duas vezes'],
  ['use `npm start` ou ```npm run demo```', 'use npm start ou npm run demo'],
  ['2 * 3 * 4 = 24, a_b_c', '2 * 3 * 4 = 24, a_b_c'],
  ['*sem fim', '*sem fim'],
  ['https://loja.com/a_b_c', 'https://loja.com/a_b_c'],
  ['', ''],
])('a line shows %j as %j', (written, read) => {
  expect(plainText(written)).toBe(read)
})

test('the places that are marked in a text stay on their words without the signs', () => {
  const written = 'caixa *grande* e ~caixa~'
  const found = [...written.matchAll(/caixa|grande/g)].map(({ index, 0: word }) => [
    index,
    index + word.length,
  ])
  const { text, marks } = plainWithMarks(written, found as [number, number][])
  expect(text).toBe('caixa grande e caixa')
  expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(['caixa', 'grande', 'caixa'])
})
