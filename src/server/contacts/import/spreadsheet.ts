import { collectGarbage } from '#server/platform/memory.ts'
import { AppError } from '#shared/errors.ts'
import { unreadableFile } from '#shared/text/contacts/unreadable-file.ts'
import { keptLine, unreadable } from './sheet-file.ts'

const zipStart = Buffer.from('PK\u0003\u0004', 'latin1')
export const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(zipStart)

/** What may be unpacked from a file: a hostile one of a few kilobytes would fill the memory. In bytes. */
const mostUnpacked = 512 * 1024 * 1024
const mostStrings = 128 * 1024 * 1024
/** Long ones: while one is written, the library reads ahead. In signs. */
const pieceLength = 2 * 1024 * 1024
/** The last row that a spreadsheet has. */
const lastRow = 1_048_576

/**
 * The first sheet of an XLSX file, as the lines of a CSV file in the kept form; a row that is missing is a
 * blank line, so that rows keep their numbers.
 * @throws AppError 422 when it is none
 */
export async function* linesOfSpreadsheet(bytes: Buffer): AsyncGenerator<Buffer> {
  expectModest(bytes)
  // Loaded with the first spreadsheet, because the start needs none of it.
  const { streamXlsxRows } = await import('hucre/xlsx')
  let next = 0
  let pending = ''
  try {
    for await (const { index, values } of streamXlsxRows(bytes)) {
      if (!Number.isInteger(index) || index < next || index >= lastRow)
        throw unreadable(unreadableFile.rowsOutOfOrder)
      // What the strings took to be read is five times what they take.
      if (next === 0) collectGarbage()
      pending += '\n'.repeat(index - next) + keptLine(values.map(textOf))
      next = index + 1
      if (pending.length < pieceLength) continue
      yield Buffer.from(pending)
      pending = ''
      collectGarbage()
    }
  } catch (error) {
    // The library throws errors of its own, of the unpacking and of values that are missing.
    throw error instanceof AppError ? error : unreadable(unreadableFile.noWorkbook)
  }
  yield Buffer.from(pending)
}

function textOf(value: unknown): string {
  const text =
    value instanceof Date
      ? value.toISOString().slice(0, 10)
      : typeof value === 'boolean'
        ? value
          ? 'Sim'
          : 'Não'
        : typeof value === 'string' || typeof value === 'number'
          ? String(value)
          : ''
  return text.replaceAll('\0', '').toWellFormed()
}

const endMark = Buffer.from('PK\u0005\u0006', 'latin1')
const entryMark = 0x02014b50

/** Adds up what the directory of an archive says; the reader holds every entry to that. */
function expectModest(bytes: Buffer): void {
  const end = bytes.lastIndexOf(endMark)
  if (end === -1 || end + 22 > bytes.length) throw unreadable(unreadableFile.incomplete)
  let at = bytes.readUInt32LE(end + 16)
  let unpacked = 0
  for (let n = bytes.readUInt16LE(end + 10); n > 0; n--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entryMark)
      throw unreadable(unreadableFile.incomplete)
    const size = bytes.readUInt32LE(at + 24)
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('latin1', at + 46, at + 46 + nameLength)
    unpacked += size
    const isTooLarge = unpacked > mostUnpacked || (/sharedstrings/i.test(name) && size > mostStrings)
    if (isTooLarge) throw unreadable(unreadableFile.tooLarge)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}
