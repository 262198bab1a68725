import { eq, sql } from 'drizzle-orm'
import {
  type AskedRows,
  type ImportMapping,
  type KnownChoice,
  undoableMs,
} from '#shared/contacts/contact-imports.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { contactImports } from '#server/schema/contacts/contact-imports.ts'
import { areSectors } from '#server/sectors/sectors.ts'
import { examine } from './examine.ts'
import { openStored } from './reading/csv.ts'
import { changeImport, type ImportRow, lockImport } from './queries.ts'

/** Queues a run in the open transaction. @returns its id; undefined where no jobs run */
export type StartRun = (db: Tx, run: { importId: number; startedBy: number }) => Promise<string | undefined>

const changed = () => new AppError('imports.changed')

/** @throws AppError 422 without the columns that a contact needs, or with one that is not offered */
async function expectWhole(db: Db, mapping: ImportMapping, { headers }: ImportRow): Promise<void> {
  if (mapping.length !== headers.length) throw new AppError('request.invalid')
  if (mapping.includes('sector') && !(await areSectors(db))) throw new AppError('request.invalid')
  for (const field of ['phone', 'name'] as const)
    if (!mapping.includes(field)) throw new AppError(`imports.no_${field}`)
}

/**
 * Chooses which rows of a file will be imported.
 * @throws AppError 404, 409 when it has begun, 422 without such a sheet or a row below the headings
 */
export async function chooseRows(
  { database, files }: { database: Database; files: FileStore },
  who: Who,
  id: number,
  choice: AskedRows,
): Promise<void> {
  const row = await inTransaction(database, (db) => lockImport(db, id))
  if (row.state !== 'read' || row.headerLine === null) throw changed()
  if (!row.sheets[choice.sheet]) throw new AppError('request.invalid')
  const examined = await examine(
    database,
    openStored(() => files.read(row.storedName)),
    choice,
  )
  await inTransaction(database, async (db) => {
    const { state } = await lockImport(db, id)
    await confirmRights(who, db)
    if (state !== 'read') throw changed()
    await changeImport(db, id, { ...examined })
  })
}

/** How the acts of the run will be recorded: as those of the person who began it. */
const actorColumns = (who: Who) => ({
  actor: { id: who.id, name: who.name, role: who.role, sessionId: who.sessionId, source: who.source },
  mayCreateCompanies: who.flags.canCreateCompanies,
})

/** @throws AppError 404, 409 when it has begun already, 422 for a mapping that is not whole */
export async function startImport(
  db: Tx,
  who: Who,
  id: number,
  { mapping, known, startRun }: { mapping: ImportMapping; known: KnownChoice; startRun: StartRun },
): Promise<void> {
  const row = await lockImport(db, id)
  await confirmRights(who, db)
  if (row.state !== 'read') throw changed()
  await expectWhole(db, mapping, row)
  await changeImport(db, id, {
    ...actorColumns(who),
    mapping,
    known,
    state: 'running',
    // Those of the run; they were those of the file as it was read.
    errors: 0,
    startedAt: sql`app_now()`,
    runId: (await startRun(db, { importId: id, startedBy: who.id })) ?? null,
  })
  await record(db, who, {
    action: 'contact.import',
    details: { importId: id, rows: row.totalRows, known },
    personal: { fileName: row.fileName },
  })
}

/** What was written stays. @throws AppError 404, 409 when it is not running */
export async function stopImport(db: Tx, who: Who, id: number): Promise<void> {
  const row = await lockImport(db, id)
  await confirmRights(who, db)
  if (row.state !== 'running') throw changed()
  await changeImport(db, id, { state: 'stopped', endedAt: sql`app_now()` })
  const details = { importId: id, doneRows: row.doneRows, rows: row.totalRows }
  await record(db, who, { action: 'contact.import_stop', details })
}

/** Goes on after the last committed row. @throws AppError 404, 409 when it is not stopped */
export async function continueImport(db: Tx, who: Who, id: number, startRun: StartRun): Promise<void> {
  const row = await lockImport(db, id)
  await confirmRights(who, db)
  const isHalted = row.state === 'stopped' || row.state === 'failed' || row.isAbandoned
  if (!isHalted || row.undoneLine !== null || row.state === 'undoing') throw changed()
  await changeImport(db, id, {
    ...actorColumns(who),
    state: 'running',
    endedAt: null,
    resumedAt: null,
    runId: (await startRun(db, { importId: id, startedBy: who.id })) ?? null,
  })
  const details = { importId: id, doneRows: row.doneRows, rows: row.totalRows }
  await record(db, who, { action: 'contact.import_continue', details })
}

/**
 * Begins to take back what an import has done.
 * @throws AppError 404, 409 while it runs, and more than a day after its end
 */
export async function undoImport(db: Tx, who: Who, id: number, startRun: StartRun): Promise<void> {
  const row = await lockImport(db, id)
  await confirmRights(who, db)
  const isOver = ['stopped', 'failed', 'done'].includes(row.state) || row.isAbandoned
  if (!isOver) throw changed()
  const nowMs = (await appNow(db)).getTime()
  const { endedAt } = row
  if (endedAt !== null && nowMs > endedAt.getTime() + undoableMs) throw new AppError('imports.too_old')
  await changeImport(db, id, {
    ...actorColumns(who),
    state: 'undoing',
    ...(endedAt === null && { endedAt: sql`app_now()` }),
    runId: (await startRun(db, { importId: id, startedBy: who.id })) ?? null,
  })
  await record(db, who, { action: 'contact.import_undo', details: { importId: id } })
}

/** Discards a file that was not imported. @throws AppError 404, 409 when it has begun */
export async function discardImport(
  { database, files }: { database: Database; files: FileStore },
  who: Who,
  id: number,
): Promise<void> {
  // The file before its row, so that no file remains without one.
  await inTransaction(database, async (db) => {
    const row = await lockImport(db, id)
    await confirmRights(who, db)
    if (row.state !== 'read') throw changed()
    await files.remove(row.storedName)
    await db.delete(contactImports).where(eq(contactImports.id, id))
  })
}
