import type { KnownChoice } from '#shared/contacts/contact-imports.ts'
import { contactLimits } from '#shared/contacts/contacts.ts'
import { errorTexts } from '#shared/text/error-texts.ts'
import { fold } from '#shared/text/fold.ts'
import { type ImportedContact, type RowError, tooManyTags } from '#shared/text/contacts/imported-row.ts'
import type { NamedCompany } from '#server/companies/companies.ts'
import type { NamedSector } from '#server/sectors/sectors.ts'

/** The columns of a contact that a row may change. */
export interface ContactValues {
  name: string
  /** Whether the name comes from the gateway, which a row's never does. */
  hasGatewayName: boolean
  email: string | null
  category: string
  companyId: number | null
  tags: string[]
  notes: string | null
  sectorId: number | null
}

/** A row of the file as it was read. */
export interface ReadRow {
  line: number
  cells: string[]
  read: { contact: ImportedContact } | { error: RowError }
}

/** A contact as the rows so far leave it. Without an id it is new. */
export interface Held {
  id: number | undefined
  phone: string
  values: ContactValues
  isChanged: boolean
}

/** What becomes of a row. */
export type Decision = { line: number } & (
  | { outcome: 'created'; contact: Held }
  | { outcome: 'updated'; contact: Held; before: Partial<ContactValues>; after: Partial<ContactValues> }
  | { outcome: 'kept' }
  | { outcome: 'error'; cells: string[]; error: RowError }
)

export interface Surroundings {
  known: KnownChoice
  /** Those that have one of the numbers, by number. */
  contacts: ReadonlyMap<string, { id: number; values: ContactValues }>
  /** Those on offer, by name in lower case. */
  categories: ReadonlyMap<string, string>
  /** By the name in the file. */
  companies: ReadonlyMap<string, NamedCompany>
  mayCreateCompanies: boolean
  /** Those that there are, by the folded name. */
  sectors: ReadonlyMap<string, NamedSector>
  /** The numbers of people who were anonymized. */
  erased: ReadonlySet<string>
}

export interface Decided {
  rows: Decision[]
  contacts: Held[]
  /** Companies that must exist before, by the names in the file. */
  missing: Set<string>
}

const erasedText = 'Esta pessoa pediu para ser anonimizada.'

/** Decides what becomes of the rows, in their order: of two with one number the second finds the first's. */
export function decide(given: readonly ReadRow[], around: Surroundings): Decided {
  const held = new Map<string, Held>()
  for (const [phone, { id, values }] of around.contacts)
    held.set(phone, { id, phone, values: { ...values }, isChanged: false })
  const missing = new Set<string>()
  const rows = given.map((row): Decision => {
    const { line, cells, read } = row
    if ('error' in read) return { line, outcome: 'error', cells, error: read.error }
    const { contact } = read
    const before = held.get(contact.phone)
    // Somebody who has become a contact again is one.
    if (!before && around.erased.has(contact.phone))
      return {
        line,
        outcome: 'error',
        // Nothing of the person is kept.
        cells: cells.map(() => ''),
        error: { field: 'phone', value: '', text: erasedText },
      }
    if (before && around.known === 'skip') return { line, outcome: 'kept' }
    const wanted = valuesOf(contact, before?.values, around)
    if ('text' in wanted) return { line, outcome: 'error', cells, error: wanted }
    if (wanted.missing !== undefined) missing.add(wanted.missing)
    if (before) return updated(line, before, wanted.values)
    const made: Held = {
      id: undefined,
      phone: contact.phone,
      values: { ...newValues, ...wanted.values },
      isChanged: true,
    }
    held.set(contact.phone, made)
    return { line, outcome: 'created', contact: made }
  })
  return { rows, contacts: [...held.values()].filter(({ isChanged }) => isChanged), missing }
}

const newValues: ContactValues = {
  name: '',
  hasGatewayName: false,
  email: null,
  category: 'general',
  companyId: null,
  tags: [],
  notes: null,
  sectorId: null,
}

function updated(line: number, contact: Held, wanted: Partial<ContactValues>): Decision {
  const { values } = contact
  const changed = (Object.keys(wanted) as (keyof ContactValues)[]).filter(
    (name) => JSON.stringify(values[name]) !== JSON.stringify(wanted[name]),
  )
  // A name that was typed stays the contact's own; that alone changes nothing that anybody sees.
  if (changed.every((name) => name === 'hasGatewayName')) return { line, outcome: 'kept' }
  // Of a name that was typed since, undoing must not say that the gateway gave it.
  if (changed.includes('hasGatewayName') && !changed.includes('name')) changed.push('name')
  const pick = (from: Partial<ContactValues>) => Object.fromEntries(changed.map((name) => [name, from[name]]))
  const [before, after] = [pick(values), pick(wanted)]
  Object.assign(values, after)
  contact.isChanged = true
  return { line, outcome: 'updated', contact, before, after }
}

type Wanted = { values: Partial<ContactValues>; missing?: string } | RowError

/** What a row wants of its contact; a blank cell wants nothing. */
function valuesOf(
  row: ImportedContact,
  now: ContactValues | undefined,
  { categories, companies, sectors, mayCreateCompanies }: Surroundings,
): Wanted {
  const category = categoryOf(row.category, now?.category, categories)
  if (category === 'unknown')
    return { field: 'category', value: row.category, text: errorTexts['contacts.category_not_found'] }
  const company = row.company === '' ? undefined : companies.get(row.company)
  const isNew = row.company !== '' && !company
  if (isNew && !mayCreateCompanies)
    return { field: 'company', value: row.company, text: errorTexts['companies.unknown'] }
  if (company && !company.isActive && company.id !== now?.companyId)
    return { field: 'company', value: row.company, text: errorTexts['companies.inactive'] }
  const tags = unitedTags(now?.tags ?? [], row.tags)
  if (tags.length > contactLimits.tags)
    return { field: 'tags', value: row.tags.join(', '), text: tooManyTags }
  const sector = sectorOf(row.sector, sectors)
  if (sector === 'unknown') return { field: 'sector', value: row.sector, text: errorTexts['sectors.unknown'] }
  if (sector?.isActive === false && sector.id !== now?.sectorId)
    return {
      field: 'sector',
      value: row.sector,
      text: errorTexts['sectors.inactive'].replace('{name}', sector.name),
    }
  return {
    values: {
      name: row.name,
      hasGatewayName: false,
      ...(row.email !== '' && { email: row.email }),
      ...(category && { category: category.name }),
      ...(company && { companyId: company.id }),
      ...(row.tags.length > 0 && { tags }),
      ...(row.notes !== '' && { notes: row.notes }),
      ...(sector && { sectorId: sector.id }),
    },
    ...(isNew && { missing: row.company }),
  }
}

/** The two that lists show for none. @see categoryLabel in shared/text */
const namesOfNone = new Map([
  ['geral', 'general'],
  ['general', 'general'],
  ['sem categoria', ''],
])

/** The contact's own may stay also when it is no longer on offer. */
function categoryOf(
  wanted: string,
  now: string | undefined,
  offered: ReadonlyMap<string, string>,
): { name: string } | undefined | 'unknown' {
  if (wanted === '') return undefined
  if (now !== undefined && wanted.toLowerCase() === now.toLowerCase()) return { name: now }
  const name = offered.get(wanted.toLowerCase()) ?? namesOfNone.get(fold(wanted))
  return name === undefined ? 'unknown' : { name }
}

/** What its choice shows for none. */
const noSectors = new Set(['nenhum', 'sem setor'])

function sectorOf(
  wanted: string,
  sectors: ReadonlyMap<string, NamedSector>,
): NamedSector | { id: null; isActive?: undefined } | undefined | 'unknown' {
  if (wanted === '') return undefined
  const name = fold(wanted)
  return sectors.get(name) ?? (noSectors.has(name) ? { id: null } : 'unknown')
}

/** What the team has tagged stays. */
function unitedTags(now: readonly string[], more: readonly string[]): string[] {
  const there = new Set(now.map(fold))
  return [...now, ...more.filter((tag) => !there.has(fold(tag)))]
}
