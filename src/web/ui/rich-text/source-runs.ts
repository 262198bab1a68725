/** WhatsApp formatting as it is being written: with the signs that the finished message lacks. Pure. */
import { fencedPieces, inlineOf, type Inline, lineOf, mostParts } from './whatsapp-format.ts'

export type Style = 'bold' | 'italic' | 'strike' | 'code' | 'sign'

/** A stretch of the written text. */
export interface Run {
  text: string
  styles: readonly Style[]
}

const signs = { bold: '*', italic: '_', strike: '~', code: '`' }

/**
 * The written text in runs that add up to it, to the letter. A text of more than `mostParts` runs is a single
 * one without styles.
 */
export function sourceRuns(text: string): Run[] {
  const runs: Run[] = []
  const add = (words: string, styles: readonly Style[]) => {
    if (words !== '') runs.push({ text: words, styles })
  }
  const addAll = (parts: readonly Inline[], styles: readonly Style[]) => {
    for (const part of parts) {
      if (part.kind === 'text' || part.kind === 'link') {
        add(part.text, styles)
        continue
      }
      const inner = [...styles, part.kind]
      add(signs[part.kind], [...inner, 'sign'])
      if (part.kind === 'code') add(part.text, inner)
      else addAll(part.children, inner)
      add(signs[part.kind], [...inner, 'sign'])
    }
  }
  for (const piece of fencedPieces(text)) {
    if (piece.isCode) {
      add(piece.text, ['code'])
      continue
    }
    for (const [index, line] of piece.text.split('\n').entries()) {
      const { text: words } = lineOf(line)
      add(`${index > 0 ? '\n' : ''}${line.slice(0, line.length - words.length)}`, [])
      addAll(inlineOf(words), [])
    }
  }
  return runs.length > mostParts ? [{ text, styles: [] }] : runs
}
