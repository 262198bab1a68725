import { sql } from 'drizzle-orm'
import type { AskedRows, ContactImport, ImportMapping, RowChoice } from '#shared/contacts/contact-imports.ts'
import { AppError } from '#shared/errors.ts'
import { importedPhone, importedRow } from '#shared/text/contacts/imported-row.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { areSectors } from '#server/sectors/sectors.ts'
import { usualAreaCode } from '#server/settings/settings.ts'
import { guessMapping } from './guess.ts'
import { holdersOf } from './holders.ts'
import { beginningOf, chosenRows, firstRowsOf, guessHeaderLine, shortRow } from './chosen-rows.ts'
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
  /** How many rows would be left out; 0 while a column that a contact needs is not known. */
  errors: number
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
  const choice = { sheet, headerLine: asked ?? guessHeaderLine(first), withHidden }
  const [headings, ...judged] = await beginningOf(chosenRows(keptRows(open), choice))
  if (!headings || judged.length === 0) throw new AppError('imports.empty')
  const headers = headings.cells.map((cell) => cell.trim().slice(0, longestSample))
  const remembered = await rememberedMapping(db, headers)
  const hasSectors = await areSectors(db)
  const cells = judged.map((row) => row.cells)
  const mapping =
    remembered?.mapping.map((field) => (field === 'sector' && !hasSectors ? null : field)) ??
    guessMapping(headers, cells, { hasSectors })
  const hasPhone = mapping.includes('phone')
  const isWhole = hasPhone && mapping.includes('name')
  const areaCode = (await usualAreaCode(db)) ?? null
  const known = countKnown(db)
  let totalRows = -1
  let errors = 0
  const samples: string[] = []
  const firstRows: string[][] = []
  for await (const { cells } of chosenRows(keptRows(open), choice)) {
    if (++totalRows === 0) continue
    headers.forEach((_, n) => (samples[n] ||= (cells[n] ?? '').trim().slice(0, longestSample)))
    if (firstRows.length < shownRows) firstRows.push(cells.map((cell) => cell.slice(0, longestSample)))
    if (!hasPhone) continue
    const read = importedRow(cells, mapping, areaCode)
    if (!('error' in read)) await known.add(read.contact.phone)
    else if (isWhole) errors += 1
    // Without names no row is whole yet.
    else await known.add(importedPhone(cells, mapping, areaCode))
  }
  return {
    sheet,
    headerLine: headings.line,
    withHidden,
    firstLines: first.map(shortRow),
    headers,
    samples: headers.map((_, n) => samples[n] ?? ''),
    firstRows,
    totalRows,
    mapping,
    mappingFrom: remembered ? new Date(remembered.startedAt) : null,
    knownRows: hasPhone ? await known.total() : null,
    errors,
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
function countKnown(db: Db) {
  let total = 0
  let pending: string[] = []
  const count = async () => {
    const known = await holdersOf(db, pending)
    total += pending.filter((phone) => known.has(phone)).length
    pending = []
  }
  return {
    async add(phone: string | undefined) {
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
