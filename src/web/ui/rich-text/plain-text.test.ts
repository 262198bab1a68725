import { expect, test } from 'vitest'
import { plainText, plainWithMarks } from './plain-text.ts'

test.each([
  ['Oi *Kauã*, o frete é ~grátis~ _hoje_', 'Oi Kauã, o frete é grátis hoje'],
  ['*_duas vezes_*', 'duas vezes'],
  ['use `npm start` ou ```npm run demo```', 'use npm start ou npm run demo'],
  ['2 * 3 * 4 = 24, a_b_c', '2 * 3 * 4 = 24, a_b_c'],
  ['*sem fim', '*sem fim'],
  ['https://loja.com/a_b_c', 'https://loja.com/a_b_c'],
  ['veja https://loja.com/_next_/x e *isto*', 'veja https://loja.com/_next_/x e isto'],
  ['```a *b*\nc``` e `*d*`', 'a *b*\nc e *d*'],
  ['*uma\nduas*', '*uma\nduas*'],
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

test('a long text of nothing but signs is read at once', () => {
  const start = performance.now()
  for (const sign of ['*', '* ', '_*~', '`', '``` ']) plainText(sign.repeat(1000).slice(0, 1000))
  expect(performance.now() - start).toBeLessThan(500)
})
