import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { create as dispositionOf } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import type { SendBytes } from '#server/platform/http/http.ts'
import { neutralCell } from './csv-answer.ts'

/** The most signs that Excel takes in a cell. */
const longestCell = 32_767

/**
 * Sends rows as an XLSX file with one sheet. The rows are read as fast as they are taken. A cell is as safe
 * as in a CSV file, into which a sheet may be turned.
 * @param fileName of the download
 */
export async function xlsxAnswer(
  reply: FastifyReply,
  { fileName, sheet }: { fileName: string; sheet: string },
  head: readonly string[],
  rows: AsyncIterable<readonly (string | number | null)[]>,
): Promise<SendBytes> {
  // Loaded with the first spreadsheet, because the start needs none of it.
  const { writeXlsxStream } = await import('hucre/xlsx')
  const bytes = writeXlsxStream(safeRows(rows), { name: sheet, columns: head.map((header) => ({ header })) })
  return () =>
    reply
      .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      .header('content-disposition', dispositionOf(fileName, { type: 'attachment' }))
      .send(Readable.fromWeb(bytes as ReadableStream))
}

async function* safeRows(rows: AsyncIterable<readonly (string | number | null)[]>) {
  for await (const row of rows)
    yield row.map((cell) => (typeof cell === 'string' ? neutralCell(cell).slice(0, longestCell) : cell))
}
