/** A property of a vCard, such as `item1.TEL;TYPE=CELL:+55 11 98765-4321`. */
export interface Property {
  /** In lower case, without its group. */
  name: string
  /** The words of TYPE in lower case, with those that version 2.1 writes without it, such as 'pref'. */
  types: ReadonlySet<string>
  /** The other parameters by their names in lower case. */
  parameters: ReadonlyMap<string, string>
  /** Of text, no longer in quoted-printable, but with its backslashes. */
  value: string
}

/** Of a property with its folded lines, in UTF-16 units; what is beyond is dropped, as of a photo. */
const longest = 128 * 1024
/** Of the part before the colon. */
const longestHead = 2000

/** The properties of a file in their order. Lines that are none are left out, and so are pictures. */
export async function* propertiesOf(pieces: AsyncIterable<string>): AsyncGenerator<Property> {
  let property: Unfolded | undefined
  for await (const line of linesOf(pieces)) {
    if (property?.takes(line)) continue
    const read = property?.read()
    if (read) yield read
    property = new Unfolded(line)
  }
  const last = property?.read()
  if (last) yield last
}

/** The lines of a text, of which those that are too long are cut. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + piece
    // The second half of '\r\n' may be in the next piece.
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, end).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '').slice(0, longest) + text.slice(end)
    for (const line of lines) yield line.slice(0, longest)
  }
  yield* rest.split('\r')
}

/** A property whose lines are put together. */
class Unfolded {
  readonly #parts: string[]
  #length: number
  readonly #isQuotedPrintable: boolean
  /** Whether the next line belongs to it in any case, by the '=' at the end of quoted-printable. */
  #isBroken: boolean

  constructor(line: string) {
    this.#parts = [line]
    this.#length = line.length
    this.#isQuotedPrintable = headOf(line)?.words.some((word) => quotedPrintable.test(word)) ?? false
    this.#isBroken = this.#isQuotedPrintable && line.endsWith('=')
  }

  /** Takes a line that continues the property. @returns whether it does */
  takes(line: string): boolean {
    // Some phones leave an '=' at the end of the last line, too.
    const isBroken = this.#isBroken && !/^end:vcard/i.test(line)
    if (!isBroken && !/^[ \t]/.test(line)) return false
    this.#isBroken = this.#isQuotedPrintable && line.endsWith('=')
    if (this.#length >= longest) return true
    // A folded line has a blank before it, one of quoted-printable a sign at the end of the one above.
    const part = isBroken ? `\n${line}` : line.slice(1)
    this.#parts.push(part)
    this.#length += part.length
    return true
  }

  /** @returns undefined for lines that are no property, or have bytes instead of text */
  read(): Property | undefined {
    const whole = this.#parts.join('')
    const head = headOf(whole)
    const [path = '', ...words] = head?.words ?? []
    if (!head || path === '') return undefined
    const name = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
    const types = new Set<string>()
    const parameters = new Map<string, string>()
    for (const word of words) {
      const at = word.indexOf('=')
      const key = word.slice(0, Math.max(at, 0)).trim().toLowerCase()
      const said = word.slice(at + 1).replaceAll('"', '')
      if (key === '' || key === 'type') for (const one of said.split(',')) types.add(one.trim().toLowerCase())
      else parameters.set(key, said.trim())
    }
    const encoding = parameters.get('encoding') ?? ''
    if (/^b(?:ase64)?$/i.test(encoding) || types.has('base64')) return undefined
    const value = whole.slice(head.length + 1)
    return {
      name,
      types,
      parameters,
      value: this.#isQuotedPrintable ? fromQuotedPrintable(value, parameters.get('charset')) : value,
    }
  }
}

const quotedPrintable = /^(?:encoding=)?quoted-printable$/i

/** The name and the parameters before the first colon outside of quotation marks. */
function headOf(line: string): { words: string[]; length: number } | undefined {
  const words: string[] = []
  let [start, isQuoted] = [0, false]
  for (let at = 0; at < line.length && at < longestHead; at++) {
    const sign = line[at]
    if (sign === '"') isQuoted = !isQuoted
    if (isQuoted || (sign !== ';' && sign !== ':')) continue
    words.push(line.slice(start, at).trim())
    if (sign === ':') return { words, length: at }
    start = at + 1
  }
  return undefined
}

function fromQuotedPrintable(value: string, charset: string | undefined): string {
  const bytes = Buffer.from(value).toString('latin1')
  const whole = bytes
    .replace(/=(?:\n|$)/g, '')
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return decoded(Buffer.from(whole, 'latin1'), charset)
}

/** By the charset that is named, else in UTF-8, else in Windows-1252. */
function decoded(bytes: Buffer, charset: string | undefined): string {
  for (const label of [charset, 'utf-8'])
    try {
      if (label) return new TextDecoder(label, { fatal: true }).decode(bytes)
    } catch {
      // It is unknown, or the bytes are not what it says.
    }
  return new TextDecoder('windows-1252').decode(bytes)
}

/** Splits a value at a sign that has no backslash before it. */
export function splitAt(value: string, sign: ';' | ','): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '\\') at++
    else if (value[at] === sign) {
      parts.push(value.slice(start, at))
      start = at + 1
    }
  }
  parts.push(value.slice(start))
  return parts
}

/** A value, or a part of one, without its backslashes. */
export const plain = (value: string): string =>
  value.replace(/\\([\s\S])/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign)).trim()
