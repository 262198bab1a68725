import type { RowChoice } from '#shared/contacts/contact-imports.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { guessMapping } from './guess.ts'
import type { ImportRow } from './queries.ts'
import { openStored, rowsOfCsv } from './reading/csv.ts'
import { type KeptRow, keptRows } from './reading/kept-rows.ts'

/** The rows of a kept file that are imported, that of the headings first. */
export async function* chosenRows(
  rows: AsyncIterable<KeptRow>,
  { sheet, headerLine, withHidden }: RowChoice,
): AsyncGenerator<KeptRow> {
  for await (const row of rows) {
    if (row.sheet > sheet) return
    if (row.sheet < sheet || row.line < headerLine) continue
    if (!row.isHidden || withHidden || row.line === headerLine) yield row
  }
}

/** Of files that an earlier version kept: what they were uploaded as, and a spreadsheet as CSV. */
const formerForm = { encoding: 'utf-8', hasBom: false, separator: ';' } as const

/** The rows of an import's file, that of the headings first. */
export function rowsOfImport(files: FileStore, row: ImportRow): AsyncGenerator<KeptRow> {
  const open = openStored(() => files.read(row.storedName))
  const { encoding, separator, hasBom, sheet, headerLine, withHidden } = row
  if (headerLine !== null) return chosenRows(keptRows(open), { sheet, headerLine, withHidden })
  const isCsv = encoding !== null && separator !== null
  return rowsOfCsv(open, isCsv ? { encoding, separator, hasBom } : formerForm)
}

/** Further down nobody looks for headings. */
const mostTitleRows = 10
const longestText = 200

/** The first rows of a sheet that are shown. */
export async function firstRowsOf(rows: AsyncIterable<KeptRow>, sheet: number): Promise<KeptRow[]> {
  const first: KeptRow[] = []
  for await (const row of rows) {
    if (row.sheet !== sheet || row.isHidden) continue
    first.push(row)
    if (first.length === mostTitleRows) break
  }
  return first
}

/** By these the columns are guessed. */
const mostJudged = 101
/** Of their cells, in UTF-16 units. */
const mostJudgedText = 1_000_000

/** The first rows of those that are chosen, with that of the headings; fewer where they are very long. */
export async function beginningOf(rows: AsyncIterable<KeptRow>): Promise<KeptRow[]> {
  const first: KeptRow[] = []
  let length = 0
  for await (const row of rows) {
    first.push(row)
    for (const cell of row.cells) length += cell.length
    if (first.length === mostJudged || (first.length > 1 && length > mostJudgedText)) break
  }
  return first
}

/** What a person sees of a row when they choose that of the headings. */
export const shortRow = ({ line, cells }: KeptRow): { line: number; text: string } => ({
  line,
  text: valuesOf(cells).join(' · ').slice(0, longestText),
})

const valuesOf = (cells: readonly string[]) => cells.map((cell) => cell.trim()).filter((cell) => cell !== '')

/**
 * The line of the headings, above which may stand a title or a date: of the first rows that of which a column
 * can be told, else the first one with two values, else the first.
 */
export function guessHeaderLine(first: readonly KeptRow[]): number {
  const several = first.filter(({ cells }) => valuesOf(cells).length > 1)
  const told = several.find(({ cells }) => {
    const mapping = guessMapping(cells)
    return mapping.includes('name') || mapping.includes('phone')
  })
  return (told ?? several[0] ?? first[0])?.line ?? 1
}
