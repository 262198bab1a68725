import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceRuns } from './source-runs.ts'

const shown = (text: string) =>
  sourceRuns(text)
    .filter(({ styles }) => styles.length > 0)
    .map((run) => `${run.styles.join('+')}: ${run.text}`)

test('the source of a formatted text is kept as it is, whatever it is', () => {
  const pieces = fc.constantFrom(
    '*',
    '_',
    '~',
    '`',
    '```',
    '\n',
    ' ',
    '> ',
    '- ',
    '1. ',
    'oi',
    'https://a.br',
    '👍',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(pieces).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(
        sourceRuns(text)
          .map((run) => run.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

test('signs, and what is between them, have the style that the message will have', () => {
  expect(shown('um *dois* três')).toEqual(['bold+sign: *', 'bold: dois', 'bold+sign: *'])
  expect(shown('*a _b_*')).toEqual([
    'bold+sign: *',
    'bold: a ',
    'bold+italic+sign: _',
    'bold+italic: b',
    'bold+italic+sign: _',
    'bold+sign: *',
  ])
  expect(shown('- ~x~')).toEqual(['strike+sign: ~', 'strike: x', 'strike+sign: ~'])
  expect(shown('veja ```a\n*b*``` e `c`')).toEqual([
    'code: ```a\n*b*```',
    'code+sign: `',
    'code: c',
    'code+sign: `',
  ])
})

test('text that WhatsApp does not format is plain', () => {
  for (const text of ['2 * 3 * 4', 'nome_do_arquivo', '*aberto', '~ não ~', 'https://a.br/_x_']) {
    expect(shown(text)).toEqual([])
  }
})
