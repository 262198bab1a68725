import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textParts } from './links.ts'

const links = (text: string) => textParts(text).flatMap((part) => (part.kind === 'link' ? [part.href] : []))

test.each([
  ['veja https://exemplo.com.br/a?b=1.', ['https://exemplo.com.br/a?b=1']],
  ['(http://exemplo.com)', ['http://exemplo.com/']],
  ['https://pt.wikipedia.org/wiki/Rio_(filme)', ['https://pt.wikipedia.org/wiki/Rio_(filme)']],
  ['mailto:a@b.com, obrigado', ['mailto:a@b.com']],
  ['javascript:alert(1)', []],
  ['data:text/html,<b>oi</b>', []],
  ['ftp://exemplo.com', []],
  ['https://', []],
  ['https://banco.com@golpe.example/', []],
  ['sem link', []],
])('%s', (text, hrefs) => {
  expect(links(text)).toEqual(hrefs)
})

test('nothing of the text is lost or added, and no other scheme gets through', () => {
  const bits = fc.constantFrom(
    'https://a.b/',
    'javascript:',
    'mailto:x@y.z',
    ' ',
    '\n',
    '<b>',
    '.',
    'اهلا',
    '🙈',
    '"',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(bits, fc.string()), { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const parts = textParts(text)
      expect(parts.map((part) => part.text).join('')).toBe(text)
      for (const href of links(text)) expect(href).toMatch(/^(https?|mailto):/)
    }),
  )
})
