import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type KeptRow, lastRow, longestCell, mostColumns, type OpenFile } from './kept-rows.ts'
import { Unreadable } from './refusal.ts'

/** How the text of a CSV file is to be read. */
export interface CsvForm {
  encoding: 'utf-8' | 'windows-1252'
  hasBom: boolean
  separator: ';' | ',' | '\t'
}

/** Where a quotation mark opens and never closes, everything after it is one cell. */
const longestRow = 1_000_000

const bom = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Finds out how a CSV file is to be read.
 * @throws Unreadable for a file that is no text
 */
export async function formOfCsv(head: Buffer, open: OpenFile): Promise<CsvForm> {
  if (controlsIn(head) > head.length * mostControls) throw new Unreadable({ name: 'noText' })
  const hasBom = head.subarray(0, 3).equals(bom)
  const encoding = await encodingOf(await open())
  const text = new TextDecoder(encoding).decode(hasBom ? head.subarray(3) : head)
  return { encoding, hasBom, separator: separatorOf(text) }
}

/** Exports have stray control characters, bytes of no kind have one in ten. */
const mostControls = 0.01

/** How many bytes are control characters that no line of text needs. */
function controlsIn(bytes: Uint8Array): number {
  let controls = 0
  for (const byte of bytes) if (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) controls++
  return controls
}

async function encodingOf(bytes: AsyncIterable<Uint8Array>): Promise<CsvForm['encoding']> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  const decode = (chunk?: Uint8Array) => {
    try {
      if (isUtf8) decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  for await (const chunk of bytes) {
    // No text has one; UTF-16 has one beside every letter.
    if (chunk.includes(0)) throw new Unreadable({ name: 'noText' })
    decode(chunk)
  }
  decode()
  return isUtf8 ? 'utf-8' : 'windows-1252'
}

const separators = [';', ',', '\t'] as const

/** The first line by which programs tell Excel the separator. */
const separatorLine = /^sep=([;,\t])?$/i

/** What the file says itself, else the sign that separates most cells of the header. */
function separatorOf(text: string): CsvForm['separator'] {
  const header = /^\s*([^\r\n]*)/.exec(text)?.[1] ?? ''
  const said = separators.find((sign) => sign === separatorLine.exec(header.trim())?.[1])
  if (said) return said
  const counts = separators.map((sign) => header.replace(/"[^"]*"/g, '').split(sign).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ';'
}

/**
 * The rows of a CSV file that have a value, in their order.
 * @throws Unreadable for quotation marks that do not close
 */
export async function* rowsOfCsv(open: OpenFile, form: CsvForm): AsyncGenerator<KeptRow> {
  const parser = parse({
    delimiter: form.separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: longestRow,
    // At once: a row of separators alone has a million cells.
    on_record: (cells: string[]) => cells.slice(0, mostColumns),
  })
  void feed(parser, await open(), form)
  let line = 0
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      if (++line > lastRow) throw new Unreadable({ name: 'tooLarge' })
      const cells = row.map((cell) => cell.slice(0, longestCell).toWellFormed())
      const isSeparatorLine = line === 1 && separatorLine.test(cells.join(form.separator).trim())
      if (isSeparatorLine || cells.every((cell) => cell.trim() === '')) continue
      yield { sheet: 0, line, isHidden: false, cells }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The rows before it, of which the last ones were not taken yet.
    throw new Unreadable({ name: 'openQuotes', given: Number(error['records']) })
  } finally {
    parser.destroy()
  }
}

/** Passes decoded text on as fast as it is taken. */
async function feed(
  parser: ReturnType<typeof parse>,
  bytes: AsyncIterable<Uint8Array>,
  { encoding, hasBom }: CsvForm,
): Promise<void> {
  const decoder = new TextDecoder(encoding)
  let skip = hasBom && encoding !== 'utf-8' ? bom.length : 0
  try {
    for await (const chunk of bytes) {
      const text = decoder.decode(skip > 0 ? chunk.subarray(skip) : chunk, { stream: true })
      skip = 0
      if (parser.destroyed) return
      if (text !== '' && !parser.write(text)) await drained(parser)
    }
    if (!parser.destroyed) parser.end(decoder.decode())
  } catch (error) {
    parser.destroy(error instanceof Error ? error : new Error('unreadable bytes'))
  }
}

/** Also when it is destroyed, because nobody wants more rows. */
function drained(parser: ReturnType<typeof parse>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      parser.off('drain', done)
      parser.off('close', done)
      resolve()
    }
    parser.once('drain', done)
    parser.once('close', done)
  })
}

/** For the reading of a stream that may be missing. */
export function openStored(read: () => Promise<Readable | undefined>): OpenFile {
  return async () => {
    const bytes = await read()
    if (!bytes) throw new Error('the file of an import is not in the file store')
    return bytes
  }
}
