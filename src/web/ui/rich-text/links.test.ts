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
  ['www.loja.com.br/ofertas!', ['https://www.loja.com.br/ofertas']],
  ['escreva a ana.silva+loja@exemplo.com.br.', ['mailto:ana.silva+loja@exemplo.com.br']],
  ['@ana', []],
  ['a@b', []],
  ['ligue (11) 98765-4321 ou 11 3333-4444', ['tel:+5511987654321', 'tel:+551133334444']],
  ['+55 21 98888-7777, 5521988887777', ['tel:+5521988887777', 'tel:+5521988887777']],
  ['11987654321', ['tel:+5511987654321']],
  // Not a CPF, a CNPJ, a barcode, a price or a date.
  ['111.444.777-35 e 11144477735', []],
  ['12.345.678/0001-95', []],
  ['23793.38128 60007.827136 95000.063305 9 75520000370000', []],
  ['R$ 1.119,87 em 21/11/2026 14:30', []],
  ['protocolo 20261121001760', []],
])('the links found in the text %s', (text, hrefs) => {
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
      for (const href of links(text)) expect(href).toMatch(/^(https?|mailto|tel):/)
    }),
  )
})

test('an address longer than any page has is plain text, whatever the URL parser says of it', () => {
  const host = `https://${'w200B'.repeat(13_000)}`
  // URL.canParse and the constructor disagree about so long a host once both are compiled.
  for (let n = 0; n < 200; n++) expect(links(`veja ${host} agora`)).toEqual([])
  const page = `https://a.b/${'c'.repeat(4000)}`
  expect(links(page)).toEqual([page])
  expect(links(`${page}${'c'.repeat(4000)}`)).toEqual([])
})
