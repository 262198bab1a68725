import { filled } from './filled.ts'

const begin = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nTEL:41987651501\r\n'
const end = 'END:VCARD\r\n'
/** A card with a piece that is repeated within it. */
const within = (piece: string, megabytes: number, before = '') =>
  Buffer.concat([filled(begin + before, piece, megabytes), Buffer.from(`\r\n${end}`)])

/** Files of vCards that cost more to read than others of their length. */
export const hostileCards: readonly { name: string; isReadable?: true; bytes(): Promise<Buffer> }[] = [
  { name: 'two million empty cards', bytes: async () => filled('', `BEGIN:VCARD\n${end}`, 49) },
  {
    name: 'more cards than a sheet has rows',
    bytes: async () => filled('', 'BEGIN:VCARD\nTEL:1\nEND:VCARD\n', 49),
  },
  {
    name: 'a photo of 49 MB in one line',
    bytes: async () => within('A', 48, 'PHOTO;ENCODING=b:'),
    isReadable: true,
  },
  {
    name: 'a photo of 49 MB in folded lines',
    bytes: async () => within(' AAAAAAAAAAAAAAA\r\n', 48, 'PHOTO;ENCODING=b:A\r\n'),
    isReadable: true,
  },
  { name: 'twenty-five million lines of one sign', bytes: async () => within('x\n', 48), isReadable: true },
  { name: 'fifty million empty lines', bytes: async () => within('\n', 48), isReadable: true },
  { name: 'fifty million blanks, a line each', bytes: async () => within(' \n', 48), isReadable: true },
  {
    name: 'quoted-printable that never ends',
    bytes: async () => within('=41=\n', 48, 'NOTE;ENCODING=QUOTED-PRINTABLE:=\n'),
    isReadable: true,
  },
  {
    name: 'notes of quoted-printable of 100 kB each',
    bytes: async () => within(`NOTE;QUOTED-PRINTABLE:${'=C3=A7'.repeat(17_000)}\n`, 48),
    isReadable: true,
  },
  {
    name: 'two million telephones of one person',
    bytes: async () => within('TEL:41987651502\n', 48),
    isReadable: true,
  },
  {
    name: 'parameters without end',
    bytes: async () => within(`TEL${';TYPE=CELL'.repeat(10_000)}:1\n`, 48),
    isReadable: true,
  },
  {
    name: 'quotation marks that never close',
    bytes: async () => within(`TEL;TYPE="${'x'.repeat(1000)}:1\n`, 48),
    isReadable: true,
  },
  {
    name: 'groups within groups',
    bytes: async () => within(`${'a.'.repeat(900)}TEL:1\n`, 48),
    isReadable: true,
  },
  {
    name: 'categories without end',
    bytes: async () => within(`CATEGORIES:${'a\\,,'.repeat(25_000)}\n`, 48),
    isReadable: true,
  },
  { name: 'agents of agents of agents', bytes: async () => within('AGENT:\nBEGIN:VCARD\n', 48) },
  { name: 'a card that never ends', bytes: async () => filled(begin, 'X-A:b\n', 49) },
  { name: 'a card with zeros', bytes: async () => filled(begin, '\0', 20) },
  { name: 'cards in UTF-16', bytes: async () => Buffer.from(`\ufeff${begin}${end}`, 'utf16le') },
  { name: 'the first line of a card alone', bytes: async () => Buffer.from('BEGIN:VCARD') },
  { name: 'lists alone', bytes: async () => filled('', `BEGIN:VCARD\nKIND:group\n${end}`, 20) },
]
