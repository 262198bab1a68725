import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { clientName, clientPhone } from '#shared/contacts/client-phone.ts'
import { blockedCell } from '#shared/text/contacts/exported-contact.ts'
import { categoryLabel } from '#shared/text/text.ts'
import { formatPhone } from '#shared/text/phone.ts'
import type { Database } from '#server/platform/database/db.ts'
import { type Cell, timeCells } from '#server/platform/http/answers/time-cell.ts'
import { maskFor } from '#server/platform/phones/hidden-phones.ts'
import { orderOfName, type PhoneReader } from '#server/platform/phones/searched-phones.ts'
import { collectGarbage } from '#server/platform/memory.ts'
import { companies, contacts } from '#server/schema/contacts/contacts.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { ofCompany } from './queries.ts'

const batchSize = 1000
/** What waits to be written outlives the young generation: the heap would grow with the file. */
const batchesBetweenCollections = 20

/**
 * The contacts of a filter by name, as cells; read from the database a batch at a time.
 * @param hasSectors whether the last cell is the sector to which their new conversations go
 */
export async function* exportedRows(
  database: Database,
  who: PhoneReader,
  where: SQL | undefined,
  { timezone, hasSectors }: { timezone: string; hasSectors: boolean },
): AsyncGenerator<Cell[]> {
  const time = timeCells(timezone)
  const mask = maskFor(who, told)
  let after: SQL | undefined
  for (let n = 1; ; n++) {
    const batch: Exported[] = await readBatch(database, who, and(where, after))
    for (const row of batch) yield [...cellsOf(mask(row), time), ...(hasSectors ? [row.sector] : [])]
    const last = batch.at(-1)
    if (!last || batch.length < batchSize) return
    if (n % batchesBetweenCollections === 0) collectGarbage()
    after = sql`(${orderOfName(who, contacts.nameFolded)}, ${contacts.id}) > (${last.place}, ${last.id})`
  }
}

type Exported = Awaited<ReturnType<typeof readBatch>>[number]

function readBatch(database: Database, who: PhoneReader, where: SQL | undefined) {
  return database
    .select({
      id: contacts.id,
      place: orderOfName(who, contacts.nameFolded).mapWith(contacts.nameFolded),
      name: contacts.name,
      phone: contacts.phone,
      email: contacts.email,
      company: companies.name,
      category: contacts.category,
      tags: contacts.tags,
      notes: contacts.notes,
      sector: sectors.name,
      isBlocked: contacts.isBlocked,
      createdAt: contacts.createdAt,
    })
    .from(contacts)
    .leftJoin(companies, ofCompany)
    .leftJoin(sectors, eq(sectors.id, contacts.sectorId))
    .where(where)
    .orderBy(orderOfName(who, contacts.nameFolded), contacts.id)
    .limit(batchSize)
    .execute()
}

/** What a row tells of a number. */
const told = z.object({ name: clientName, phone: z.nullable(clientPhone), company: z.nullable(clientName) })

function cellsOf(row: Exported, time: ReturnType<typeof timeCells>): Cell[] {
  return [
    row.name,
    row.phone && formatPhone(row.phone),
    row.email,
    row.company,
    categoryLabel(row.category),
    row.tags.join(', '),
    row.notes,
    blockedCell(row.isBlocked),
    time(row.createdAt.toISOString()),
  ]
}
