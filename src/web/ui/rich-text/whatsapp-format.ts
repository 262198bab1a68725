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
  const groups: Line[][] = []
  for (const line of text.split('\n').map(lineOf)) {
    const last = groups.at(-1)
    const [first] = last ?? []
    const isNext = line.kind !== 'numbers' || line.number === (first?.number ?? 0) + (last?.length ?? 0)
    if (last && first?.kind === line.kind && isNext) last.push(line)
    else groups.push([line])
  }
  return groups.map((lines): Block => {
    const [{ kind, number }] = lines as [Line]
    if (kind === 'list' || kind === 'numbers')
      return { kind, start: number, items: lines.map((line) => inlineOf(line.text)) }
    return { kind, children: inlineOf(lines.map((line) => line.text).join('\n')) }
  })
}

/** A letter, or a link, in which no marker has a meaning. */
type Unit = string | { kind: 'link'; text: string; href: string }

export function inlineOf(text: string): Inline[] {
  const units: Unit[] = textParts(text).flatMap((part): Unit[] =>
    part.kind === 'link' ? [part] : part.text.split(''),
  )
  return read(units, 0, units.length, new Set())
}

function isWord(unit: Unit | undefined) {
  return unit !== undefined && (typeof unit !== 'string' || /[\p{L}\p{N}]/u.test(unit))
}
function isSpace(unit: Unit | undefined) {
  return unit === undefined || (typeof unit === 'string' && /\s/.test(unit))
}

/** @param inside the open markers, which cannot nest in themselves */
function read(units: readonly Unit[], from: number, to: number, inside: ReadonlySet<Mark>): Inline[] {
  const found: Inline[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') found.push({ kind: 'text', text: plain })
    plain = ''
  }
  /** Markers without a closing one in the rest of the line, so that each is searched once per line. */
  const hopeless = new Map<string, number>()
  for (let at = from; at < to; at++) {
    const unit = units[at] as Unit
    if (typeof unit !== 'string') {
      flush()
      found.push(unit)
      continue
    }
    const isMark = unit in marks && !inside.has(unit as Mark)
    const mayOpen =
      (isMark || unit === '`') && !isWord(units[at - 1]) && !isSpace(at + 1 < to ? units[at + 1] : undefined)
    const isHopeful = mayOpen && (hopeless.get(unit) ?? -1) < at
    const close = isHopeful ? closing(units, at, to) : -1
    if (close === -1) {
      if (isHopeful) hopeless.set(unit, endOfLine(units, at, to))
      plain += unit
      continue
    }
    flush()
    if (unit === '`') found.push({ kind: 'code', text: words(units.slice(at + 1, close)) })
    else {
      const mark = unit as Mark
      found.push({ kind: marks[mark], children: read(units, at + 1, close, new Set([...inside, mark])) })
    }
    at = close
  }
  flush()
  return found
}

/** Index of the closing marker: not after a space, not before a letter, on the same line. */
function closing(units: readonly Unit[], open: number, to: number): number {
  for (let at = open + 1; at < to && units[at] !== '\n'; at++) {
    const isEnd = units[at] === units[open] && at > open + 1
    if (
      isEnd &&
      !isSpace(units[at - 1]) &&
      units[at - 1] !== units[open] &&
      !isWord(at + 1 < to ? units[at + 1] : undefined)
    )
      return at
  }
  return -1
}

function endOfLine(units: readonly Unit[], from: number, to: number): number {
  // Not with indexOf, which would look far beyond `to` for each of many short parts.
  let at = from
  while (at < to && units[at] !== '\n') at++
  return at
}

function words(units: readonly Unit[]) {
  return units.map((unit) => (typeof unit === 'string' ? unit : unit.text)).join('')
}
