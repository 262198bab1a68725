import { fold } from '#shared/text/fold.ts'
import type { Word } from '#shared/text/words.ts'
import { formsOf, type Stems, type Term } from './search-query.ts'

/** A stretch of a text, in UTF-16 units. */
export type Mark = [from: number, to: number]

export interface Excerpt {
  text: string
  marks: Mark[]
}

/** How much of a text is shown around what was found. */
const excerptLength = 160
const before = 40

/** A term with what its words look like, for many texts. */
export interface PreparedTerm {
  term: Term
  /** Of each of its words: as it is, and its stems. */
  forms: { folded: string; all: ReadonlySet<string> }[]
  /** The beginnings of the words and of their stems. */
  heads: string[]
}

/** A stem keeps at least so many letters of its word. */
const headLength = 3

export function prepareTerms(terms: readonly Term[], stems: Stems): PreparedTerm[] {
  return terms.map((term) => {
    const forms = term.words.map((one) => ({
      folded: one.folded,
      all: new Set([one.folded, ...formsOf(one, stems)]),
    }))
    const heads = forms.flatMap(({ all }) => [...all].map((form) => form.slice(0, headLength)))
    return { term, forms, heads: [...new Set(heads)] }
  })
}

/**
 * Whether a text may contain something of the terms: it has the beginning of a word. Most of a conversation
 * has not, and needs not be split into words.
 */
export function mayContain(text: string, terms: readonly PreparedTerm[]): boolean {
  const folded = fold(text)
  return terms.some(({ heads }) => heads.some((head) => folded.includes(head)))
}

/**
 * What of the terms a text contains.
 * @param words of the text
 * @param stems of its words
 * @returns the places of the found words, in order, and how many of the terms they belong to
 */
export function findTerms(
  words: readonly Word[],
  terms: readonly PreparedTerm[],
  stems: Stems,
): { marks: Mark[]; found: number } {
  const marks: Mark[] = []
  let found = 0
  for (const { term, forms } of terms) {
    const of = term.isExact ? phraseMarks(words, term) : wordMarks(words, forms, term.isPrefix, stems)
    if (of.length > 0) found++
    marks.push(...of)
  }
  return { marks: merged(marks), found }
}

function wordMarks(
  words: readonly Word[],
  forms: PreparedTerm['forms'],
  isPrefix: boolean,
  stems: Stems,
): Mark[] {
  const marks: Mark[] = []
  for (const { folded: asked, all } of forms)
    for (const { folded, lower, from, to } of words)
      if (
        all.has(folded) ||
        (isPrefix && folded.startsWith(asked)) ||
        stems.get(lower)?.some((stem) => all.has(stem)) === true
      )
        marks.push([from, to])
  return marks
}

function phraseMarks(words: readonly Word[], { words: asked, isPrefix }: Term): Mark[] {
  const marks: Mark[] = []
  for (let at = 0; at + asked.length <= words.length; at++) {
    const isHere = asked.every(({ folded }, n) => {
      const word = words[at + n]?.folded
      return word === folded || (isPrefix && n === asked.length - 1 && word?.startsWith(folded))
    })
    const [first, last] = [words[at], words[at + asked.length - 1]]
    if (isHere && first && last) marks.push([first.from, last.to])
  }
  return marks
}

function merged(marks: Mark[]): Mark[] {
  const result: Mark[] = []
  for (const [from, to] of marks.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** A part of a text around the first mark, on one line. */
export function excerptOf(text: string, marks: readonly Mark[]): Excerpt {
  const [first] = marks
  const start = first ? wordStart(text, Math.max(0, first[0] - before)) : 0
  const end = Math.min(text.length, wholeSigns(text, start + excerptLength))
  const [head, tail] = [start > 0 ? '… ' : '', end < text.length ? ' …' : '']
  return {
    text: head + text.slice(start, end).replace(/\s/g, ' ') + tail,
    marks: marks
      .filter(([from, to]) => from >= start && to <= end)
      .map(([from, to]): Mark => [from - start + head.length, to - start + head.length]),
  }
}

/** The beginning of the first whole word from here on. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at, at + before).search(/\s/)
  return wholeSigns(text, space < 0 ? at : at + space + 1)
}

/** Not between the two halves of a sign. */
function wholeSigns(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}
