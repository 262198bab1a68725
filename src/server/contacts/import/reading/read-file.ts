import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { type CsvForm, formOfCsv, rowsOfCsv } from './csv.ts'
import { type Encoding, encodingOf } from './encoding.ts'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import type { KeptRow } from './kept-rows.ts'
import { openPackage } from './package.ts'
import { readSharedTexts } from './shared-texts.ts'
import { cellBudget, rowsOfSheet } from './sheet-rows.ts'
import { isOfCards, rowsOfCards } from './vcards/cards.ts'
import { readParts } from './workbook-parts.ts'

/** What is known of a file after it was read to its end. */
export interface FileFacts {
  format: ContactImport['format']
  /** Of a text, with a separator in a CSV file. */
  form?: Encoding & Partial<CsvForm>
  /** In the order of the numbers that rows have; a text is one without a name. */
  sheets: ContactImport['sheets']
}

const headBytes = 64 * 1024
const zipStart = Buffer.from('PK\u0003\u0004', 'latin1')

/**
 * Reads a file of somebody else: its rows that have a value, and in the end what it is.
 * @throws Unreadable
 */
export async function* readFile(path: string): AsyncGenerator<KeptRow, FileFacts> {
  const head = await headOf(path)
  if (head.subarray(0, zipStart.length).equals(zipStart)) return yield* readWorkbook(path)
  const bytes = () => createReadStream(path)
  if (isOfCards(head)) {
    const form = await encodingOf(head, bytes)
    const counts = yield* counted(rowsOfCards(bytes, form))
    return { format: 'vcf', form, sheets: [{ name: '', ...counts }] }
  }
  const form = await formOfCsv(head, bytes)
  const counts = yield* counted(rowsOfCsv(bytes, form))
  return { format: 'csv', form, sheets: [{ name: '', ...counts }] }
}

async function* readWorkbook(path: string): AsyncGenerator<KeptRow, FileFacts> {
  const file = await openPackage(path)
  try {
    const { sheets: found, sharedTexts, ...parts } = await readParts(file)
    const context = { ...parts, texts: await readSharedTexts(file, sharedTexts), cells: cellBudget() }
    const sheets: FileFacts['sheets'] = []
    for (const [sheet, { name, part }] of found.entries())
      sheets.push({ name, ...(yield* counted(rowsOfSheet(file, part, sheet, context))) })
    return { format: 'xlsx', sheets }
  } finally {
    file.close()
  }
}

/** Passes rows on. @returns how many there were */
async function* counted(
  all: AsyncGenerator<KeptRow>,
): AsyncGenerator<KeptRow, { rows: number; hidden: number }> {
  const counts = { rows: 0, hidden: 0 }
  for await (const row of all) {
    counts.rows++
    if (row.isHidden) counts.hidden++
    yield row
  }
  return counts
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
