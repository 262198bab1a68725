import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { type Database, rows } from './platform/db.ts'
import { installation } from './schema/installation.ts'
import { sql } from 'drizzle-orm'

/** A start that must not go on; its message is one clear line for the terminal. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}

/**
 * Reads or writes the row that says which installation this is.
 * @throws StartRefused when a demonstration's database is started for real, or the other way round
 */
export async function openInstallation(database: Database, isDemo: boolean): Promise<{ epoch: string }> {
  await database.insert(installation).values({ epoch: randomUUID(), isDemo }).onConflictDoNothing()
  const [row] = await database.select().from(installation).where(eq(installation.id, 1))
  if (!row) throw new Error('installation row not written')
  if (row.isDemo && !isDemo)
    throw new StartRefused(
      'Este banco de dados é de demonstração: use npm run demo, ou outro DATA_DIR ou DATABASE_URL.',
    )
  if (!row.isDemo && isDemo)
    throw new StartRefused(
      'Este banco de dados é de uso real: a demonstração não mexe nele. Use outro DATA_DIR ou DATABASE_URL.',
    )
  return { epoch: row.epoch }
}

/** @throws StartRefused on a server that forgets what it acknowledged */
export async function refuseForgetfulServer(database: Database): Promise<void> {
  const [row] = await rows<{ fsync: string; fullPageWrites: string }>(
    database,
    sql`select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites"`,
  )
  if (row?.fsync !== 'on' || row.fullPageWrites !== 'on')
    throw new StartRefused(
      'O PostgreSQL está com fsync ou full_page_writes desligado e pode perder mensagens: ligue os dois.',
    )
}
