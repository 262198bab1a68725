import { longestCell } from './kept-rows.ts'
import type { Package } from './package.ts'
import { Unreadable } from './refusal.ts'
import { parseXml } from './xml.ts'

/** A million contacts with two texts each that nobody else has. */
const mostTexts = 2_000_000
const mostBytes = 96 * 1024 * 1024
const pieceBytes = 4 * 1024 * 1024

/**
 * The texts of a workbook, to which its cells refer by number. They are bytes outside the heap: strings would
 * take five times that, and more than the reading process may have.
 */
export class SharedTexts {
  readonly #pieces: Buffer[] = []
  #used = pieceBytes
  /** Of each text where it begins, and where it ends. */
  #places = new Uint32Array(2048)
  #count = 0

  add(text: string): void {
    if (this.#count === mostTexts) throw new Unreadable({ name: 'tooLarge' })
    const cell = text.slice(0, longestCell)
    const length = Buffer.byteLength(cell)
    if (this.#used + length > pieceBytes) this.#grow()
    const from = (this.#pieces.length - 1) * pieceBytes + this.#used
    this.#pieces.at(-1)?.write(cell, this.#used)
    this.#used += length
    if (this.#places.length === this.#count * 2) {
      const places = new Uint32Array(this.#places.length * 2)
      places.set(this.#places)
      this.#places = places
    }
    this.#places.set([from, from + length], this.#count * 2)
    this.#count++
  }

  /** '' when there is none of that number. */
  get(n: number): string {
    const [from, to] = [this.#places[n * 2], this.#places[n * 2 + 1]]
    if (from === undefined || to === undefined || n >= this.#count) return ''
    const start = Math.floor(from / pieceBytes) * pieceBytes
    return this.#pieces[start / pieceBytes]?.toString('utf8', from - start, to - start) ?? ''
  }

  #grow(): void {
    if ((this.#pieces.length + 1) * pieceBytes > mostBytes) throw new Unreadable({ name: 'tooLarge' })
    this.#pieces.push(Buffer.allocUnsafe(pieceBytes))
    this.#used = 0
  }
}

/** @param part its name; undefined: the cells have their texts themselves */
export async function readSharedTexts(file: Package, part: string | undefined): Promise<SharedTexts> {
  const texts = new SharedTexts()
  const bytes = part && file.read(part)
  if (!bytes) return texts
  const text = textOfItem()
  const parsed = parseXml(bytes, {
    open: text.open,
    text: text.text,
    close(name) {
      if (name === 'si') texts.add(text.take())
      else text.close(name)
    },
  })
  for await (const _piece of parsed) continue
  return texts
}

/** Gathers the runs of a shared item or a cell, without those that only say how it is read aloud. */
export function textOfItem() {
  let gathered = ''
  let isText = false
  let isPhonetic = false
  return {
    open(name: string) {
      if (name === 'rPh') isPhonetic = true
      if (name === 't') isText = !isPhonetic
    },
    text(text: string) {
      if (isText && gathered.length < longestCell) gathered += text
    },
    close(name: string) {
      if (name === 'rPh') isPhonetic = false
      if (name === 't') isText = false
    },
    /** @returns what was gathered; begins anew */
    take(): string {
      const taken = gathered
      gathered = ''
      return unescaped(taken)
    },
  }
}

/** Signs that XML cannot have are written as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
