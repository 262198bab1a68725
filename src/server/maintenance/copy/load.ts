import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { type Archive, readLines } from '#server/maintenance/archive/archive.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { TableEntry } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { measureRows } from '#server/maintenance/archive/scratch.ts'
import { expectSame, type Measured } from '#server/maintenance/archive/stage.ts'
import type { Db } from '#server/platform/database/db.ts'
import { migrateInTransaction, readSchemaState, schemaVersion } from '#server/platform/database/migrate.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { schema } from '#server/schema/schema.ts'
import { copyLines, rowsQuery } from '#server/maintenance/archive/rows.ts'
import { type Sequence, setSequences, type WholeTable } from './whole-tables.ts'

/** The tables of a whole installation, wherever they are. */
export interface Source<Table extends WholeTable> {
  /** Of the schema of the rows. */
  version: number
  tables: readonly Table[]
  /** The lines of a table, some at a time, and what they are together, once all are read. */
  read(table: Table): { lines: AsyncIterable<readonly string[]>; measured(): Measured }
  /** Asked when all tables are read. */
  sequences(): Promise<readonly Sequence[]>
}

/** The tables of an archive, with the sequences that it gives. */
export const sourceOf = (archive: Archive, sequences: () => readonly Sequence[]): Source<TableEntry> => ({
  version: archive.manifest.schema,
  tables: archive.manifest.tables,
  read: (table) => ({ lines: readLines(archive, table), measured: () => table }),
  sequences: async () => sequences(),
})

/** @throws BackupError unless nothing of the product is in the database */
export async function refuseUsedDatabase(client: pg.ClientBase | pg.Pool): Promise<void> {
  if (!(await readSchemaState(client)).isEmpty)
    throw new BackupError('O banco de destino já tem uma instalação do Balcão: use um banco vazio')
}

export interface Loading {
  progress: Progress
  /** The last writes of the transaction. */
  finish: (db: Db) => Promise<unknown>
  /** The first, which take everything of the product from the database; absent: it is empty already. */
  clear?: (db: Db) => Promise<unknown>
  /** The version of the tables in the end; that of this program by default. */
  upTo?: number
}

/**
 * Makes an installation in an empty database, all of it in one transaction: tables of the version of the
 * rows, the rows, their comparison with the source, sequences, and the later migrations. The installation
 * begins a new history of events.
 * @throws BackupError when something differs; then the database is as before
 */
export async function loadInstallation<Table extends WholeTable>(
  client: pg.Client,
  source: Source<Table>,
  { progress, finish, clear, upTo = schemaVersion }: Loading,
): Promise<{ tables: number; rows: number }> {
  await client.query('begin')
  try {
    const db = drizzle(client, { schema })
    await clear?.(db)
    await refuseUsedDatabase(client)
    const before = await listTables(client)
    await migrateInTransaction(client, { upTo: source.version })
    const bare = await makeBare(client, before)
    let rows = 0
    for (const table of source.tables) rows += await loadTable(client, source, table, progress)
    await progress.begin('apply')
    await bare.complete()
    await setSequences(client, await source.sequences())
    await migrateInTransaction(client, { after: source.version, upTo })
    await beginAnew(db)
    await finish(db)
    await failpoint('copy.loaded')
    await client.query('commit')
    return { tables: source.tables.length, rows }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function loadTable<Table extends WholeTable>(
  client: pg.Client,
  source: Source<Table>,
  table: Table,
  progress: Progress,
): Promise<number> {
  const { lines, measured } = source.read(table)
  await copyLines(client, 'public', table, lines, (count) => progress.add(count))
  const found = await measureRows(client, rowsQuery(client, table))
  expectSame({ name: table.name, ...measured() }, found)
  return found.rows
}

/** The tables in `public`, which may also have those of other programs. */
async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ oid: string }>(
    `select oid::text as oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  return rows.map(({ oid }) => oid)
}

/** What makes loading slow, or needs an order: how it is taken away, and how it comes back. */
interface Hindrance {
  undo: string
  redo: string
}

/**
 * Takes triggers, foreign keys and indexes from the new tables, and the rows that their migrations gave them.
 * @param before the tables that are not ours
 * @returns what brings them back. It throws a BackupError when a row refers to one that is not there
 */
async function makeBare(
  client: pg.ClientBase,
  before: readonly string[],
): Promise<{ complete(): Promise<void> }> {
  const ours = (await listTables(client)).filter((oid) => !before.includes(oid))
  const list = async (query: string) => (await client.query<Hindrance>(query, [ours])).rows
  const keys = await list(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as undo,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname,
                   pg_get_constraintdef(oid)) as redo
       from pg_constraint where contype = 'f' and conrelid = any($1::oid[])`,
  )
  const indexes = await list(
    `select format('drop index %s', indexrelid::regclass) as undo, pg_get_indexdef(indexrelid) as redo
       from pg_index i where indrelid = any($1::oid[])
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
  )
  const tables = await list(
    `select format('alter table %1$s disable trigger user; delete from %1$s', oid::regclass) as undo,
            format('alter table %1$s enable trigger user; analyze %1$s', oid::regclass) as redo
       from pg_class where oid = any($1::oid[])`,
  )
  for (const { undo } of [...keys, ...indexes, ...tables]) await client.query(undo)
  return {
    async complete() {
      for (const { redo } of [...indexes, ...keys, ...tables])
        await client.query(redo).catch((error: unknown) => {
          if (error instanceof Error && 'code' in error && error.code === '23503')
            throw new BackupError('Há linhas que citam outras que não existem')
          throw error
        })
    },
  }
}

/** Ends what was under way where the rows come from, and nobody here goes on with. Of whatever version. */
async function beginAnew(db: Db): Promise<void> {
  await db.execute(sql`update installation set epoch = ${randomUUID()}, sends_paused_until = null`)
  await db.execute(
    sql`update job_runs set state = 'failed', finished_at = app_now(), error = 'interrupted'
         where state in ('queued', 'running')`,
  )
  await db.execute(
    sql`update maintenance_backups set status = 'failed', error = 'O servidor parou antes do fim'
         where status = 'processing'`,
  )
}
