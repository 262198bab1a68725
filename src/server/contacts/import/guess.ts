import type { ImportField, ImportMapping } from '#shared/contacts/contact-imports.ts'
import { importedPhone } from '#shared/text/contacts/imported-row.ts'
import { fold } from '#shared/text/fold.ts'

/** Words of headings, the most certain field first: 'NOME DA EMPRESA' is a company. */
const words: readonly (readonly [ImportField, RegExp])[] = [
  ['email', /\be-? ?mails?\b|\bcorreio\b/],
  [
    'phone',
    /\b(tele)?(fones?|phones?)\b|\bcel(ular)?\b|\bwhats ?(app)?\b|\bzap\b|\btel\b|\bmobile\b|\bnumero\b/,
  ],
  ['company', /\bempresas?\b|\brazao\b|\bfantasia\b|\bcompany\b|\borganiza(cao|tion)\b/],
  ['category', /\bcategoria\b|\btipo\b|\bcategory\b/],
  // Outlook has several in a cell, and Google calls them groups.
  ['tags', /\betiquetas?\b|\btags?\b|\bmarcadores\b|\blabels?\b|\bcategori(as|es)\b|\bgroup membership\b/],
  // Others have a column of the client's trade.
  ['sector', /^setor( fixo)?$/],
  ['notes', /\bobs\b|\bobserva(cao|coes)\b|\bnotas?\b|\bnotes?\b|\bcomentarios?\b|\banotac(ao|oes)\b/],
  ['name', /\bnomes?\b|\bname\b|\bcontatos?\b|\bclientes?\b|\bsobrenome\b|\bsurname\b/],
]

const wordsOf = (field: ImportField) => words.find(([name]) => name === field)?.[1] ?? /^$/

/** Columns of address books beside a person's own values: kinds, spellings, machines, other people. */
const beside = [
  /- ?(label|type|rotulo|tipo)$|\btype$|\bdisplay name\b|\btipo (de|do) e-? ?mail|\bnome de exibicao\b/,
  /\b(phonetic|yomi|file as|name prefix|name suffix|maiden)\b/,
  /\b(fax|pager|telex|tty|isdn|callback|retorno de chamada)\b|\bcompany main\b|\bprincipal da empresa\b/,
  /\b(assistant|assistente|manager|gerente|spouse|conjuge|relation|referred)\b/,
  /\borganization .*\b(title|department|symbol|location|job description)\b/,
]

const wholeName = /\b(complet[ao]|full)\b/
const givenName = /\b(first|given) name\b|\bprimeiro nome\b/
const otherName =
  /\b(middle|additional|last|family) name\b|\b(segundo|ultimo) nome\b|\b(nome do meio|surname|sobrenome)\b/

/** What the heading of a second telephone or address has, and that of somebody else's has more. */
const ownWords = new Set(
  `phone telephone fone telefone cel celular whatsapp whats zap tel mobile movel numero email mail e address
   endereco value home work business main primary other casa trabalho comercial residencial principal pessoal
   fixo outro de do para contato`.split(/\s+/),
)

/** Columns of figures that a telephone may look like. */
const figures = /\b(cpf|cnpj|rg|cep|codigo|id|data|date|nascimento|birthday|valor)\b/

interface Column {
  at: number
  /** The heading without case and accents. */
  said: string
  /** Of the first rows, but for blanks. */
  values: string[]
}

/**
 * What each column is by its heading, if the first rows do not speak against it, or else by these.
 * @param rows the first ones below the headings
 * @param hasSectors whether a column can be that of the sector
 */
export function guessMapping(
  headings: readonly string[],
  rows: readonly (readonly string[])[] = [],
  { hasSectors = false }: { hasSectors?: boolean } = {},
): ImportMapping {
  const columns = headings.map((heading, at) => ({
    at,
    said: fold(heading).replace(/[_.]/g, ' ').trim(),
    values: rows.map((cells) => (cells[at] ?? '').slice(0, mostRead).trim()).filter((value) => value !== ''),
  }))
  const mapping: ImportMapping = columns.map(() => null)
  const taken = new Set<ImportField>()
  const give = (field: ImportField, { at }: Column) => {
    mapping[at] = field
    taken.add(field)
  }
  const free = () => columns.filter(({ at, said }) => mapping[at] === null && !isBeside(said))
  for (const column of free()) {
    const field = words.find(([name, pattern]) => {
      const isFree = !taken.has(name) || isFurther(name, column)
      const isOffered = hasSectors || name !== 'sector'
      return isFree && isOffered && pattern.test(column.said) && !isAgainst(name, column)
    })?.[0]
    if (field) give(field, column)
  }
  const names = namesOf(columns.filter(({ at }) => mapping[at] === 'name'))
  for (const column of columns)
    if (mapping[column.at] === 'name' && !names.includes(column)) mapping[column.at] = null
  for (const field of ['phone', 'email', 'name'] as const) {
    if (taken.has(field) || (field === 'name' && !taken.has('phone'))) continue
    const byContent = free().find((column) => looksLike[field](column))
    const found = byContent ?? free().find(({ said }) => wordsOf(field).test(said))
    if (found) give(field, found)
  }
  return mapping
}

const isBeside = (said: string) => beside.some((pattern) => pattern.test(said))

/** Whether a field may have this column besides another one. */
function isFurther(field: ImportField, { said }: Column): boolean {
  if (field === 'name') return true
  const tokens = said.split(/[^a-z\d]+/).filter((token) => token !== '')
  return (
    (field === 'phone' || field === 'email') &&
    tokens.every((token) => ownWords.has(token) || /^\d+$/.test(token))
  )
}

/** Of the columns with names those that make a person's: one with all of it, or its parts. */
function namesOf(columns: readonly Column[]): readonly Column[] {
  const isPart = ({ said }: Column) => givenName.test(said) || otherName.test(said)
  const parts = columns.filter(isPart)
  const whole = columns.find(({ said }) => wholeName.test(said)) ?? columns.find((column) => !isPart(column))
  if (!whole) return parts
  if (parts.length === 0 || wholeName.test(whole.said)) return [whole]
  // 'Nome' beside 'Sobrenome' is the given name, and beside 'Given Name' all of it.
  if (!parts.some(({ said }) => givenName.test(said)))
    return columns.filter((column) => column === whole || isPart(column))
  const filled = Math.max(...parts.map(({ values }) => values.length))
  return whole.values.length >= filled ? [whole] : parts
}

const shareOf = (values: readonly string[], is: (value: string) => boolean): number =>
  values.length === 0 ? 0 : values.filter(is).length / values.length

const isAddress = (value: string) => /^[^\s@]+@[^\s@]+$/.test(value)
/** Also one of which nobody knows yet whether it exists. */
const hasDigits = (value: string) => value.replace(/\D/g, '').length >= 8 && !/\p{L}{4}/u.test(value)
const isWord = (value: string) => /\p{L}/u.test(value) && !/[\d@]/.test(value)

/** Whether what is in a column speaks against what its heading says. */
function isAgainst(field: ImportField, { values }: Column): boolean {
  if (values.length === 0) return false
  if (field === 'phone') return shareOf(values, hasDigits) < 0.5
  if (field === 'email') return shareOf(values, isAddress) < 0.5
  return field === 'name' && shareOf(values, (value) => hasDigits(value) || isAddress(value)) > 0.5
}

/** Of a cell, in UTF-16 units. */
const mostRead = 200
/** How many of some values must be of a kind for a column without a telling heading to be taken for it. */
const most = 0.8
/** Reading them by the rules of all countries takes time. */
const readValues = 20

const looksLike: Readonly<Record<'phone' | 'email' | 'name', (column: Column) => boolean>> = {
  phone: ({ said, values }) =>
    !figures.test(said) &&
    shareOf(
      values.slice(0, readValues),
      (value) => hasDigits(value) && importedPhone([value], ['phone'], null) !== undefined,
    ) >= most,
  email: ({ values }) => shareOf(values, isAddress) >= most,
  // What has few values is a city or a state.
  name: ({ values }) => shareOf(values, isWord) >= most && new Set(values).size >= values.length * most,
}
