import type pg from 'pg'
import { record } from '#server/audit/audit.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import { linesQuery } from '#server/maintenance/archive/rows.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { withClient, wrapped } from '#server/maintenance/archive/scratch.ts'
import type { Measured } from '#server/maintenance/archive/stage.ts'
import { fetchRows, inSnapshot } from '#server/maintenance/archive/write.ts'
import { type Database, type Db, migrateDatabase } from '#server/platform/database/db.ts'
import { lockMigrations, schemaVersion } from '#server/platform/database/migrate.ts'
import { describeHolder } from '#server/platform/embedded-postgres/lock/lock.ts'
import { loadInstallation, refuseUsedDatabase, type Source } from './load.ts'
import { readSequences, tablesFor, type WholeTable } from './whole-tables.ts'

/**
 * Copies the whole database into another one that is empty, from one snapshot, and compares both. No server
 * may run on the source, and none can start there meanwhile.
 * @param target as `checkExternalPostgres` found it fit
 * @throws BackupError, or what a database threw; then the target is as empty as before
 */
export async function moveInstallation(
  source: Database,
  target: Database,
  progress: Progress,
): Promise<{ tables: number; rows: number }> {
  await refuseUsedDatabase(target.pool)
  return withClient(source, async (from) => {
    await lockMigrations(from)
    await refuseServed(from)
    return withClient(target, async (to) => {
      await lockMigrations(to)
      const finish = (db: Db) => record(db, 'command', { action: 'maintenance.move', details: {} })
      return inSnapshot(from, async () => {
        await progress.begin('tables')
        return loadInstallation(to, await createSource(from), { progress, finish })
      })
    })
  })
}

/** The tables that the next start makes, made now: afterwards the target is ready. */
export const finishMove = (target: Database): Promise<void> => migrateDatabase(target)

/**
 * Sessions are known by their names, which have the process and the machine.
 * @throws BackupError while another instance of this product uses the database
 */
export async function refuseServed(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; own: string }>(
    `select distinct application_name as name, current_setting('application_name') as own
       from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  )
  const programOf = (name: string) => name.replace(/ \d+ \S+$/, '')
  const other = rows.find(({ name, own }) => name !== own && programOf(name) === programOf(own))
  if (other)
    throw new BackupError(
      `O banco está em uso por ${describeHolder(other.name)}: pare o servidor e os outros comandos antes`,
    )
}

async function createSource(client: pg.Client): Promise<Source<WholeTable>> {
  return {
    version: schemaVersion,
    tables: await tablesFor(client, 'move'),
    read(table) {
      const measured: Measured = { rows: 0, hash: '0' }
      return { lines: linesFrom(client, table, measured), measured: () => measured }
    },
    sequences: () => readSequences(client),
  }
}

async function* linesFrom(
  client: pg.Client,
  table: WholeTable,
  measured: Measured,
): AsyncGenerator<readonly string[]> {
  let hash = 0n
  for await (const rows of fetchRows(client, linesQuery(client, table))) {
    for (const row of rows) hash += BigInt(row.hash)
    measured.rows += rows.length
    yield rows.map(({ line }) => line)
  }
  measured.hash = wrapped(hash)
}
