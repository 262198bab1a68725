import { pipeline, Readable } from 'node:stream'
import { create as dispositionOf } from 'content-disposition'
import { stringify } from 'csv-stringify'
import type { FastifyReply } from 'fastify'
import type { SendBytes } from '#server/platform/http/http.ts'
import { type Cell, TimeCell } from './time-cell.ts'

/** A number or a telephone number, which a spreadsheet only reads as one. */
const plainNumber = /^[+-]?\d+([.,]\d+)?$/

/** The signs that begin a formula, also full-width ones and after what shows nothing. */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

/** A cell that no spreadsheet takes for a formula: an apostrophe before the signs that begin one. */
export function neutralCell(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
}

/**
 * Sends rows as a CSV file that a Brazilian Excel opens as it is: semicolons, a byte order mark, CRLF. The
 * rows are read as fast as they are taken.
 * @param fileName of the download
 */
export function csvAnswer(
  reply: FastifyReply,
  fileName: string,
  head: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
): SendBytes {
  const sheet = stringify({
    bom: true,
    delimiter: ';',
    record_delimiter: 'windows',
    header: true,
    columns: [...head],
    cast: { string: neutralCell, object: (cell) => (cell instanceof TimeCell ? cell.text : '') },
    // The library quotes the end of a record alone.
    quoted_match: /[\r\n]/,
  })
  // An error on the way ends the connection, so that a part is not taken for the whole.
  pipeline(Readable.from(rows), sheet, () => undefined)
  return () =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', dispositionOf(fileName, { type: 'attachment' }))
      .send(sheet)
}
