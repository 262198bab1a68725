import { companyForm } from '#shared/contacts/companies.ts'
import type { ImportField, ImportMapping } from '#shared/contacts/contact-imports.ts'
import { contactForm, contactLimits } from '#shared/contacts/contacts.ts'
import { isMobile, readPhone } from '#shared/text/phones/read-phone.ts'

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
  /** The name of one. */
  sector: string
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

/**
 * What spreadsheets show instead of what they cannot compute or have no room for, in English and Portuguese.
 * A CSV file has it as it was shown, and cells that are pasted as values have it as a text.
 */
const notComputed = new RegExp(
  '^(?:#(?:DIV/0!|N/[AD]|(?:NAME|NOME)\\?|GETTING_DATA|OBTENDO_DADOS|##+|' +
    '(?:REF|VALUE|VALOR|N[UÚ]M|NULL|NULO|SPILL|DESPEJAR|C[AÁ]LC|FIELD|CAMPO|BUSY|OCUPADO|BLOCKED|BLOQUEADO|' +
    'CONNECT|CONECTAR|UNKNOWN|DESCONHECIDO|ERRO|ERROR)!)|Erro?:\\d{3})$',
  'u',
)

/**
 * What a cell says: our own exports put an apostrophe before what a spreadsheet would compute. What it could
 * not compute says nothing.
 */
function saidBy(cell: string): string {
  const said = cell
    .replace(/^'(?=[\t\r\n]|[\s\p{Cf}]*[=+\-@＝＋－＠])/u, '')
    .replace(/\r\n?/g, '\n')
    .trim()
  return notComputed.test(said) ? '' : said
}

/** What the columns of a field say, in the order of the file, but for blank cells. */
const saidIn = (cells: readonly string[], mapping: ImportMapping, field: ImportField): string[] =>
  mapping.flatMap((one, at) => {
    const said = one === field ? saidBy(cells[at] ?? '') : ''
    return said === '' ? [] : [said]
  })

/** Nobody has more, and each that cannot be read takes time. */
const mostValues = 10

/** The values of a cell, as Google separates several. */
const partsOf = (cell: string): string[] =>
  cell
    .split(':::', mostValues)
    .map((part) => part.trim())
    .filter((part) => part !== '')

interface Read<Value> {
  value: string
  result: Judged<Value>
}

/** The first of several values that can be read, or else what is wrong with the first; '' without any. */
function firstOf<Value>(values: readonly string[], judge: (value: string) => Judged<Value>): Read<Value> {
  let refused: Read<Value> | undefined
  for (const value of values) {
    const result = judge(value)
    if (result.success) return { value, result }
    refused ??= { value, result }
  }
  return refused ?? { value: '', result: judge('') }
}

/**
 * Reads a row by the rules of the form. Category, company and sector are not looked up. Of a field with
 * several columns the parts of a name, notes and tags are joined; of the others the first that can be read
 * counts, and of telephones a mobile before that.
 * @param cells in the order of the mapping; missing ones are blank
 * @param areaCode of numbers that are written without one
 */
export function importedRow(
  cells: readonly string[],
  mapping: ImportMapping,
  areaCode: string | null,
): { contact: ImportedContact } | { error: RowError } {
  const said = (field: ImportField) => saidIn(cells, mapping, field)
  let error: RowError | undefined
  const judged = <Value>(field: ImportField, { value, result }: Read<Value>): Value | undefined => {
    if (result.success) return result.data
    error ??= { field, value, text: result.error?.issues[0]?.message ?? 'Valor inválido' }
    return undefined
  }
  const read = <Value>(
    field: ImportField,
    schema: { safeParse: (value: string) => Judged<Value> },
    values: readonly string[],
  ) =>
    judged(
      field,
      firstOf(values, (value) => schema.safeParse(value)),
    )
  const tagWords = said('tags')
  const contact = {
    name: read('name', name, [said('name').join(' ')]) ?? '',
    phone: judged('phone', phoneIn(cells, mapping, areaCode)) ?? '',
    email: read('email', email, said('email').flatMap(partsOf)) ?? '',
    company: said('company').length === 0 ? '' : (read('company', companyName, said('company')) ?? ''),
    category: read('category', category, said('category')) ?? '',
    tags:
      judged('tags', { value: tagWords.join(', '), result: tags.safeParse(tagWords.flatMap(tagsOf)) }) ?? [],
    notes: read('notes', notes, [said('notes').join('\n')]) ?? '',
    sector: said('sector')[0] ?? '',
  }
  return error ? { error } : { contact }
}

/** Google puts an asterisk before the groups of its own that everybody has. */
const tagsOf = (cell: string): string[] =>
  partsOf(cell)
    .filter((part) => !part.startsWith('* '))
    .flatMap((part) => part.split(/[,;|]/))

/** The number of a row in its normal form; undefined when it has none. */
export const importedPhone = (
  cells: readonly string[],
  mapping: ImportMapping,
  areaCode: string | null,
): string | undefined => phoneIn(cells, mapping, areaCode).result.data

/** Of a cell with several numbers the first; of several columns a mobile, which is where WhatsApp is. */
function phoneIn(cells: readonly string[], mapping: ImportMapping, areaCode: string | null): Read<string> {
  const judge = (written: string) => judgedPhone(written, areaCode)
  const columns = saidIn(cells, mapping, 'phone').map((cell) => firstOf(partsOf(cell), judge))
  const readable = columns.filter(({ result }) => result.success)
  const mobile = readable.length > 1 ? readable.find(({ result }) => isMobile(result.data ?? '')) : undefined
  return mobile ?? readable[0] ?? columns[0] ?? firstOf([], judge)
}

function judgedPhone(written: string, areaCode: string | null): Judged<string> {
  const given = phone.safeParse(written)
  if (!given.success) return { success: false, error: given.error }
  const read = readPhone(given.data, areaCode)
  return 'phone' in read
    ? { success: true, data: read.phone }
    : { success: false, error: { issues: [{ message: read.problem }] } }
}
