import { readPhone } from '#shared/text/phones/read-phone.ts'
import { searchedDigits } from '#shared/text/phone.ts'
import { plainSigns } from '#shared/text/plain-signs.ts'
import type { PhoneReader } from '#server/platform/phones/searched-phones.ts'
import { type Word, wordsOf } from '#shared/text/words.ts'

/** What is looked for: all of the terms. */
export interface SearchQuery {
  terms: Term[]
}

/** One or more words that stand side by side. */
export interface Term {
  words: Word[]
  /** In quotes: exactly these words, not their other forms. */
  isExact: boolean
  /** The word that is being typed: words that begin with it are found, too. */
  isPrefix: boolean
  /** The digits of what may be a telephone number, or a part of one; '' for anything else. */
  digits: string
  /** The whole number in its normal form, if it is one. */
  phone?: string | undefined
  /** It is looked for by somebody from whom numbers are hidden. */
  hidesPhones?: true
  /** Words of names that are nearly the same, when it was found nowhere. */
  alike?: readonly string[]
}

/** What is typed beyond this is not looked for. */
const mostTerms = 16
const mostTypedLength = 1000
/** Shorter beginnings of words would find nearly everything. */
const minPrefixLength = 3
/** Shorter parts of telephone numbers would find nearly everybody. */
const minDigits = 4

const quotedPattern = /["“”„]([^"“”„]*)(?:["“”„]|$)|([^"“”„]+)/g
/** What a telephone number is written with: '+55 (11) 98888-7777'. */
const phonePattern = /[+(]?\d[\d\s().-]*\d/g

/** Reads what somebody has typed. Signs are no operators: only words are looked for. */
export function readQuery(typed: string, who: PhoneReader): SearchQuery {
  const text = typed.slice(0, mostTypedLength)
  const number = numberTerm(plainSigns(text))
  const isNumber = number?.phone !== undefined || searchedDigits(text) !== ''
  const terms: Term[] = number && isNumber ? [number] : []
  for (const [, quoted, plain] of terms.length > 0 ? [] : text.matchAll(quotedPattern))
    terms.push(...(quoted === undefined ? plainTerms(plain ?? '') : exactTerms(quoted)))
  const last = terms.at(-1)
  const lastWord = last?.words.at(-1)
  const isTyping = lastWord !== undefined && /[\p{L}\p{N}\p{M}]$/u.test(text)
  if (last && isTyping && !last.isExact && lastWord.folded.length >= minPrefixLength) last.isPrefix = true
  const asked = terms.slice(0, mostTerms)
  return { terms: who.hidesPhones ? asked.map((term) => ({ ...term, hidesPhones: true as const })) : asked }
}

function exactTerms(quoted: string): Term[] {
  const words = wordsOf(quoted)
  return words.length === 0 ? [] : [{ words, isExact: true, isPrefix: false, digits: '' }]
}

function numberTerm(written: string): Term | undefined {
  const read = readPhone(written)
  const digits = written.replace(/\D/g, '')
  if (digits.length < minDigits || (digits.length > 15 && 'problem' in read)) return undefined
  const words = wordsOf(written)
  const phone = 'phone' in read ? read.phone : undefined
  return { words, isExact: words.length > 1, isPrefix: false, digits, phone }
}

/** What is written together, such as 'AT&T' or '10:30', is looked for as it stands. */
function plainTerms(plain: string): Term[] {
  const terms: Term[] = []
  let from = 0
  const addChunks = (part: string) => {
    for (const chunk of part.split(/\s+/)) {
      const words = wordsOf(chunk)
      if (words.length > 0) terms.push({ words, isExact: words.length > 1, isPrefix: false, digits: '' })
    }
  }
  for (const match of plain.matchAll(phonePattern)) {
    const [written] = match
    const number = numberTerm(written)
    const isWhole = !/[\p{L}\p{N}]$/u.test(plain.slice(0, match.index))
    const after = plain.slice(match.index + written.length)
    if (!number || !isWhole || /^[\p{L}\p{N}]/u.test(after)) continue
    addChunks(plain.slice(from, match.index))
    terms.push(number)
    from = match.index + written.length
  }
  addChunks(plain.slice(from))
  return terms
}

/** The stems of a word, as `stemsOf` finds them. */
export type Stems = ReadonlyMap<string, readonly string[]>

/** The query in PostgreSQL's notation; undefined when there is nothing to look for. */
export function toTsQuery(terms: readonly Term[], stems: Stems): string | undefined {
  if (terms.length === 0) return undefined
  return terms.map((term) => `(${termQuery(term, stems)})`).join(' & ')
}

function termQuery({ words, isExact, isPrefix, alike = [] }: Term, stems: Stems): string {
  if (isExact)
    return words
      .map(({ folded }, n) => lexeme(folded) + (isPrefix && n === words.length - 1 ? ':*' : ''))
      .join(' <-> ')
  return words
    .map((word) =>
      [lexeme(word.folded) + (isPrefix ? ':*' : ''), ...[...formsOf(word, stems), ...alike].map(lexeme)].join(
        ' | ',
      ),
    )
    .join(' & ')
}

/** Words have no quotes and no backslashes. */
const lexeme = (word: string) => `'${word}'`

/** The stems under which the other forms of a word are stored. */
export function formsOf({ folded, lower }: Word, stems: Stems): string[] {
  const found = withAccents(lower).flatMap((form) => stems.get(form) ?? [])
  return [...new Set(found)].filter((stem) => stem !== folded)
}

/** Endings that are often typed without their accents, which the stemmer needs to see. */
const accentedEndings = [
  ['coes', 'ções'],
  ['cao', 'ção'],
  ['oes', 'ões'],
  ['aes', 'ães'],
  ['ao', 'ão'],
  ['encia', 'ência'],
  ['encias', 'ências'],
  ['ancia', 'ância'],
  ['ancias', 'âncias'],
  ['avel', 'ável'],
  ['aveis', 'áveis'],
  ['ivel', 'ível'],
  ['iveis', 'íveis'],
] as const

/** The word as typed, and as it may have been meant. */
export function withAccents(lower: string): string[] {
  const meant = accentedEndings.flatMap(([ending, accented]) =>
    lower.endsWith(ending) && lower.length > ending.length + 1
      ? [lower.slice(0, -ending.length) + accented]
      : [],
  )
  return [lower, ...meant]
}
