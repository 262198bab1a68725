import type { Config } from './platform/config.ts'
import { type Database, openDatabase } from '#server/platform/database/db.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import type { Log } from './platform/log.ts'
import { readSchemaState } from '#server/platform/database/migrate.ts'
import { refuseMoved } from '#server/platform/data-folder.ts'
import { checkExternalPostgres, placeOfUrl } from '#server/platform/external-postgres.ts'
import { refuseUnfinished } from '#server/platform/unfinished-attach.ts'

export interface OpenedDatabase {
  database: Database
  /** Ends the pool, and stops the embedded server when this program started it. */
  close(): Promise<void>
}

/** Names the configured database for people. */
export const databasePlace = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl === undefined ? `embutido em ${dataDir}` : `PostgreSQL em ${placeOfUrl(databaseUrl)}`

/**
 * Opens the configured database: `DATABASE_URL`, or the embedded one of the data folder.
 * @param options.attachOnly for commands beside a server: use a running embedded server without taking it
 *   over
 * @param options.isAttaching for the command that fills the data folder and the database from a copy
 * @param options.onLost called when another program has taken the data folder: the caller must exit
 * @throws EmbeddedPostgresError, StartRefused: each is one clear line
 */
export async function openConfiguredDatabase(
  config: Config,
  log: Log,
  options: {
    stopRequested?: () => boolean
    onLost?: (reason: string) => void
    attachOnly?: boolean
    isAttaching?: boolean
  } = {},
): Promise<OpenedDatabase> {
  if (!options.isAttaching) refuseUnfinished(config.dataDir)
  if (config.databaseUrl) {
    const database = openDatabase({ connection: await checkExternalPostgres(config.databaseUrl, log), log })
    return { database, close: () => database.close() }
  }
  refuseMoved(config.dataDir)
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    attachOnly: options.attachOnly ?? false,
    ...(options.stopRequested && { stopRequested: options.stopRequested }),
    log: ({ level, msg }) => log[level](msg),
  })
  if (options.onLost) embedded.onLost(options.onLost)
  const database = openDatabase({ connection: embedded.connection, log })
  const close = async () => {
    await database.close()
    await embedded.stop()
  }
  try {
    await readSchemaState(database.pool)
  } catch (error) {
    await close()
    throw error
  }
  return { database, close }
}
