import { fold } from './fold.ts'

/** A word of a text: a run of letters and digits, or one emoji. */
export interface Word {
  /** As it is searched: without case and accents. */
  folded: string
  /** As written, in lower case; what the stemmer takes. */
  lower: string
  /** Its place in the text, in UTF-16 units. */
  from: number
  to: number
}

/** A run of anything else is cut here, in the text and in what is searched alike. */
const maxWordLength = 60

const wordPattern = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu

/** The words of a text, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(wordPattern)) {
    const [written] = match
    const folded = fold(written).slice(0, maxWordLength)
    // Only marks, which `fold` removes.
    if (folded === '') continue
    const small = written.toLowerCase()
    // Of a word that folding only makes small, both are the same.
    const lower = folded === small ? folded : written.normalize('NFC').toLowerCase().slice(0, maxWordLength)
    words.push({ folded, lower, from: match.index, to: match.index + written.length })
  }
  return words
}
