import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type Encoding, encodingOf, headText, textOf } from './encoding.ts'
import { type KeptRow, lastRow, longestCell, mostColumns, type OpenFile } from './kept-rows.ts'
import { Unreadable } from './refusal.ts'

/** How the text of a CSV file is to be read. */
export interface CsvForm extends Encoding {
  separator: ';' | ',' | '\t'
}

/** Where a quotation mark opens and never closes, everything after it is one cell. */
const longestRow = 1_000_000

/**
 * Finds out how a CSV file is to be read.
 * @throws Unreadable for a file that is no text
 */
export async function formOfCsv(head: Buffer, open: OpenFile): Promise<CsvForm> {
  const form = await encodingOf(head, open)
  return { ...form, separator: separatorOf(headText(head, form)) }
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
  void feed(parser, textOf(open, form))
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

/** Passes text on as fast as it is taken. */
async function feed(parser: ReturnType<typeof parse>, text: AsyncIterable<string>): Promise<void> {
  try {
    for await (const piece of text) {
      if (parser.destroyed) return
      if (!parser.write(piece)) await drained(parser)
    }
    if (!parser.destroyed) parser.end()
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
