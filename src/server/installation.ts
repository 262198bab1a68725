import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'
import { StartRefused } from './platform/start-refused.ts'
import { installation } from './schema/installation.ts'

export { StartRefused }

/**
 * Reads or inserts the identity of the installation.
 * @throws StartRefused when a demo's database is started as a real installation, or the other way round
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
