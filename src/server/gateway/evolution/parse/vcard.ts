import type { SharedContact } from '#shared/messages/message-metadata.ts'
import { cut } from './values.ts'

/** No card of a person is longer; embedded pictures are not read. */
const longestCard = 65_536
const mostPhones = 30
const mostLines = 1000

interface Line {
  name: string
  params: string[]
  value: string
}

/**
 * The parts of a vCard 2.1, 3.0 or 4.0 that the console shows. Never fails: any text is a card, possibly an
 * empty one.
 */
export function parseVcard(source: string): Partial<SharedContact> & Pick<SharedContact, 'phones'> {
  const lines = linesOf(source.slice(0, longestCard))
  const first = (name: string) =>
    lines.find((line) => line.name === name && line.value.trim() !== '')?.value ?? ''
  const name = lineOf(unescaped(first('FN'))) ?? lineOf(nameOf(first('N')))
  const organization = lineOf(partsOf(first('ORG')).filter(Boolean).join(', '))
  const email = lineOf(unescaped(first('EMAIL')).replace(/^mailto:/i, ''))
  const url = safeUrl(lineOf(unescaped(first('URL'))))
  return {
    ...(name && { name }),
    phones: lines
      .filter((line) => line.name === 'TEL')
      .flatMap(phoneOf)
      .slice(0, mostPhones),
    ...(organization && { organization }),
    ...(email && { email }),
    ...(url && { url }),
  }
}

/**
 * Splits into logical lines: joins folded lines, decodes quoted-printable ones and removes a group's prefix
 * (`item1.`).
 */
function linesOf(source: string): Line[] {
  const lines: Line[] = []
  let isSoft = false
  const raw: string[] = []
  for (const line of source.split(/\r\n|\r|\n/).slice(0, mostLines)) {
    const before = raw.length - 1
    const last = raw[before]
    if (isSoft && last !== undefined) raw[before] = last.slice(0, -1) + line
    else if (/^[ \t]/.test(line) && last !== undefined) raw[before] = last + line.slice(1)
    else raw.push(line)
    isSoft = line.endsWith('=') && /QUOTED-PRINTABLE/i.test(raw.at(-1)?.split(':', 1)[0] ?? '')
  }
  for (const line of raw) {
    const [head, value] = splitHead(line)
    if (value === undefined) continue
    const [property = '', ...params] = head.split(';')
    const isQuoted = params.some((param) => /^(ENCODING=)?QUOTED-PRINTABLE$/i.test(param))
    const name = property.slice(property.lastIndexOf('.') + 1).toUpperCase()
    lines.push({ name, params, value: isQuoted ? decodeQuoted(value) : value })
  }
  return lines
}

/** Splits at the first colon outside quotes. */
function splitHead(line: string): [string, string | undefined] {
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    if (line[at] === ':' && !isQuoted) return [line.slice(0, at), line.slice(at + 1)]
  }
  return [line, undefined]
}

function decodeQuoted(value: string): string {
  const bytes = Buffer.from(
    Buffer.from(value, 'utf8')
      .toString('latin1')
      .replace(/=([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  return bytes.toString('utf8')
}

/** Splits at semicolons that are not escaped, and unescapes the parts. */
function partsOf(value: string): string[] {
  const parts = ['']
  for (let at = 0; at < value.length; at++) {
    const letter = value[at] ?? ''
    const last = parts.length - 1
    if (letter === ';') parts.push('')
    else if (letter === '\\' && at + 1 < value.length) parts[last] += escaped(value[++at] ?? '')
    else parts[last] += letter
  }
  return parts.map((part) => part.trim())
}

const escaped = (letter: string) => (letter === 'n' || letter === 'N' ? '\n' : letter)
const unescaped = (value: string) => value.replace(/\\(.)/gs, (_all, letter: string) => escaped(letter))

/** Converts the order of a card (family; given; further; title before; title after) to the spoken one. */
function nameOf(value: string): string {
  const [family, given, further, before, after] = partsOf(value)
  return [before, given, further, family, after].filter(Boolean).join(' ')
}

/** A single line of text, or undefined when it is empty. */
function lineOf(value: string): string | undefined {
  const line = value.slice(0, 2000).replace(/\s+/g, ' ').trim()
  return line === '' ? undefined : cut(line, 500)
}

/** The gateway writes `waid=5511…@s.whatsapp.net` when the sender gives no id. */
function phoneOf({ params, value }: Line): SharedContact['phones'] {
  const waId = params
    .map((param) => /^waid="?\+?(\d{5,20})(?:@[\w.]+)?"?$/i.exec(param)?.[1])
    .find((digits) => digits !== undefined)
  const number =
    lineOf(unescaped(value).replace(/^tel:/i, ''))?.slice(0, 60).toWellFormed() ?? (waId && `+${waId}`)
  return number ? [{ number, ...(waId && { waId }) }] : []
}

/** Allows only http(s) URLs and URLs without a scheme. */
export function safeUrl(url: string | undefined): string | undefined {
  const isOther = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url ?? '') && !/^https?:\/\//i.test(url ?? '')
  return isOther ? undefined : url?.slice(0, 2000)
}
