import { expect, test } from 'vitest'
import type { KeptRow } from '#server/contacts/import/reading/kept-rows.ts'
import { isOfCards, rowsOfCards } from './cards.ts'

const utf8 = { encoding: 'utf-8', hasBom: false } as const

/** Reads a file that comes in pieces of some bytes. */
async function cellsOf(text: string | Buffer, pieceBytes = 7): Promise<string[][]> {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const rows: KeptRow[] = []
  for await (const row of rowsOfCards(pieces, utf8)) rows.push(row)
  return rows.slice(1).map(({ line, cells }) => [String(line), ...cells])
}
const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')
/** Name and telephone of the only card. */
const personOf = async (...lines: string[]) => (await cellsOf(card(...lines)))[0]?.slice(1, 3)

test('a file of vCards is told by its first line, after blank lines and a byte order mark', () => {
  expect(isOfCards(Buffer.from('\ufeff\r\n begin:vcard\r\n'))).toBe(true)
  expect(isOfCards(Buffer.from('Nome;BEGIN:VCARD\n'))).toBe(false)
})

test.each([
  ['an unfolded text', ['FN:Ana', ' Paula'], 'AnaPaula'],
  ['a text that is folded by a tab', ['FN:Ana ', '\tPaula'], 'Ana Paula'],
  ['a property with a group', ['item1.FN:Ana'], 'Ana'],
  ['escaped signs', [String.raw`FN:Ana\, Rui\; Lia\\`], 'Ana, Rui; Lia\\'],
  ['its parts where FN is missing', ['N:Sá;Ana;Maria;Dra.;'], 'Ana Maria Sá'],
  ['the company where no name is', ['ORG:Ótica;Vendas'], 'Ótica'],
  ['quoted-printable in UTF-8 without a charset', ['FN;QUOTED-PRINTABLE:In=C3=AAs'], 'Inês'],
  ['quoted-printable in Latin-1', ['FN;ENCODING=quoted-printable;CHARSET=ISO-8859-1:In=EAs'], 'Inês'],
  [
    'quoted-printable that is not in its charset',
    ['FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:In=EAs'],
    'Inês',
  ],
  [
    'quoted-printable in a charset that nobody knows',
    ['FN;CHARSET=x-y;ENCODING=QUOTED-PRINTABLE:In=C3=AAs'],
    'Inês',
  ],
  [
    'quoted-printable beside letters that are not',
    ['FN;ENCODING=QUOTED-PRINTABLE:Inês=20S=C3=A1'],
    'Inês Sá',
  ],
  ['a broken line of quoted-printable', ['FN;ENCODING=QUOTED-PRINTABLE:Ana=', '=20Sá'], 'Ana Sá'],
  ['an equals sign in the last line', ['FN;ENCODING=QUOTED-PRINTABLE:Ana='], 'Ana'],
  ['a colon within quotation marks', ['FN;X="a:b;c":Ana'], 'Ana'],
] as const)('a name is read from %s', async (_what, lines, name) => {
  expect(await personOf(...lines)).toEqual([name, ''])
})

test.each([
  ['the mobile one', ['TEL;HOME;PREF:1', 'TEL;CELL:2', 'TEL:3'], '2 ::: 1 ::: 3'],
  ['the preferred mobile one', ['TEL;TYPE=cell:1', 'TEL;TYPE="cell,pref":2'], '2 ::: 1'],
  ['that of WhatsApp', ['TEL;TYPE=CELL:1', 'TEL;waid=5511987651234:2'], '+5511987651234 ::: 1'],
  ['none of a fax machine', ['TEL;FAX:1', 'TEL;TYPE=work,fax:2', 'TEL;TYPE=fax,voice:3'], '3'],
  ['that of an address', ['TEL;VALUE=uri:tel:+55-11-1;ext=2'], '+55-11-1'],
])('of several telephones the first is %s', async (_what, lines, telephones) => {
  expect(await personOf('FN:Ana', ...lines)).toEqual(['Ana', telephones])
})

test('a photo is ignored, folded or not, and whatever its length', async () => {
  const photo = 'A'.repeat(300_000)
  const lines = [`PHOTO;ENCODING=b:${photo}`, ` ${photo}`, photo, `PHOTO:data:image/png;base64,${photo}`]
  const [row] = await cellsOf(card(...lines, 'FN:Ana'), 64 * 1024)
  expect(row).toEqual(['2', 'Ana', '', '', '', '', ''])
})

test('cards are counted from line 2, and those of lists and without anything are no rows', async () => {
  const group = card('FN:Lista', 'KIND:group')
  expect(await cellsOf(card('FN:Ana') + group + card() + card('FN:Rui', 'TEL:1'))).toEqual([
    ['2', 'Ana', '', '', '', '', ''],
    ['5', 'Rui', '1', '', '', '', ''],
  ])
})

test('a card without an end ends where the next begins, and the last one is refused', async () => {
  const torn = 'BEGIN:VCARD\nFN:Ana\n'
  expect((await cellsOf(torn + card('FN:Rui'))).map(([, name]) => name)).toEqual(['Ana', 'Rui'])
  await expect(cellsOf(card('FN:Ana') + torn)).rejects.toThrow('incomplete')
})

test('what comes in pieces of any size, and with any line ends, is read alike', async () => {
  const text = card('FN:Inês', 'TEL;TYPE=CELL:+55 11', '  98765-1234', 'NOTE:a\\nb')
  const whole = await cellsOf(text, text.length)
  expect(whole).toEqual([['2', 'Inês', '+55 11 98765-1234', '', '', '', 'a\nb']])
  for (let bytes = 1; bytes < 20; bytes++) expect(await cellsOf(text, bytes)).toEqual(whole)
  for (const end of ['\n', '\r']) expect(await cellsOf(text.replaceAll('\r\n', end))).toEqual(whole)
})
