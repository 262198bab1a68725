import { sql } from 'drizzle-orm'
import { importedRow } from '#shared/text/contacts/imported-row.ts'
import { type Actor, record } from '#server/audit/audit.ts'
import { deleteUnused } from '#server/companies/companies.ts'
import {
  type Database,
  inTransaction,
  isDatabaseDown,
  pgCode,
  type Tx,
} from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { DiskFull } from '#server/platform/file-store/disk-room.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { defineJob, type JobContext, JobInterrupted } from '#server/platform/jobs/job-definition.ts'
import { collectGarbage } from '#server/platform/memory.ts'
import { usualAreaCode } from '#server/settings/settings.ts'
import { rowsOfImport } from './chosen-rows.ts'
import type { ReadRow } from './decide.ts'
import { changeImport, type ImportRow, lockImport } from './queries.ts'
import { countUndone, undoBlock } from './undo-block.ts'
import { BlockOvertaken, writeBlock } from './write-block.ts'

export interface ImportContext {
  database: Database
  files: FileStore
  secrets: Pick<Secrets, 'fingerprint'>
  /** Notifies whoever sees the contacts that they have changed. */
  onChanged(db: Tx, contactIds: readonly number[]): Promise<void>
}

/**
 * How long a block may take, in milliseconds: what others have written meanwhile is sent to the browsers when
 * it has ended, and messages wait for the locks that it holds.
 */
const blockMs = 60
const mostBlockRows = 500
const fewestBlockRows = 20

/** How many rows the next block has, by how long the last ones took. */
function createPace(): { rows: number; note(rows: number, tookMs: number): void } {
  const pace = {
    rows: 100,
    note(rows: number, tookMs: number) {
      const inTime = Math.round((rows * blockMs) / Math.max(1, tookMs))
      pace.rows = Math.max(fewestBlockRows, Math.min(mostBlockRows, inTime))
    },
  }
  return pace
}

/**
 * What was read and sent outlives the young generation while a block waits for the database: the heap would
 * grow to three times what is in use before all of it is looked through.
 */
const rowsBetweenCollections = 10_000

/**
 * Imports a file from the row where it is, block by block. Each block commits its contacts together with how
 * far the import is, so it may end at any moment and begin again.
 */
export const importContactsJob = (context: ImportContext) =>
  defineJob<{ importId: number }>({
    name: 'import-contacts',
    afterCrash: 'again',
    work: (job) => failOnError(context, job, () => runImport(context, job)),
    onGivenUp: fail,
  })

/** Takes back what an import has done, from its last line to its first. */
export const undoImportJob = (context: ImportContext) =>
  defineJob<{ importId: number }>({
    name: 'undo-contact-import',
    afterCrash: 'again',
    work: (job) => failOnError(context, job, () => runUndo(context, job)),
    onGivenUp: fail,
  })

type Run = JobContext<{ importId: number }>

async function runImport(context: ImportContext, job: Run): Promise<void> {
  const start = await begin(context, job)
  if (!start) return
  const { mapping, totalRows } = start
  const areaCode = (await usualAreaCode(context.database)) ?? null
  let block: ReadRow[] = []
  let isHeader = true
  const pace = createPace()
  let analyzedFrom = firstAnalyzedRows
  const write = async (rows: ReadRow[]) => {
    // Rows leave room for messages as files do. The import can go on when there is space.
    if (!(await context.files.hasRoom())) throw new DiskFull('no room for the rows of a file')
    const beganAt = performance.now()
    const doneRows = await commitBlock(context, job, rows)
    pace.note(rows.length, performance.now() - beganAt)
    if (doneRows !== undefined) await job.progress(doneRows, totalRows)
    if (doneRows !== undefined && doneRows >= analyzedFrom) {
      await analyze(context.database)
      analyzedFrom = doneRows * analyzedFactor
    }
    if (doneRows !== undefined && doneRows % rowsBetweenCollections < rows.length) collectGarbage()
    return doneRows !== undefined
  }
  for await (const { line, cells } of rowsOfImport(context.files, start)) {
    const isData = !isHeader
    isHeader = false
    if (!isData || line <= start.doneLine) continue
    block.push({ line, cells, read: importedRow(cells, mapping, areaCode) })
    if (block.length < pace.rows) continue
    if (!(await write(block))) return
    block = []
  }
  if (block.length > 0 && !(await write(block))) return
  await finish(context, job)
}

/** After how many rows the tables are analyzed first, and how many times as many until the next time. */
const firstAnalyzedRows = 1000
const analyzedFactor = 4

/**
 * Renews the statistics of the tables that an import makes grow, and so the plans of prepared statements. One
 * that was planned while a table was all but empty reads all of it, for each message that comes, until
 * autovacuum does the same a minute later.
 */
async function analyze({ pool }: Database): Promise<void> {
  // A table that is being vacuumed is analyzed by that.
  await pool.query('analyze (skip_locked) contact_identities, contacts, contact_import_rows')
}

/** It may have waited for its turn: its speed is counted from now on. */
async function begin({ database }: ImportContext, job: Run): Promise<ImportRow | undefined> {
  return inTransaction(database, async (db) => {
    const row = await lockImport(db, job.data.importId)
    if (!isOfRun(row, 'running', job)) return undefined
    await changeImport(db, row.id, { resumedAt: sql`app_now()`, resumedRows: row.doneRows })
    return row
  })
}

/** @returns how many rows are done; undefined when the import is no longer this run's */
async function commitBlock(context: ImportContext, job: Run, block: ReadRow[]): Promise<number | undefined> {
  return repeatedly(() =>
    inTransaction(context.database, async (db) => {
      const row = await lockImport(db, job.data.importId)
      const isNext = row.doneLine < (block[0]?.line ?? 0)
      if (!isOfRun(row, 'running', job) || !isNext) return undefined
      await context.onChanged(db, await writeBlock(db, context.secrets, row, block, actorOf(row)))
      await failpoint('import.block')
      return row.doneRows + block.length
    }),
  )
}

async function finish({ database }: ImportContext, job: Run): Promise<void> {
  await inTransaction(database, async (db) => {
    const row = await lockImport(db, job.data.importId)
    if (!isOfRun(row, 'running', job)) return
    await changeImport(db, row.id, { state: 'done', endedAt: sql`app_now()` })
    const { id: importId, created, updated, errors } = row
    const details = { importId, created, updated, errors }
    await record(db, actorOf(row), { action: 'contact.import_end', details })
  })
}

async function runUndo(context: ImportContext, job: Run): Promise<void> {
  const { importId } = job.data
  const pace = createPace()
  for (;;) {
    const { rows } = pace
    const beganAt = performance.now()
    const done = await repeatedly(() =>
      inTransaction(context.database, async (db) => {
        const row = await lockImport(db, importId)
        if (!isOfRun(row, 'undoing', job)) return undefined
        const { contactIds, isOver, progress } = await undoBlock(db, row, rows)
        await context.onChanged(db, contactIds)
        await changeImport(db, importId, progress)
        if (isOver) await endUndo(db, row)
        await failpoint('import.block')
        return { ...progress, isOver, total: row.created + row.updated }
      }),
    )
    if (!done || done.isOver) return
    pace.note(rows, performance.now() - beganAt)
    await job.progress(done.undoneRows, done.total)
  }
}

/** After all contacts, of which it locks none: whoever changes one locks its company first. */
async function endUndo(db: Tx, row: ImportRow): Promise<void> {
  const counts = await countUndone(db, row)
  const deletedCompanies = await deleteUnused(db, actorOf(row), row.companyIds)
  await changeImport(db, row.id, { state: 'undone', ...counts, deletedCompanies })
  const details = { importId: row.id, ...counts, companies: deletedCompanies }
  await record(db, actorOf(row), { action: 'contact.import_undone', details })
}

/** Whether the import is in the state in which this run works on it, and no other run has begun since. */
const isOfRun = (
  { state, runId }: ImportRow,
  wanted: 'running' | 'undoing',
  { runId: own }: Pick<Run, 'runId'>,
) => state === wanted && runId === own

/** Who began it. Stored by `acts.ts`. */
const actorOf = (row: ImportRow): Actor => (row.actor === null ? 'system' : (row.actor as unknown as Actor))

const mostTries = 4

/** Runs a block again when somebody else took a number, or deleted a company, between its statements. */
async function repeatedly<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isOvertaken = error instanceof BlockOvertaken || ['23505', '23503'].includes(pgCode(error) ?? '')
      if (!isOvertaken || attempt === mostTries) throw error
    }
  }
}

/** An import whose work throws has failed, and says so; what the queue repeats has not. */
async function failOnError({ database }: ImportContext, job: Run, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof JobInterrupted || isDatabaseDown(error)) throw error
    await inTransaction(database, (db) => fail(db, job))
    throw error
  }
}

async function fail(db: Tx, job: Pick<Run, 'runId' | 'data'>): Promise<void> {
  const row = await lockImport(db, job.data.importId)
  if (isOfRun(row, 'running', job) || isOfRun(row, 'undoing', job))
    await changeImport(db, row.id, { state: 'failed', endedAt: sql`app_now()` })
}
