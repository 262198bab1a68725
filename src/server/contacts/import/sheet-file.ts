import type { Readable } from 'node:stream'
import { setImmediate as otherWork } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '#shared/errors.ts'
import { unreadableFile } from '#shared/text/contacts/unreadable-file.ts'

/** How the text of a CSV file is to be read. */
export interface CsvForm {
  encoding: 'utf-8' | 'windows-1252'
  hasBom: boolean
  separator: ';' | ',' | '\t'
}

/** The form in which a spreadsheet is kept. */
export const keptForm: CsvForm = { encoding: 'utf-8', hasBom: false, separator: ';' }

/** A row of a file. */
export interface SheetRow {
  /** As a spreadsheet counts: from 1, blank ones too. */
  line: number
  cells: string[]
}

/** Opens the bytes of a file from the beginning. */
export type OpenFile = () => Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>

/** More columns than any directory has; further ones are ignored. */
const mostColumns = 100
/** Where a quotation mark opens and never closes, everything after it is one cell. */
const longestRow = 1_000_000

/** @param reason of `unreadableFile` */
export const unreadable = (reason: string) => new AppError('imports.unreadable', { values: { reason } })

const bom = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Finds out how a CSV file is to be read.
 * @throws AppError 422 for a file that is no text
 */
export async function formOfCsv(head: Buffer, open: OpenFile): Promise<CsvForm> {
  const hasBom = head.subarray(0, 3).equals(bom)
  const encoding = await encodingOf(await open())
  const text = new TextDecoder(encoding).decode(hasBom ? head.subarray(3) : head)
  return { encoding, hasBom, separator: separatorOf(text) }
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
    if (chunk.includes(0)) throw unreadable(unreadableFile.noText)
    decode(chunk)
  }
  decode()
  return isUtf8 ? 'utf-8' : 'windows-1252'
}

/** The sign that separates most cells of the header. */
function separatorOf(text: string): CsvForm['separator'] {
  const header = (/^\s*([^\r\n]*)/.exec(text)?.[1] ?? '').replace(/"[^"]*"/g, '')
  const separators = [';', ',', '\t'] as const
  const counts = separators.map((sign) => header.split(sign).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ';'
}

/** How long rows are read before other work of the process has its turn, in milliseconds. */
const turnMs = 4

/**
 * The rows of a CSV file, blank ones too, in their order. Reading many holds up nothing else.
 * @throws AppError 422 for quotation marks that do not close
 */
export async function* rowsOfCsv(open: OpenFile, form: CsvForm): AsyncGenerator<SheetRow> {
  const parser = parse({
    delimiter: form.separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: longestRow,
  })
  void feed(parser, await open(), form)
  let line = 0
  let turnBegan = performance.now()
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      yield { line: ++line, cells: cells.slice(0, mostColumns).map((cell) => cell.toWellFormed()) }
      if (performance.now() - turnBegan < turnMs) continue
      await otherWork()
      turnBegan = performance.now()
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The rows before it, of which the last ones were not taken yet.
    throw unreadable(unreadableFile.openQuotes(Number(error['records'])))
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

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/** A row as a line of a CSV file in the kept form. */
export const keptLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(keptForm.separator)}\n`

/** For the reading of a stream that may be missing. */
export function openStored(read: () => Promise<Readable | undefined>): OpenFile {
  return async () => {
    const bytes = await read()
    if (!bytes) throw new Error('the file of an import is not in the file store')
    return bytes
  }
}
