/** Of a property with its folded lines, in UTF-16 units; what is beyond is dropped, as of a photo. */
const longest = 128 * 1024
/** Of the part before the colon. */
const longestHead = 2000

/** A property of a vCard, such as `item1.TEL;TYPE=CELL:+55 11 98765-4321`. It is read when it is asked. */
export class Property {
  /** In lower case, without its group. */
  readonly name: string
  readonly #words: readonly string[]
  readonly #raw: string

  /**
   * @param head the name, with its group, and the parameters
   * @param raw as in the file, but unfolded; a line that goes on by '=' has its end
   */
  constructor([path = '', ...words]: readonly string[], raw: string) {
    this.name = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
    this.#words = words
    this.#raw = raw
  }

  /** Those of a name, in lower case; of 'type' also the words that version 2.1 writes without it. */
  parameters(name: string): string[] {
    return this.#words.flatMap((word) => {
      const at = word.indexOf('=')
      const key = at === -1 ? 'type' : word.slice(0, at).trim().toLowerCase()
      if (key !== name) return []
      const said = word.slice(at + 1).replaceAll('"', '')
      return said.split(',').map((one) => one.trim().toLowerCase())
    })
  }

  /** The text, with its backslashes; '' for bytes. */
  text(): string {
    const [encoding = ''] = this.parameters('encoding')
    const types = this.parameters('type')
    if (/^b(?:ase64)?$/.test(encoding) || types.includes('base64')) return ''
    const isQuotedPrintable = encoding === 'quoted-printable' || types.includes('quoted-printable')
    return isQuotedPrintable ? fromQuotedPrintable(this.#raw, this.parameters('charset')[0]) : this.#raw
  }
}

/**
 * The properties of a file in their order, as many at once as come. Lines that are none are left out.
 * @param pieces of the text
 */
export async function* propertiesOf(pieces: AsyncIterable<string>): AsyncGenerator<Property[]> {
  let unfolded: Unfolded | undefined
  for await (const lines of linesOf(pieces)) {
    const found: Property[] = []
    for (const line of lines) {
      // Also between the two signs of an end, where they are in two pieces.
      if (line === '' || unfolded?.takes(line)) continue
      if (unfolded) found.push(unfolded.property())
      unfolded = undefined
      // Most lines of a photo that is not folded as it should be.
      const head = line.includes(':') || line.includes(';') ? headOf(line) : undefined
      if (head) unfolded = new Unfolded(line, head)
    }
    yield found
  }
  if (unfolded) yield [unfolded.property()]
}

/** The lines of a text, of which those that are too long are cut. Of empty ones some are left out. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split(/[\r\n]+/)
    rest = (lines.pop() ?? '').slice(0, longest)
    yield lines
  }
  yield [rest]
}

/** A property whose lines are put together. */
class Unfolded {
  readonly #head: Head
  readonly #parts: string[] = []
  #length = 0
  readonly #isQuotedPrintable: boolean
  /** Whether the next line belongs to it in any case, by the '=' at the end of quoted-printable. */
  #isBroken: boolean

  constructor(line: string, head: Head) {
    this.#head = head
    this.#isQuotedPrintable = head.words.some((word) => quotedPrintable.test(word))
    this.#isBroken = this.#isQuotedPrintable && line.endsWith('=')
    this.#add(line.slice(head.length))
  }

  #add(part: string): void {
    if (part === '' || this.#length >= longest) return
    this.#parts.push(part)
    this.#length += part.length
  }

  /** Takes a line that continues the property. @returns whether it does */
  takes(line: string): boolean {
    // Some phones leave an '=' at the end of the last line, too.
    const isBroken = this.#isBroken && !/^end:vcard/i.test(line)
    if (!isBroken && !line.startsWith(' ') && !line.startsWith('\t')) return false
    this.#isBroken = this.#isQuotedPrintable && line.endsWith('=')
    // A folded line has a blank before it, one of quoted-printable a sign at the end of the one above.
    this.#add(isBroken ? `\n${line}` : line.slice(1))
    return true
  }

  property(): Property {
    return new Property(this.#head.words, this.#parts.join(''))
  }
}

const quotedPrintable = /^(?:encoding=)?quoted-printable$/i

interface Head {
  words: string[]
  /** With the colon. */
  length: number
}

/** The name and the parameters before the first colon outside of quotation marks. */
function headOf(line: string): Head | undefined {
  const words: string[] = []
  let [start, isQuoted] = [0, false]
  for (let at = 0; at < line.length && at < longestHead; at++) {
    const sign = line[at]
    if (sign === '"') isQuoted = !isQuoted
    if (isQuoted || (sign !== ';' && sign !== ':')) continue
    words.push(line.slice(start, at).trim())
    if (sign === ':') return { words, length: at + 1 }
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
