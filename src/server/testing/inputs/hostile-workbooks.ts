import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A part of a workbook, as pieces of text that are repeated. */
type Part = string | Buffer | (() => Iterable<string>)
type Parts = Record<string, Part>

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationship = (id: string, type: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"${more}/>`
const packaged = 'http://schemas.openxmlformats.org/package/2006/relationships'
const relationships = (...all: string[]) =>
  `<Relationships xmlns="${packaged}">${all.join('')}</Relationships>`
const workbookOf = (...sheets: string[]) =>
  `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.join('')}</sheets></workbook>`
const sheetOf = (...rows: string[]) =>
  `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`
const text = (value: string, place = '') =>
  `<c${place && ` r="${place}"`} t="inlineStr"><is><t>${value}</t></is></c>`
const contact =
  `<row r="1">${text('Nome')}${text('Fone')}</row>` + `<row r="2">${text('Ana')}${text('41987651501')}</row>`
const declaring = (entities: string) => `<!DOCTYPE x [${entities}]>${sheetOf(`<row>${text('&e9;')}</row>`)}`

const usual: Parts = {
  '_rels/.rels': relationships(relationship('r1', 'officeDocument', 'xl/workbook.xml')),
  'xl/workbook.xml': workbookOf('<sheet name="A" sheetId="1" r:id="r1"/>'),
  'xl/_rels/workbook.xml.rels': relationships(
    relationship('r1', 'worksheet', 'worksheets/sheet1.xml'),
    relationship('r2', 'sharedStrings', 'sharedStrings.xml'),
    relationship('r3', 'styles', 'styles.xml'),
  ),
  'xl/worksheets/sheet1.xml': sheetOf(contact),
}

/** A ZIP file of a small workbook with other parts. */
async function workbook(parts: Parts, forceZip64Format = false): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, part] of Object.entries({ ...usual, ...parts })) {
    if (typeof part === 'function')
      zip.addReadStreamLazy(name, {}, (give) => give(null, Readable.from(part())))
    else zip.addBuffer(Buffer.from(part), name)
  }
  zip.end({ forceZip64Format, comment: '' })
  return buffer(zip.outputStream)
}

/** A ZIP file of a workbook with one sheet of these rows, as they stand in XML. */
export const workbookWith = (...rows: string[]): Promise<Buffer> =>
  workbook({ 'xl/worksheets/sheet1.xml': sheetOf(...rows) })

/** A head, a text many times, and an end. */
const many = (head: string, piece: string, times: number, end = '') =>
  function* () {
    yield head
    const some = piece.repeat(1000)
    for (let n = 0; n < Math.floor(times / 1000); n++) yield some
    yield piece.repeat(times % 1000)
    yield end
  }
const [sheetHead = '', sheetEnd = ''] = sheetOf('|').split('|')
const sheet = (piece: string, times: number) => ({
  'xl/worksheets/sheet1.xml': many(`${sheetHead}${contact}`, piece, times, sheetEnd),
})
const row = (cells: string, attributes = 'r="3"') => ({
  'xl/worksheets/sheet1.xml': sheetOf(contact, `<row ${attributes}>${cells}</row>`),
})
const strings = (piece: string, times: number) => ({
  'xl/sharedStrings.xml': many(`<sst xmlns="${main}">`, piece, times, '</sst>'),
})
const styles = (inner: Part) => ({
  'xl/styles.xml':
    typeof inner === 'function' ? inner : `<styleSheet xmlns="${main}">${inner.toString()}</styleSheet>`,
})

/** Changes bytes of a finished file: in each entry of its directory at an offset, or at its end. */
async function patched(
  parts: Parts,
  change: (bytes: Buffer, entry: number, end: number) => void,
): Promise<Buffer> {
  const bytes = await workbook(parts)
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  let entry = bytes.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
  while (entry !== -1) {
    change(bytes, entry, end)
    entry = bytes.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'), entry + 4)
  }
  return bytes
}

export interface HostileWorkbook {
  name: string
  /** Whether it can be read nevertheless, with the contact that is in it. */
  isReadable?: true
  bytes(): Promise<Buffer>
}

const hostile: Record<string, Parts | (() => Promise<Buffer>)> = {
  '16.7 million empty shared texts': strings('<si/>', 16_700_000),
  'three million shared texts': strings('<si><t>a</t></si>', 3_000_000),
  'shared texts of 150 MB': strings(`<si><t>${'x'.repeat(30_000)}</t></si>`, 5000),
  'one shared text of 600 MB': {
    'xl/sharedStrings.xml': many(
      `<sst xmlns="${main}"><si><t>`,
      'x'.repeat(1024),
      600 * 1024,
      '</t></si></sst>',
    ),
  },
  'shared texts under another name': {
    'xl/_rels/workbook.xml.rels': relationships(
      relationship('r1', 'worksheet', 'worksheets/sheet1.xml'),
      relationship('r2', 'sharedStrings', 'palavras.xml'),
    ),
    'xl/palavras.xml': many(`<sst xmlns="${main}">`, '<si/>', 16_700_000, '</sst>'),
  },
  'texts of 32,000 signs that a million cells refer to': {
    'xl/sharedStrings.xml': `<sst xmlns="${main}"><si><t>${'y'.repeat(32_000)}</t></si></sst>`,
    ...sheet('<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>', 500_000),
  },
  'a cell of 600 MB': {
    'xl/worksheets/sheet1.xml': many(
      `${sheetHead}<row r="1"><c t="inlineStr"><is><t>`,
      'x'.repeat(1024),
      600 * 1024,
      `</t></is></c></row>${sheetEnd}`,
    ),
  },
  'an attribute of 100 MB': {
    'xl/worksheets/sheet1.xml': many(`${sheetHead}<row r="`, '1'.repeat(1024), 100 * 1024, `"/>${sheetEnd}`),
  },
  'an element name of 100 MB': {
    'xl/worksheets/sheet1.xml': many('<', 'w'.repeat(1024), 100 * 1024, '/>'),
  },
  'a comment of 600 MB': sheet(`<!--${'-x'.repeat(500)}-->`, 620_000),
  'a gigabyte of blanks': sheet(' '.repeat(1024), 1024 * 1024),
  'a hundred million empty rows': sheet('<row/>', 100_000_000),
  '25 million empty cells': {
    'xl/worksheets/sheet1.xml': many(
      `${sheetHead}${contact}<row r="3">`,
      '<c r="A3"/>',
      25_000_000,
      `</row>${sheetEnd}`,
    ),
  },
  'elements within each other, ten million deep': sheet('<a>', 10_000_000),
  'rows in the wrong order': row('', 'r="1"'),
  'a row of a number that is none': row('', 'r="NaN"'),
  'a row far behind the last': row('', 'r="1e9"'),
  'a row of a negative number': row('', 'r="-3"'),
  'a cell behind the last column': row(text('x', 'ZZZZ3')),
  'a cell in no column': row(text('x', '3')),
  'a hundred thousand sheets': {
    'xl/workbook.xml': many(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>`,
      '<sheet name="A" r:id="r1"/>',
      100_000,
      '</sheets></workbook>',
    ),
  },
  'one large part as 200 sheets': {
    'xl/workbook.xml': workbookOf(
      ...Array.from({ length: 200 }, (_, n) => `<sheet name="A${n}" r:id="r1"/>`),
    ),
    ...sheet(' '.repeat(1024), 4096),
  },
  'a hundred thousand relationships': {
    'xl/_rels/workbook.xml.rels': many(
      relationships().replace('</Relationships>', ''),
      relationship('r1', 'worksheet', 'worksheets/sheet1.xml'),
      100_000,
      '</Relationships>',
    ),
  },
  'a workbook that is its own sheet': {
    'xl/_rels/workbook.xml.rels': relationships(relationship('r1', 'worksheet', 'nada.xml')),
  },
  'a sheet outside of the file': {
    'xl/_rels/workbook.xml.rels': relationships(relationship('r1', 'worksheet', '../../../../etc/passwd')),
  },
  'a sheet at another address': {
    'xl/_rels/workbook.xml.rels': relationships(
      relationship('r1', 'worksheet', 'http://127.0.0.1/sheet.xml', ' TargetMode="External"'),
    ),
  },
  'no sheet': { 'xl/workbook.xml': workbookOf() },
  'a workbook that is no XML': { 'xl/workbook.xml': 'nada' },
  'an empty sheet part': { 'xl/worksheets/sheet1.xml': '' },
  'a sheet that is cut off': { 'xl/worksheets/sheet1.xml': `${sheetHead}${contact}` },
  'a sheet in UTF-16': { 'xl/worksheets/sheet1.xml': Buffer.from(`\ufeff${sheetOf(contact)}`, 'utf16le') },
  'a sheet of invalid UTF-8': { 'xl/worksheets/sheet1.xml': Buffer.from(sheetOf(text('\xff')), 'latin1') },
  'entities that grow a billion times': {
    'xl/worksheets/sheet1.xml': declaring(
      Array.from({ length: 10 }, (_, n) => `<!ENTITY e${n} "${`&e${n - 1};`.repeat(10)}">`).join(''),
    ),
  },
  'an entity of a file of the machine': {
    'xl/worksheets/sheet1.xml': declaring('<!ENTITY e9 SYSTEM "file:///etc/passwd">'),
  },
  'sizes of 0 in the directory': () =>
    patched(strings('<si/>', 1_000_000), (bytes, entry) => bytes.writeUInt32LE(0, entry + 24)),
  'sizes of 4 GB in the directory': () =>
    patched({}, (bytes, entry) => bytes.writeUInt32LE(0xfffffff0, entry + 24)),
  'wrong check sums': () => patched({}, (bytes, entry) => bytes.writeUInt32LE(1, entry + 16)),
  'parts with a password': () => patched({}, (bytes, entry) => bytes.writeUInt16LE(1, entry + 8)),
  'an unknown compression': () => patched({}, (bytes, entry) => bytes.writeUInt16LE(12, entry + 10)),
  'all parts at one place': () => patched({}, (bytes, entry) => bytes.writeUInt32LE(0, entry + 42)),
  'a directory behind the end': () =>
    patched({}, (bytes, _entry, end) => bytes.writeUInt32LE(0xfffffff, end + 16)),
  'more parts than there are': () =>
    patched({}, (bytes, _entry, end) => bytes.writeUInt32LE(0xffffffff, end + 8)),
  'a file that is cut off': async () => (await workbook({})).subarray(0, 700),
  'zeros in the middle': async () => (await workbook({})).fill(0, 40, 400),
  'twenty thousand parts': () =>
    workbook(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`x/${n}.xml`, '']))),
  'the same part twice': () => workbook({ 'XL/Workbook.xml': workbookOf() }),
  'another archive': async () => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('olá'), 'leia-me.txt')
    zip.end()
    return buffer(zip.outputStream)
  },
}

const harmless: Record<string, Parts | (() => Promise<Buffer>)> = {
  'ten million styles': styles(
    many(
      `<styleSheet xmlns="${main}"><cellXfs>`,
      '<xf numFmtId="14"/>',
      10_000_000,
      '</cellXfs></styleSheet>',
    ),
  ),
  'a cell in the last row': row(text(' ', 'A1048576'), 'r="1048576"'),
  'a cell in the last column of 5,000 rows': sheet(`<row>${text('x', 'XFD9')}</row>`, 5000),
  'sizes in the form of ZIP64': () => workbook({}, true),
  'numbers of shared texts that do not exist': row(
    '<c t="s"><v>7</v></c><c t="s"><v>-1</v></c><c t="s"><v>1e308</v></c>',
  ),
  'a date behind the end of time': {
    ...row('<c s="0"><v>1e300</v></c>'),
    ...styles('<cellXfs><xf numFmtId="14"/></cellXfs>'),
  },
  'a date format of 100,000 brackets': styles(
    `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(60_000)}"/></numFmts>` +
      '<cellXfs><xf numFmtId="200"/></cellXfs>',
  ),
}

const bytesOf = (made: Parts | (() => Promise<Buffer>)) =>
  typeof made === 'function' ? made() : workbook(made)

/** Workbooks that cost far more to read than they are long, or are not what they say. */
export const hostileWorkbooks: readonly HostileWorkbook[] = [
  ...Object.entries(hostile).map(([name, made]) => ({ name, bytes: () => bytesOf(made as Parts) })),
  ...Object.entries(harmless).map(([name, made]) => ({
    name,
    isReadable: true as const,
    bytes: () => bytesOf(made as Parts),
  })),
]
