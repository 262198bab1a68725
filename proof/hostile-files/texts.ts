import { filled as repeated, megabyte } from './filled.ts'

const head = 'Nome;Fone\nAna;41987651501\n'
const filled = (piece: string, megabytes: number, before = head) => repeated(before, piece, megabytes)
const random = (megabytes: number) => {
  const bytes = Buffer.alloc(megabytes * megabyte)
  for (let at = 0, state = 7; at < bytes.length; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    bytes[at] = 1 + (state % 254)
  }
  return bytes
}

/** Files that are taken for CSV, and cost more to read than others of their length. */
export const hostileTexts: readonly { name: string; isReadable?: true; bytes(): Promise<Buffer> }[] = [
  { name: 'a row of 49 MB of separators', bytes: async () => filled(';', 49) },
  { name: 'a cell of 49 MB', bytes: async () => filled('x', 49) },
  { name: 'a quotation mark that never closes, before 49 MB', bytes: async () => filled('x\n', 49, '"') },
  { name: 'quotation marks alone, 49 MB', bytes: async () => filled('"', 49) },
  { name: 'fifty million empty rows', bytes: async () => filled('\n', 49) },
  { name: 'twenty-five million rows of one sign', bytes: async () => filled('x\n', 49) },
  { name: 'zeros', bytes: async () => Buffer.alloc(40 * megabyte) },
  { name: 'a zero at the end of 40 MB', bytes: async () => filled('a;b\n\0', 40) },
  { name: 'a text in UTF-16', bytes: async () => Buffer.from(`\ufeff${head}`, 'utf16le') },
  { name: 'bytes of no kind, 20 MB', bytes: async () => random(20) },
  { name: 'a byte order mark alone', bytes: async () => Buffer.from([0xef, 0xbb, 0xbf]) },
  {
    name: 'a heading of 900,000 columns',
    bytes: async () => Buffer.from(`${'a;'.repeat(450_000)}\n1\n`),
    isReadable: true,
  },
  { name: 'a separator line alone', bytes: async () => Buffer.from('sep=;\n') },
  { name: 'blanks alone', bytes: async () => filled(' ', 20, ' ') },
  { name: 'tabs alone', bytes: async () => filled('\t', 20, '\t') },
  { name: 'a PDF', bytes: async () => filled('x', 5, '%PDF-1.7\n') },
  {
    name: 'an old workbook',
    bytes: async () =>
      filled('x', 5, '\u00d0\u00cf\u0011\u00e0')
        .fill(0xd0, 0, 1)
        .fill(0xcf, 1, 2)
        .fill(0x11, 2, 3)
        .fill(0xe0, 3, 4),
  },
  { name: 'a page of the web', bytes: async () => filled('<td>x', 20, '<html><table>') },
  { name: 'a heading alone', bytes: async () => Buffer.from('Nome;Fone\n') },
  {
    name: 'a hundred columns of telephones, of which none exists',
    bytes: async () =>
      filled(`${'0'.repeat(12)};`.repeat(100).concat('\n'), 20, `${'Fone;'.repeat(99)}Nome\n`),
    isReadable: true,
  },
  {
    name: 'cells of thousands of telephones, of which none exists',
    bytes: async () => filled(`Ana;${'41900000000 ::: '.repeat(2000)}\n`, 20),
    isReadable: true,
  },
  {
    name: 'cells that are nearly addresses',
    bytes: async () => filled(`${'a@'.repeat(16_000)};${'@'.repeat(32_000)}\n`, 20, 'Email;Nome\n'),
    isReadable: true,
  },
  {
    name: 'columns of which nothing can be told, of names and figures',
    bytes: async () => filled(`${'Ana 1;'.repeat(100)}\n`, 20, `${'x;'.repeat(100)}\n`),
    isReadable: true,
  },
  { name: 'a file that is too large', bytes: async () => filled('a;b\n', 51) },
]
