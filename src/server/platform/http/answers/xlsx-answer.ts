import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { create as dispositionOf } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import type { SendBytes } from '#server/platform/http/http.ts'
import { neutralCell } from './csv-answer.ts'
import { type Cell, TimeCell } from './time-cell.ts'

/** The most signs that Excel takes in a cell. */
const longestCell = 32_767
const timeFormat = 'dd/mm/yyyy hh:mm'

/**
 * Sends rows as an XLSX file with one sheet. The rows are read as fast as they are taken. A cell is as safe
 * as in a CSV file, into which a sheet may be turned.
 * @param file.fileName of the download
 * @param file.times the headings of columns that have times
 */
export async function xlsxAnswer(
  reply: FastifyReply,
  { fileName, sheet, times = [] }: { fileName: string; sheet: string; times?: readonly string[] },
  head: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
): Promise<SendBytes> {
  // Loaded with the first spreadsheet, because the start needs none of it.
  const { writeXlsxStream } = await import('hucre/xlsx')
  const columns = head.map((header) =>
    times.includes(header) ? { header, numFmt: timeFormat, width: 17 } : { header },
  )
  const bytes = writeXlsxStream(safeRows(rows), { name: sheet, columns })
  return () =>
    reply
      .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      .header('content-disposition', dispositionOf(fileName, { type: 'attachment' }))
      .send(Readable.fromWeb(bytes as ReadableStream))
}

async function* safeRows(rows: AsyncIterable<readonly Cell[]>) {
  for await (const row of rows)
    yield row.map((cell) => {
      if (cell instanceof TimeCell) return cell.wallClock
      return typeof cell === 'string' ? neutralCell(cell).slice(0, longestCell) : cell
    })
}
