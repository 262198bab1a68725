import { sql } from 'drizzle-orm'
import type { ImportMapping } from '#shared/contacts/contact-imports.ts'
import { AppError } from '#shared/errors.ts'
import { importedPhone } from '#shared/text/contacts/imported-row.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { guessMapping } from './guess.ts'
import { holdersOf } from './holders.ts'
import { isBlank, type SheetRow } from './sheet-file.ts'

/** What a file contains, before anything of it is imported. */
export interface Examined {
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
 * Reads a file to its end.
 * @throws AppError 422 without a row below the header, or when it cannot be read
 */
export async function examine(db: Db, file: AsyncIterable<SheetRow>): Promise<Examined> {
  let headers: string[] | undefined
  let remembered: Remembered | undefined
  let mapping: ImportMapping = []
  let totalRows = 0
  const samples: string[] = []
  const firstRows: string[][] = []
  const known = countKnown(db)
  for await (const { cells } of file) {
    if (isBlank(cells)) continue
    if (!headers) {
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
function countKnown(db: Db) {
  let total = 0
  let pending: string[] = []
  const count = async () => {
    const known = await holdersOf(db, pending)
    total += pending.filter((phone) => known.has(phone)).length
    pending = []
  }
  return {
    async add(cell: string) {
      const phone = importedPhone(cell)
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
