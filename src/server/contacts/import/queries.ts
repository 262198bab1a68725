import { desc, eq, sql } from 'drizzle-orm'
import {
  type ContactImport,
  type ImportErrors,
  type ImportField,
  type ImportState,
  undoableMs,
} from '#shared/contacts/contact-imports.ts'
import { AppError } from '#shared/errors.ts'
import { countUnused } from '#server/companies/companies.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { contactImports } from '#server/schema/contacts/contact-imports.ts'
import { usualAreaCode } from '#server/settings/settings.ts'
import { users } from '#server/schema/users.ts'

export type ImportRow = typeof contactImports.$inferSelect

const importNotFound = () => new AppError('imports.not_found')

/** Work that nobody does any more: its run is over, and left no word. */
const isAbandoned = sql<boolean>`(${contactImports.state} in ('running', 'undoing')
  and exists (select from job_runs r
               where r.id = ${contactImports.runId} and r.state not in ('queued', 'running')))`

const viewColumns = {
  row: contactImports,
  uploadedBy: users.name,
  isAbandoned: isAbandoned,
  isUndoable: sql<boolean>`coalesce(
    ${contactImports.endedAt} > app_now() - ${undoableMs} * interval '1 millisecond', false)`,
  perSecond: sql<number | null>`(${contactImports.doneRows} - ${contactImports.resumedRows})
    / nullif(extract(epoch from app_now() - ${contactImports.resumedAt}), 0)::float8`,
}

const views = (db: Db) =>
  db
    .select(viewColumns)
    .from(contactImports)
    .innerJoin(users, eq(users.id, contactImports.uploadedBy))
    .$dynamic()

/** @throws AppError 404 */
export async function readImport(db: Db, id: number): Promise<ContactImport> {
  const [found] = await views(db).where(eq(contactImports.id, id))
  if (!found) throw importNotFound()
  return toImport(db, found, (await usualAreaCode(db)) ?? null)
}

const mostListed = 10

/** The last imports, the newest first. */
export async function listImports(db: Db): Promise<ContactImport[]> {
  const found = await views(db)
    .orderBy(desc(contactImports.createdAt), desc(contactImports.id))
    .limit(mostListed)
  const areaCode = (await usualAreaCode(db)) ?? null
  return Promise.all(found.map((view) => toImport(db, view, areaCode)))
}

interface View {
  row: ImportRow
  uploadedBy: string
  isAbandoned: boolean
  isUndoable: boolean
  perSecond: number | null
}

const undoable: readonly ImportState[] = ['stopped', 'failed', 'done']

/** A contact `c` that undoing an import would leave in its company `k`, which the import has created. */
const staysAfterUndo = (importId: number) =>
  sql`not exists (
    select from contact_import_rows r
     where r.import_id = ${importId} and r.contact_id = c.id
       and ((r.outcome = 'created' and not exists (select from conversations v where v.contact_id = c.id))
            or (r.outcome = 'updated' and (r.after ->> 'companyId')::int = k.id)))`

async function toImport(
  db: Db,
  { row, uploadedBy, isAbandoned: isLost, isUndoable, perSecond }: View,
  areaCode: string | null,
): Promise<ContactImport> {
  const state = isLost ? 'failed' : row.state
  const { endedAt } = row
  const canUndo = undoable.includes(state) && isUndoable && row.created + row.updated > 0
  return {
    id: row.id,
    fileName: row.fileName,
    sizeBytes: row.sizeBytes,
    format: row.format,
    encoding: row.encoding,
    hasBom: row.hasBom,
    separator: row.separator,
    sheets: row.sheets,
    choice:
      row.headerLine === null
        ? null
        : { sheet: row.sheet, headerLine: row.headerLine, withHidden: row.withHidden },
    firstLines: row.firstLines,
    columns: row.headers.map((name, n) => ({ name, sample: row.samples[n] ?? '' })),
    firstRows: row.firstRows,
    areaCode,
    totalRows: row.totalRows,
    mapping: row.mapping,
    mappingFrom: row.mappingFrom?.toISOString() ?? null,
    knownRows: row.knownRows,
    known: row.known,
    state,
    uploadedBy,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    doneRows: row.doneRows,
    created: row.created,
    updated: row.updated,
    kept: row.kept,
    errors: row.errors,
    perSecond: row.doneRows > row.resumedRows ? perSecond : null,
    undoUntil: canUndo && endedAt ? new Date(endedAt.getTime() + undoableMs).toISOString() : null,
    canContinue: (state === 'stopped' || state === 'failed') && row.undoneLine === null,
    undoneRows: row.undoneRows,
    deleted: row.deleted,
    restored: row.restored,
    deletedCompanies: row.deletedCompanies,
    ownCompanies:
      canUndo && row.companyIds.length > 0
        ? await countUnused(db, row.companyIds, staysAfterUndo(row.id))
        : 0,
  }
}

/**
 * Locks an import until the transaction ends.
 * @throws AppError 404
 */
export async function lockImport(db: Db, id: number): Promise<ImportRow & { isAbandoned: boolean }> {
  const [found] = await db
    .select({ row: contactImports, isAbandoned })
    .from(contactImports)
    .where(eq(contactImports.id, id))
    .for('update')
  if (!found) throw importNotFound()
  return { ...found.row, isAbandoned: found.isAbandoned }
}

export async function changeImport(
  db: Db,
  id: number,
  values: Partial<{ [Column in keyof ImportRow]: ImportRow[Column] | ReturnType<typeof sql> }>,
): Promise<void> {
  await db.update(contactImports).set(values).where(eq(contactImports.id, id))
}

/** A page of the rows with errors, and how many there are in each field. @throws AppError 404 */
export async function listErrors(
  db: Db,
  id: number,
  { page, limit, field }: { page: number; limit: number; field?: ImportField | undefined },
): Promise<ImportErrors> {
  await readImport(db, id)
  const ofField = field === undefined ? sql`` : sql`and field = ${field}`
  const [counts, found] = await Promise.all([
    rows<ImportErrors['counts'][number]>(
      db,
      sql`select field, count(*)::int as count from contact_import_rows
           where import_id = ${id} and outcome = 'error' group by field order by count(*) desc, field`,
    ),
    rows<ImportErrors['rows'][number]>(
      db,
      sql`select line, field, value, error from contact_import_rows
           where import_id = ${id} and outcome = 'error' ${ofField}
           order by line limit ${limit} offset ${(page - 1) * limit}`,
    ),
  ])
  const total = counts
    .filter((one) => field === undefined || one.field === field)
    .reduce((sum, { count }) => sum + count, 0)
  const totalPages = Math.max(1, Math.ceil(total / limit))
  return { rows: found, counts, pagination: { page, limit, total, totalPages } }
}

const atOnce = 1000

/** The cells of all rows with errors and what is wrong, in the order of the file; a batch at a time. */
export async function* errorRows(db: Db, id: number): AsyncGenerator<{ cells: string[]; error: string }> {
  for (let line: number | undefined = 0; line !== undefined;) {
    const batch: { line: number; cells: string[]; error: string }[] = await rows(
      db,
      sql`select line, cells, error from contact_import_rows
           where import_id = ${id} and outcome = 'error' and line > ${line} order by line limit ${atOnce}`,
    )
    yield* batch
    line = batch.length === atOnce ? batch.at(-1)?.line : undefined
  }
}
