import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseVcard, safeUrl } from './vcard.ts'

const card = (...lines: string[]) =>
  parseVcard(['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD'].join('\r\n'))

test('a contact card with everything that the console shows', () => {
  expect(
    card(
      'N:Silva;Pedro;Luís;Dr.;Jr.',
      'FN:Dr. Pedro Silva',
      'ORG:Loja do Pedro;Vendas',
      'item1.EMAIL;type=INTERNET:pedro@loja.example',
      'item2.URL:https://loja.example',
      'TEL;type=CELL;type=VOICE;waid=5511977776666:+55 11 97777-6666',
      'item3.TEL:(11) 3333-4444',
      'item3.X-ABLabel:Loja',
      'PHOTO;BASE64:AAAA',
    ),
  ).toEqual({
    name: 'Dr. Pedro Silva',
    phones: [{ number: '+55 11 97777-6666', waId: '5511977776666' }, { number: '(11) 3333-4444' }],
    organization: 'Loja do Pedro, Vendas',
    email: 'pedro@loja.example',
    url: 'https://loja.example',
  })
})

test.each<[string, string[], object]>([
  ['a structured name alone', ['N:Silva;Pedro;;Dr.;'], { name: 'Dr. Pedro Silva' }],
  ['a structured name with a first name alone', ['N:;Pedro;;;'], { name: 'Pedro' }],
  ['a blank name before the structured one', ['FN: ', 'N:Silva;Ana;;;'], { name: 'Ana Silva' }],
  ['a blank name before a good one', ['FN:', 'FN:Ana'], { name: 'Ana' }],
  ['escaped characters', ['FN:Silva\\, Ana\\; \\\\o/\\nBairro'], { name: 'Silva, Ana; \\o/ Bairro' }],
  ['an escaped semicolon in a part', ['N:Silva\\;Souza;Ana;;;'], { name: 'Ana Silva;Souza' }],
  ['a folded line', ['FN:Ana Mar', ' ia da', '\t Silva'], { name: 'Ana Maria da Silva' }],
  [
    'quoted-printable (2.1)',
    ['FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jo=C3=A3o =C3=89'],
    { name: 'João É' },
  ],
  [
    'quoted-printable over two lines',
    ['N;ENCODING=QUOTED-PRINTABLE:Silva;Jo=C3=A3=', 'o;;;'],
    { name: 'João Silva' },
  ],
  ['the short form of 2.1', ['FN;QUOTED-PRINTABLE:Jo=C3=A3o'], { name: 'João' }],
  ['small letters', ['fn:ana', 'tel:11 98888-7777'], { name: 'ana', phones: [{ number: '11 98888-7777' }] }],
  [
    'an address of version 4',
    ['TEL;VALUE=uri:tel:+5511988887777'],
    { phones: [{ number: '+5511988887777' }] },
  ],
  [
    'a colon inside quotes',
    ['TEL;X-NOTE="a:b";waid=5511988887777:+55 11'],
    { phones: [{ number: '+55 11', waId: '5511988887777' }] },
  ],
  [
    'a broken waid, as the gateway writes it',
    ['TEL;waid=5511977776666@s.whatsapp.net:+55 11 97777-6666'],
    { phones: [{ number: '+55 11 97777-6666', waId: '5511977776666' }] },
  ],
  [
    'a waid without a number',
    ['TEL;waid=5511977776666:'],
    { phones: [{ number: '+5511977776666', waId: '5511977776666' }] },
  ],
  ['a waid that is none', ['TEL;waid=abc:123'], { phones: [{ number: '123' }] }],
  ['a number that is blank', ['TEL:  '], { phones: [] }],
  ['an e-mail as an address', ['EMAIL:mailto:a@b.example'], { email: 'a@b.example' }],
])('a contact card is read with %s', (_name, lines, wanted) => {
  expect(card(...lines)).toEqual({ phones: [], ...wanted })
})

test.each(['\n', '\r\n', '\r'])('a contact card with lines that end in %j', (end) => {
  expect(parseVcard(['BEGIN:VCARD', 'FN:Ana', 'TEL:123', 'END:VCARD'].join(end))).toEqual({
    name: 'Ana',
    phones: [{ number: '123' }],
  })
})

test('a contact card shows no address that a browser would run', () => {
  const refused = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http:x',
  ]
  for (const url of refused) expect(card('FN:x', `URL:${url}`)).toEqual({ name: 'x', phones: [] })
  expect(safeUrl('loja.example/a:b')).toBe('loja.example/a:b')
  expect(safeUrl('loja.example:8080/x')).toBe('loja.example:8080/x')
  expect(safeUrl(undefined)).toBeUndefined()
})

test('a contact card is bounded, whatever it is', () => {
  const isSmall = (source: string) => {
    const before = process.threadCpuUsage()
    const parsed = parseVcard(source)
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1000)
    expect(JSON.stringify(parsed).length).toBeLessThan(20_000)
    expect(parsed.phones.length).toBeLessThanOrEqual(30)
  }
  isSmall('TEL:1\n'.repeat(100_000))
  isSmall(`FN:${'\\'.repeat(200_000)}`)
  isSmall(`N:${';'.repeat(200_000)}`)
  isSmall(`FN:${' '.repeat(200_000)}x`)
  isSmall(`FN;ENCODING=QUOTED-PRINTABLE:${'=\n'.repeat(100_000)}`)
  isSmall(`FN;ENCODING=QUOTED-PRINTABLE:${'='.repeat(100_000)}`)
  isSmall(`TEL;waid=${'5'.repeat(100_000)}:1`)
  isSmall(`TEL;${'"'.repeat(65_000)}:1`)
  isSmall(' x\n'.repeat(50_000))
  const piece = fc.constantFrom(
    'FN',
    'TEL',
    'N',
    'ORG',
    ':',
    ';',
    '=',
    '=3D',
    '\\',
    '\n',
    '\r\n',
    ' ',
    '"',
    'waid=55119',
    'ENCODING=QUOTED-PRINTABLE',
    '\ud83d',
    'ã',
    'item1.',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => isSmall(pieces.join(''))),
    { seed: 11, numRuns: 3000 },
  )
})
