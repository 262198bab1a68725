import { sql } from 'drizzle-orm'
import type { AskedRows, ContactImport, ImportMapping, RowChoice } from '#shared/contacts/contact-imports.ts'
import { AppError } from '#shared/errors.ts'
import { importedPhone } from '#shared/text/contacts/imported-row.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { usualAreaCode } from '#server/settings/settings.ts'
import { guessMapping } from './guess.ts'
import { holdersOf } from './holders.ts'
import { chosenRows, firstRowsOf, guessHeaderLine, shortRow } from './chosen-rows.ts'
import { keptRows, type OpenFile } from './reading/kept-rows.ts'

/** What a file contains, before anything of it is imported. */
export interface Examined extends RowChoice, Pick<ContactImport, 'firstLines'> {
  headers: string[]
  samples: string[]
  firstRows: string[][]
  totalRows: number
  mapping: ImportMapping
  mappingFrom: Date | null
  knownRows: number | null
}

const shownRows = 5
const longestSample = 200
const atOnce = 1000

/**
 * Reads the chosen rows of a kept file to their end.
 * @param choice without a line, that of the headings is guessed
 * @throws AppError 422 without a row below the headings
 */
export async function examine(
  db: Db,
  open: OpenFile,
  { sheet, withHidden, headerLine: asked }: AskedRows,
): Promise<Examined> {
  const first = await firstRowsOf(keptRows(open), sheet)
  const wanted = asked ?? guessHeaderLine(first)
  const file = chosenRows(keptRows(open), { sheet, headerLine: wanted, withHidden })
  let headerLine = wanted
  let headers: string[] | undefined
  let remembered: Remembered | undefined
  let mapping: ImportMapping = []
  let totalRows = 0
  const samples: string[] = []
  const firstRows: string[][] = []
  const known = countKnown(db, (await usualAreaCode(db)) ?? null)
  for await (const { line, cells } of file) {
    if (!headers) {
      headerLine = line
      headers = cells.map((cell) => cell.trim().slice(0, longestSample))
      remembered = await rememberedMapping(db, headers)
      mapping = remembered?.mapping ?? guessMapping(headers)
      continue
    }
    totalRows++
    headers.forEach((_, n) => (samples[n] ||= (cells[n] ?? '').trim().slice(0, longestSample)))
    if (firstRows.length < shownRows) firstRows.push(cells.map((cell) => cell.slice(0, longestSample)))
    if (mapping.includes('phone')) await known.add(cells[mapping.indexOf('phone')] ?? '')
  }
  if (!headers || totalRows === 0) throw new AppError('imports.empty')
  return {
    sheet,
    headerLine,
    withHidden,
    firstLines: first.map(shortRow),
    headers,
    samples: headers.map((_, n) => samples[n] ?? ''),
    firstRows,
    totalRows,
    mapping,
    mappingFrom: remembered ? new Date(remembered.startedAt) : null,
    knownRows: mapping.includes('phone') ? await known.total() : null,
  }
}

interface Remembered extends Record<string, unknown> {
  mapping: ImportMapping
  startedAt: string
}

/** The mapping with which a file with the same columns was imported last. */
async function rememberedMapping(db: Db, headers: readonly string[]): Promise<Remembered | undefined> {
  const [last] = await rows<Remembered>(
    db,
    sql`select mapping, started_at as "startedAt" from contact_imports
         where headers = ${sql.param(headers)}::text[] and started_at is not null
         order by started_at desc limit 1`,
  )
  return last
}

/** Counts the rows whose number a living contact has. */
function countKnown(db: Db, areaCode: string | null) {
  let total = 0
  let pending: string[] = []
  const count = async () => {
    const known = await holdersOf(db, pending)
    total += pending.filter((phone) => known.has(phone)).length
    pending = []
  }
  return {
    async add(cell: string) {
      const phone = importedPhone(cell, areaCode)
      if (phone === undefined) return
      pending.push(phone)
      if (pending.length === atOnce) await count()
    },
    async total() {
      await count()
      return total
    },
  }
}
