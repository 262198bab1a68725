import { maxSettingText } from '#shared/settings/schedule.ts'
import { maxShortcut } from '#shared/settings/settings.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import type { Placeholder } from '#shared/text/template.ts'
import { fieldsOfReplies } from '#web/settings/replies/replies.ts'

// Reads the files in which Chatwoot, Ticketz and whaticket give their prepared texts, and our own: CSV with a
// header, or JSON as their APIs answer it.

/** A prepared text of a file, with what was changed for it to be one of ours. */
export interface ReadReply {
  shortcut: string
  text: string
  /** What whoever imports it should know. */
  notes: string[]
}

/** What of a file cannot be a quick reply, and why. */
export interface Refused {
  shortcut: string
  reason: string
}

export interface ReadFile {
  replies: ReadReply[]
  refused: Refused[]
}

/** A file that has no prepared texts; its message is for people. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

const columns = {
  // Of Chatwoot, Ticketz, whaticket.
  shortcut: ['short_code', 'shortcode', 'shortcut', 'atalho'],
  text: ['content', 'message', 'mensagem', 'texto', 'text'],
  file: ['mediapath', 'medianame'],
} as const

/** @throws Unreadable */
export function readReplies(bytes: Uint8Array): ReadFile {
  const text = decode(bytes).trim()
  const rows = /^[[{]/.test(text) ? rowsOfJson(text) : rowsOfCsv(text)
  const [first] = rows
  if (!first) throw new Unreadable('O arquivo está vazio.')
  if (!valueIn(first, columns.shortcut, true) || !valueIn(first, columns.text, true))
    throw new Unreadable('O arquivo precisa das colunas short_code e content, ou shortcode e message.')
  const read: ReadFile = { replies: [], refused: [] }
  for (const row of rows) {
    const reply = replyOf(row)
    if ('reason' in reply) read.refused.push(reply)
    else read.replies.push(reply)
  }
  return read
}

/** Programs for tables still write the code page of Windows. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

type Row = Readonly<Record<string, unknown>>

/** A list, or an object with one in it, as the APIs answer with pages. */
function rowsOfJson(text: string): Row[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Unreadable('O JSON do arquivo está incompleto.')
  }
  const lists = [parsed, ...Object.values(parsed ?? {})].filter((each) => Array.isArray(each))
  const [list = []] = lists as unknown[][]
  return list.flatMap((row) => (typeof row === 'object' && row !== null ? [named(Object.entries(row))] : []))
}

function rowsOfCsv(text: string): Row[] {
  const head = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, '')
  const signs = [',', ';', '\t'] as const
  const counts = signs.map((sign) => head.split(sign).length)
  const [header = [], ...rows] = cellsOf(text, signs[counts.indexOf(Math.max(...counts))] ?? ',')
  return rows
    .filter((row) => row.some((cell) => cell.trim() !== ''))
    .map((row) => named(header.map((name, at) => [name, row[at] ?? ''])))
}

const named = (entries: readonly (readonly [string, unknown])[]): Row =>
  Object.fromEntries(entries.map(([name, value]) => [name.trim().toLowerCase(), value]))

/** A cell and what ends it. */
const cells = {
  ',': /(?:"((?:[^"]|"")*)"|((?!")[^,\r\n]*))(,|\r?\n|\r|$)/gy,
  ';': /(?:"((?:[^"]|"")*)"|((?!")[^;\r\n]*))(;|\r?\n|\r|$)/gy,
  '\t': /(?:"((?:[^"]|"")*)"|((?!")[^\t\r\n]*))(\t|\r?\n|\r|$)/gy,
} as const

/** The cells of each line; one in quotation marks may have any sign, and two of them stand for one. */
function cellsOf(text: string, separator: keyof typeof cells): string[][] {
  const lines: string[][] = [[]]
  const cell = cells[separator]
  for (let at = 0; at <= text.length; at = cell.lastIndex) {
    cell.lastIndex = at
    const match = cell.exec(text)
    if (!match) throw new Unreadable('Há aspas que não fecham no arquivo.')
    const [, quoted, plain = '', end = ''] = match
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') break
    if (end !== separator) lines.push([])
  }
  return lines
}

/** @param isThere whether the column is, whatever it has */
function valueIn(row: Row, names: readonly string[], isThere = false): string {
  const name = names.find((each) => each in row)
  const value = name === undefined ? undefined : row[name]
  if (isThere) return name ?? ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function replyOf(row: Row): ReadReply | Refused {
  const given = valueIn(row, columns.shortcut).trim()
  const shortcut = given
    .replace(/^\/+/, '')
    .replace(/[\s/]+/g, '-')
    .replace(/\p{Cc}/gu, '')
    .slice(0, maxShortcut)
  const { text, unknown } = translate(valueIn(row, columns.text).replace(/\r\n?/g, '\n').trim())
  if (showsNothing(shortcut)) return { shortcut: given, reason: 'sem atalho' }
  if (showsNothing(text)) return { shortcut, reason: 'sem texto' }
  if (text.length > maxSettingText) return { shortcut, reason: 'texto longo demais' }
  if (!text.isWellFormed() || text.includes('\0')) return { shortcut, reason: 'texto danificado' }
  const notes = [
    ...(shortcut === given.replace(/^\//, '') ? [] : [`o atalho era ${given}`]),
    ...unknown.map((name) => `${name} se preenche à mão`),
    ...(valueIn(row, columns.file) === '' ? [] : ['o arquivo não vem']),
  ]
  return { shortcut, text, notes }
}

/** What other products call our fields. */
const fieldsOf: Readonly<Record<string, Placeholder>> = {
  'contact.name': 'contact',
  name: 'contact',
  nome: 'contact',
  'contact.first_name': 'firstName',
  firstname: 'firstName',
  'agent.name': 'operator',
  'agent.first_name': 'operator',
  user: 'operator',
  usuario: 'operator',
  'conversation.display_id': 'protocol',
  ticket: 'protocol',
  protocolo: 'protocol',
}
const ours = new Map(fieldsOfReplies.map((name) => [name.toLowerCase(), name]))

/**
 * Their fields become ours, without the filters of `{{ name | default: 'cliente' }}`, and their bold type
 * WhatsApp's. A field that we have not keeps its name, in signs that make it one to be filled by hand.
 */
function translate(text: string): { text: string; unknown: string[] } {
  const unknown = new Set<string>()
  const translated = text
    .replace(/\{\{\s*([\p{L}_][\p{L}\d_.]{0,60})\s*(?:\|[^{}]*)?\}\}/gu, (_whole, name: string) => {
      const known = fieldsOf[name.toLowerCase()] ?? ours.get(name.toLowerCase())
      if (known !== undefined) return `{{${known}}}`
      const written = `{{${name.replace(/[^\p{L}_]+/gu, '_').slice(0, 40)}}}`
      unknown.add(written)
      return written
    })
    .replace(/\*\*(?=\S)([^*\n]*?\S)\*\*/g, '*$1*')
  return { text: translated, unknown: [...unknown] }
}
