import { type Encoding, textOf } from '#server/contacts/import/reading/encoding.ts'
import {
  type KeptRow,
  lastRow,
  longestCell,
  type OpenFile,
} from '#server/contacts/import/reading/kept-rows.ts'
import { Unreadable } from '#server/contacts/import/reading/refusal.ts'
import { plain, propertiesOf, type Property, splitAt } from './properties.ts'

/** The columns that vCards are given, which are those that an import takes. */
const headings = ['Nome', 'Telefone', 'Email', 'Empresa', 'Etiquetas', 'Notas']
/** Between several values of a cell, as Google writes them. */
const between = ' ::: '
/** Further telephones or addresses of one person are ignored. */
const mostValues = 20

/** Whether a file is one of vCards, by its first bytes. */
export const isOfCards = (head: Buffer): boolean =>
  /^(?:\xef\xbb\xbf)?\s*begin:vcard/i.test(head.toString('latin1', 0, 1000))

/** A value with how much it is preferred; the least is the first. */
interface Ranked {
  value: string
  rank: number
}

/** What is kept of a vCard. */
interface Card {
  /** FN, and what stands in for it. */
  names: { shown?: string; parts?: string; nick?: string }
  telephones: Ranked[]
  emails: Ranked[]
  company: string
  tags: string
  notes: string
  /** Whether it is a list of people. */
  isGroup: boolean
}

const emptyCard = (): Card => ({
  names: {},
  telephones: [],
  emails: [],
  company: '',
  tags: '',
  notes: '',
  isGroup: false,
})

/**
 * The people of a file of vCards, of any version, as rows below a row of headings. The line of the first one
 * is 2.
 * @throws Unreadable for a file that ends within a card, or has too many
 */
export async function* rowsOfCards(open: OpenFile, form: Encoding): AsyncGenerator<KeptRow> {
  const rowOf = (line: number, cells: string[]): KeptRow => ({ sheet: 0, line, isHidden: false, cells })
  yield rowOf(1, headings)
  let line = 1
  let card: Card | undefined
  // Version 2.1 has the card of somebody's agent within theirs.
  let [agents, isAgent] = [0, false]
  const row = (of: Card) => {
    if (++line > lastRow) throw new Unreadable({ name: 'tooLarge' })
    const cells = cellsOf(of)
    return !of.isGroup && cells.some((cell) => cell !== '') ? [rowOf(line, cells)] : []
  }
  for await (const properties of propertiesOf(textOf(open, form)))
    for (const property of properties) {
      const { name } = property
      const isOfCard =
        (name === 'begin' || name === 'end') && property.text().trim().toLowerCase() === 'vcard'
      if (isOfCard && name === 'begin') {
        if (card && isAgent) agents++
        // A card whose end is missing ends where the next one begins.
        else if (card) yield* row(card)
        if (agents === 0) card = emptyCard()
      } else if (isOfCard && agents > 0) agents--
      else if (isOfCard && card) {
        yield* row(card)
        card = undefined
      } else if (card && agents === 0) readers[name]?.(card, property)
      isAgent = name === 'agent'
    }
  if (card) throw new Unreadable({ name: 'incomplete' })
}

/** What is said more than once counts the first time. */
const readers: Readonly<Partial<Record<string, (card: Card, property: Property) => void>>> = {
  fn: ({ names }, property) => void (names.shown ||= plain(property.text())),
  n: ({ names }, property) => void (names.parts ||= nameOf(property.text())),
  nickname: ({ names }, property) => void (names.nick ||= plain(property.text())),
  tel: ({ telephones }, property) => add(telephones, () => telephoneOf(property)),
  email: ({ emails }, property) => add(emails, () => emailOf(property)),
  org: (card, property) => void (card.company ||= plain(splitAt(property.text(), ';')[0] ?? '')),
  categories: (card, property) => void (card.tags ||= tagsOf(property.text())),
  note: (card, property) => void (card.notes ||= plain(property.text())),
  kind: (card, property) => void (card.isGroup ||= plain(property.text()).toLowerCase() === 'group'),
  // Apple's, in version 3.0.
  'x-addressbookserver-kind': (card, property) => readers['kind']?.(card, property),
}

function add(values: Ranked[], read: () => Ranked | undefined): void {
  const one = values.length < mostValues ? read() : undefined
  if (one && one.value !== '') values.push(one)
}

/** 'Given Additional Family' of 'Family;Given;Additional;Prefixes;Suffixes' */
function nameOf(value: string): string {
  const [family = '', given = '', additional = ''] = splitAt(value, ';').map(plain)
  return [given, additional, family].filter((part) => part !== '').join(' ')
}

/** As those of a cell are separated. */
const tagsOf = (value: string): string =>
  splitAt(value, ',')
    .map((one) => plain(one).replace(/[,;|]/g, ' '))
    .join(',')

/** From 1, the most preferred, to 100; then without a preference. */
function preferenceOf(property: Property): number {
  if (property.parameters('type').includes('pref')) return 1
  return Number(property.parameters('pref')[0] ?? leastPreferred) || leastPreferred
}
const leastPreferred = 101

const emailOf = (property: Property): Ranked => ({
  value: plain(property.text()).replace(/^mailto:/i, ''),
  rank: preferenceOf(property),
})

const mobiles: readonly string[] = ['cell', 'mobile', 'iphone']
const machines: readonly string[] = ['fax', 'pager', 'modem', 'bbs', 'isdn', 'pcs', 'video']

/** Mobile telephones first, of which WhatsApp knows most; undefined for what is no telephone. */
function telephoneOf(property: Property): Ranked | undefined {
  // What WhatsApp itself writes of its number.
  const [known = ''] = property.parameters('waid')
  if (/^\d+$/.test(known)) return { value: `+${known}`, rank: 0 }
  const types = property.parameters('type')
  const isMobile = types.some((type) => mobiles.includes(type))
  const isMachine = types.some((type) => machines.includes(type))
  if (isMachine && !isMobile && !types.includes('voice')) return undefined
  const [number = ''] = plain(property.text()).replace(/^tel:/i, '').split(';')
  return { value: number, rank: preferenceOf(property) + (isMobile ? 0 : leastPreferred) }
}

const inOrder = (values: readonly Ranked[]) =>
  values
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ value }) => value)
    .join(between)

const cellsOf = ({ names, telephones, emails, company, tags, notes }: Card): string[] =>
  [
    names.shown || names.parts || names.nick || company,
    inOrder(telephones),
    inOrder(emails),
    company,
    tags,
    notes,
  ].map((cell) => cell.slice(0, longestCell).toWellFormed())
