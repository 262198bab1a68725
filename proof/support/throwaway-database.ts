import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#server/platform/database/db.ts'
import { type EmbeddedConnection, startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'

/** A database server in a temporary folder. */
export interface ThrowawayDatabase {
  dataDir: string
  connection: EmbeddedConnection
  /** Creates a database, which is not migrated. */
  database: Database
  /** Stops the server and removes its folder. May be called again. */
  close(): Promise<void>
}

export async function startThrowawayDatabase(name: string, poolSize: number): Promise<ThrowawayDatabase> {
  const { dataDir, remove } = makeTemporaryFolder(name)
  const embedded = await startEmbeddedPostgres({ dataDir, durable: false })
  const { connection } = embedded
  const database = openDatabase({ connection, log: createLog('silent'), poolSize })
  const end = async () => {
    await database.close()
    await embedded.stop()
    remove()
  }
  let ending: Promise<void> | undefined
  return { dataDir, connection, database, close: () => (ending ??= end()) }
}

/** A folder to which the embedded server's account has access, also if started by root. */
export function makeTemporaryFolder(name: string): { dataDir: string; remove: () => void } {
  const dataDir = mkdtempSync(join(tmpdir(), `balcao-${name}-`))
  chmodSync(dataDir, 0o711)
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}
