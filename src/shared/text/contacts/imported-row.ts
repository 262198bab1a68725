import { companyForm } from '#shared/contacts/companies.ts'
import type { ImportField, ImportMapping } from '#shared/contacts/contact-imports.ts'
import { contactForm, contactLimits } from '#shared/contacts/contacts.ts'
import { readPhone } from '#shared/text/phones/read-phone.ts'

/** A row of a file as a contact. '' for what the row does not say, which changes nothing. */
export interface ImportedContact {
  name: string
  /** In its normal form. */
  phone: string
  email: string
  company: string
  category: string
  tags: string[]
  notes: string
}

/** Why a row is left out: the first field that is wrong. */
export interface RowError {
  field: ImportField
  value: string
  text: string
}

/** Of a contact that would have more tags than it may, with those of the row. */
export const tooManyTags = `No máximo ${contactLimits.tags} etiquetas`

const { name, phone, email, category, tags, notes } = contactForm.shape
const { name: companyName } = companyForm.shape

interface Judged<Value> {
  success: boolean
  data?: Value | undefined
  error?: { issues: { message: string }[] } | undefined
}

/** What a cell says: our own exports put an apostrophe before what a spreadsheet would compute. */
const saidBy = (cell: string): string => cell.replace(/^'(?=[\t\r\n]|[\s\p{Cf}]*[=+\-@＝＋－＠])/u, '').trim()

/**
 * Reads a row by the rules of the form. The category and the company are not looked up.
 * @param cells in the order of the mapping; missing ones are blank
 * @param areaCode of numbers that are written without one
 */
export function importedRow(
  cells: readonly string[],
  mapping: ImportMapping,
  areaCode: string | null,
): { contact: ImportedContact } | { error: RowError } {
  const said = (field: ImportField) => {
    const at = mapping.indexOf(field)
    return at === -1 ? '' : saidBy(cells[at] ?? '')
  }
  let error: RowError | undefined
  const judged = <Value>(field: ImportField, value: string, result: Judged<Value>): Value | undefined => {
    if (result.success) return result.data
    error ??= { field, value, text: result.error?.issues[0]?.message ?? 'Valor inválido' }
    return undefined
  }
  const text = (field: 'email' | 'category' | 'notes') => {
    const value = said(field)
    return judged(field, value, { email, category, notes }[field].safeParse(value)) ?? ''
  }
  const named = judged('name', said('name'), name.safeParse(said('name'))) ?? ''
  const number = judged('phone', said('phone'), judgedPhone(said('phone'), areaCode)) ?? ''
  const company = said('company')
  const contact = {
    name: named,
    phone: number,
    email: text('email'),
    company: company && (judged('company', company, companyName.safeParse(company)) ?? ''),
    category: text('category'),
    tags: judged('tags', said('tags'), tags.safeParse(said('tags').split(/[,;|]/))) ?? [],
    notes: text('notes'),
  }
  return error ? { error } : { contact }
}

/** The number of a cell in its normal form; undefined when it is none. */
export const importedPhone = (cell: string, areaCode: string | null): string | undefined =>
  judgedPhone(saidBy(cell), areaCode).data

function judgedPhone(written: string, areaCode: string | null): Judged<string> {
  const given = phone.safeParse(written)
  if (!given.success) return { success: false, error: given.error }
  const read = readPhone(given.data, areaCode)
  return 'phone' in read
    ? { success: true, data: read.phone }
    : { success: false, error: { issues: [{ message: read.problem }] } }
}
