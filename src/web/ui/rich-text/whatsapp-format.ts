/** Parses WhatsApp formatting into a tree. Pure; `RichText` renders it. */
import { textParts } from './links.ts'

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'code'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; children: Inline[] }

export type Block =
  | { kind: 'text' | 'quote'; children: Inline[] }
  | { kind: 'list' | 'numbers'; start: number; items: Inline[][] }
  | { kind: 'code'; text: string }

const marks = { '*': 'bold', _: 'italic', '~': 'strike' } as const
type Mark = keyof typeof marks

const fence = '```'

/** The most blocks and inline parts that a text is drawn with. */
export const mostParts = 2000

/**
 * Splits a text into blocks: fenced code, and between it quotes, lists and plain lines. The time is linear in
 * the length. A text that would be more than `mostParts` parts is one plain block, as it was written.
 */
export function formatted(text: string): Block[] {
  const blocks = blocksOf(text)
  const isTooMuch = blocks.length > mostParts || countBlocks(blocks) > mostParts
  return isTooMuch ? [{ kind: 'text', children: [{ kind: 'text', text }] }] : blocks
}

function countBlocks(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => {
    if (block.kind === 'code') return sum + 1
    if ('children' in block) return sum + 1 + countParts(block.children)
    return block.items.reduce((all, item) => all + 1 + countParts(item), sum + 1)
  }, 0)
}

function countParts(parts: readonly Inline[]): number {
  return parts.reduce((sum, part) => sum + 1 + ('children' in part ? countParts(part.children) : 0), 0)
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let isAfterCode = false
  for (const piece of fencedPieces(text)) {
    const words = isAfterCode ? piece.text.replace(/^\n/, '') : piece.text
    if (piece.isCode) blocks.push({ kind: 'code', text: codeIn(piece.text).replace(/^\n/, '') })
    else addAll(blocks, linesOf(words))
    isAfterCode = piece.isCode
  }
  return blocks
}

/** The text in its order, split at fenced code; pieces of code have their fences. */
export function fencedPieces(text: string): { text: string; isCode: boolean }[] {
  const pieces: { text: string; isCode: boolean }[] = []
  for (let at = 0; at < text.length;) {
    const open = text.indexOf(fence, at)
    const close = open === -1 ? -1 : text.indexOf(fence, open + fence.length)
    const end = close + fence.length
    if (close === -1 || codeIn(text.slice(open, end)).trim() === '') {
      pieces.push({ text: text.slice(at), isCode: false })
      break
    }
    pieces.push({ text: text.slice(at, open), isCode: false }, { text: text.slice(open, end), isCode: true })
    at = end
  }
  return pieces
}

function codeIn(fenced: string) {
  return fenced.slice(fence.length, -fence.length)
}

/** Not by spreading, which fails for some ten thousand arguments. */
function addAll(blocks: Block[], more: readonly Block[]): void {
  for (const block of more) blocks.push(block)
}

/** `text` is what follows the sign of a quote or list. */
interface Line {
  kind: 'text' | 'quote' | 'list' | 'numbers'
  text: string
  number: number
}

export function lineOf(line: string): Line {
  if (line.startsWith('> ')) return { kind: 'quote', text: line.slice(2), number: 0 }
  // '* oi*' is not a list item.
  if (/^[*-] \S/.test(line) && !/^\*[^*]*\*$/.test(line))
    return { kind: 'list', text: line.slice(2), number: 0 }
  const numbered = /^(\d{1,3})\. (?=\S)/.exec(line)
  if (numbered) return { kind: 'numbers', text: line.slice(numbered[0].length), number: Number(numbered[1]) }
  return { kind: 'text', text: line, number: 0 }
}

function linesOf(text: string): Block[] {
  if (text === '') return []
  const groups: { kind: Line['kind']; number: number; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const { kind, number, text: words } = lineOf(line)
    const last = groups.at(-1)
    const isNext = last?.kind === kind && (kind !== 'numbers' || number === last.number + last.lines.length)
    if (isNext) last.lines.push(words)
    else groups.push({ kind, number, lines: [words] })
    // Too much already, whatever follows.
    if (groups.length > mostParts) break
  }
  return groups.map(({ kind, number, lines }): Block => {
    if (kind === 'list' || kind === 'numbers') return { kind, start: number, items: lines.map(inlineOf) }
    return { kind, children: inlineOf(lines.join('\n')) }
  })
}

/** A text in which each link takes the place of one letter, since no marker has a meaning in it. */
interface Letters {
  letters: string
  /** By their place. */
  links: ReadonlyMap<number, Link>
  /** Parts found so far, those of the inner markers included. */
  found: number
}
type Link = Inline & { kind: 'link' }

/** Stands for a link among the letters: a letter itself, as what surrounds a link sees it. */
const linkLetter = 'x'

/** Reads no further than `mostParts` parts: whoever is given more takes the text as it was written. */
export function inlineOf(text: string): Inline[] {
  const links = new Map<number, Link>()
  let letters = ''
  for (const part of textParts(text)) {
    if (part.kind === 'link') links.set(letters.length, part)
    letters += part.kind === 'link' ? linkLetter : part.text
  }
  return read({ letters, links, found: 0 }, 0, letters.length, new Set())
}

function isWord(letter: string | undefined) {
  return letter !== undefined && /[\p{L}\p{N}]/u.test(letter)
}
function isSpace(letter: string | undefined) {
  return letter === undefined || /\s/.test(letter)
}

/** @param inside the open markers, which cannot nest in themselves */
function read(all: Letters, from: number, to: number, inside: ReadonlySet<Mark>): Inline[] {
  const { letters, links } = all
  const found: Inline[] = []
  let plainFrom = from
  const add = (part: Inline, begin: number, end: number) => {
    if (plainFrom < begin) found.push({ kind: 'text', text: letters.slice(plainFrom, begin) })
    found.push(part)
    all.found++
    plainFrom = end
  }
  /** Markers without a closing one in the rest of the line, so that each is searched once per line. */
  const hopeless = new Map<string, number>()
  for (let at = from; at < to && all.found <= mostParts; at++) {
    const letter = letters.charAt(at)
    const link = links.get(at)
    if (link) {
      add(link, at, at + 1)
      continue
    }
    const isMark = letter in marks && !inside.has(letter as Mark)
    const mayOpen =
      (isMark || letter === '`') &&
      !isWord(letters[at - 1]) &&
      !isSpace(at + 1 < to ? letters[at + 1] : undefined)
    if (!mayOpen || (hopeless.get(letter) ?? -1) >= at) continue
    const close = closing(letters, at, to)
    if (close === -1) {
      hopeless.set(letter, endOfLine(letters, at, to))
      continue
    }
    if (letter === '`') add({ kind: 'code', text: written(all, at + 1, close) }, at, close + 1)
    else {
      const mark = letter as Mark
      const children = read(all, at + 1, close, new Set([...inside, mark]))
      add({ kind: marks[mark], children }, at, close + 1)
    }
    at = close
  }
  if (plainFrom < to) found.push({ kind: 'text', text: letters.slice(plainFrom, to) })
  return found
}

/** Index of the closing marker: not after a space, not before a letter, on the same line. */
function closing(letters: string, open: number, to: number): number {
  for (let at = open + 1; at < to && letters[at] !== '\n'; at++) {
    const isEnd = letters[at] === letters[open] && at > open + 1
    if (
      isEnd &&
      !isSpace(letters[at - 1]) &&
      letters[at - 1] !== letters[open] &&
      !isWord(at + 1 < to ? letters[at + 1] : undefined)
    )
      return at
  }
  return -1
}

function endOfLine(letters: string, from: number, to: number): number {
  // Not with indexOf, which would look far beyond `to` for each of many short parts.
  let at = from
  while (at < to && letters[at] !== '\n') at++
  return at
}

function written({ letters, links }: Letters, from: number, to: number): string {
  let text = ''
  for (let at = from; at < to; at++) text += links.get(at)?.text ?? letters.charAt(at)
  return text
}
