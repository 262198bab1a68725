import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, formatted, type Inline, mostParts } from './whatsapp-format.ts'

/** The tree as a short text: '<b>…</b>' for bold, and so on. */
const tags = { bold: 'b', italic: 'i', strike: 's' } as const
const inline = (parts: readonly Inline[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'link') return `[${part.text}]`
      if (part.kind === 'code') return `<c>${part.text}</c>`
      return `<${tags[part.kind]}>${inline(part.children)}</${tags[part.kind]}>`
    })
    .join('')
const block = (one: Block): string => {
  if (one.kind === 'code') return `<pre>${one.text}</pre>`
  if ('children' in one) return one.kind === 'quote' ? `<q>${inline(one.children)}</q>` : inline(one.children)
  const items = one.items.map((item) => `<li>${inline(item)}`).join('')
  return one.kind === 'list' ? `<ul>${items}</ul>` : `<ol ${one.start}>${items}</ol>`
}
const shown = (text: string) => formatted(text).map(block).join('|')

test.each([
  ['oi', 'oi'],
  ['', ''],
  ['*oi*', '<b>oi</b>'],
  ['isto é *muito* importante', 'isto é <b>muito</b> importante'],
  ['_a_ ~b~ `c`', '<i>a</i> <s>b</s> <c>c</c>'],
  ['*_tudo_ ~junto~*', '<b><i>tudo</i> <s>junto</s></b>'],
  ['*a _b* c_', '<b>a _b</b> c_'],
  ['"*oi*", (_ah_)!', '"<b>oi</b>", (<i>ah</i>)!'],
  // Lookalikes of formatting.
  ['2*3*4', '2*3*4'],
  ['a * b * c', 'a * b * c'],
  ['* oi*', '* oi*'],
  ['*oi *', '*oi *'],
  ['**', '**'],
  ['****', '****'],
  ['snake_case_name', 'snake_case_name'],
  ['*a\nb*', '*a\nb*'],
  ['*sem fim', '*sem fim'],
  ['ação*é*ã', 'ação*é*ã'],
  // Code.
  ['`*a*`', '<c>*a*</c>'],
  ['veja ```a *b*\nc```', 'veja |<pre>a *b*\nc</pre>'],
  ['```\nx = 1\n```\nfim', '<pre>x = 1\n</pre>|fim'],
  ['```sem fim', '```sem fim'],
  ['``````', '``````'],
  // Lines.
  ['> disse\n> ele\nsim', '<q>disse\nele</q>|sim'],
  ['- um\n- *dois*', '<ul><li>um<li><b>dois</b></ul>'],
  ['* um\n* dois', '<ul><li>um<li>dois</ul>'],
  ['Compre:\n1. arroz\n2. feijão\n\nobrigado', 'Compre:|<ol 1><li>arroz<li>feijão</ol>|\nobrigado'],
  ['1. a\n1. b', '<ol 1><li>a</ol>|<ol 1><li>b</ol>'],
  ['2026. foi bom', '2026. foi bom'],
  ['-5 graus', '-5 graus'],
  ['>oi', '>oi'],
  // Links are not split.
  ['https://a.b/_x_/y ok', '[https://a.b/_x_/y] ok'],
  ['*https://a.b*', '<b>[https://a.b]</b>'],
  ['_fale com ana@loja.com.br_', '<i>fale com [ana@loja.com.br]</i>'],
])('the formatted text %j is shown', (text, tree) => {
  expect(shown(text)).toBe(tree)
})

const words = (blocks: readonly Block[]): string =>
  blocks
    .map((one) => {
      if (one.kind === 'code') return one.text
      return 'children' in one ? inlineWords(one.children) : one.items.map(inlineWords).join('')
    })
    .join('')
const inlineWords = (parts: readonly Inline[]): string =>
  parts.map((part) => ('children' in part ? inlineWords(part.children) : part.text)).join('')

test('formatting takes only the signs away from any text', () => {
  const bits = fc.constantFrom(
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
    'a',
    'ç',
    '🙈',
    'https://a.b/',
    '(11) 98765-4321',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(bits, fc.string({ maxLength: 4 })), { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      const bare = (from: string) => from.replace(/[*_~`\n> \-\d.]/g, '')
      expect(bare(words(formatted(text)))).toBe(bare(text))
    }),
    { numRuns: 2000 },
  )
})

const hostile = [
  '*',
  '_',
  '*a ',
  '*a_b~',
  '`',
  '```',
  '> ',
  '*a*_b_',
  'a@',
  '(11) ',
  '~*_',
  '1. a\n',
  '- a\n',
  '> a\n\n',
  '```a```',
]

// A reader of quadratic cost, which takes a second for 64 k, would take sixteen for four times that. The
// proof 'format' measures that the cost is linear.
test.each(hostile)(
  'a quarter of a million signs of %j are read at once',
  (sign) => {
    const text = sign.repeat(Math.ceil(262_144 / sign.length))
    const blocks = formatted(text)
    expect(words(blocks).length).toBeLessThanOrEqual(text.length)
    expect(partsIn(blocks)).toBeLessThanOrEqual(mostParts)
  },
  8000,
)

/** Everything that a text is drawn with. */
const partsIn = (value: unknown): number => {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + partsIn(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  return 1 + partsIn(Object.values(value))
}

test('a text of more parts than are drawn is plain, with every sign of it', () => {
  const text = '*a* '.repeat(mostParts)
  expect(formatted(text)).toEqual([{ kind: 'text', children: [{ kind: 'text', text }] }])
  expect(shown('*a* '.repeat(500))).toContain('<b>a</b> <b>a</b>')
})
