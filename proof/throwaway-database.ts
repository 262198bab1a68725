import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#server/platform/db.ts'
import { type EmbeddedConnection, startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'

/** A database server of a proof's own, in a folder that nobody keeps. */
export interface ThrowawayDatabase {
  dataDir: string
  connection: EmbeddedConnection
  /** Not migrated yet. */
  database: Database
  close(): Promise<void>
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** Whoever ends the proof early leaves no server behind. */
export async function startThrowawayDatabase(name: string, poolSize: number): Promise<ThrowawayDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), `balcao-${name}-`))
  // The account that the server runs as must reach its folder.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  const embedded = await startEmbeddedPostgres({ dataDir, durable: false })
  const { connection } = embedded
  const database = openDatabase({ connection, log: createLog('silent'), poolSize })
  const end = async () => {
    for (const signal of signals) process.off(signal, endEarly)
    await database.close()
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  let ending: Promise<void> | undefined
  const close = () => (ending ??= end())
  const endEarly = () => void close().finally(() => process.exit(130))
  for (const signal of signals) process.once(signal, endEarly)
  return { dataDir, connection, database, close }
}
