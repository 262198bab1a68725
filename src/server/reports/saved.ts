import { and, count, eq, ne } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { mostSavedReports, type SavedFilter, type SavedReport } from '#shared/reports/saved-reports.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { byName } from '#server/platform/database/folded.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { savedReports } from '#server/schema/reports.ts'

const { id, name, filter } = savedReports

export async function listSaved(db: Db, userId: number): Promise<SavedReport[]> {
  return db
    .select({ id, name, filter })
    .from(savedReports)
    .where(eq(savedReports.userId, userId))
    .orderBy(byName(name, id))
}

/**
 * Keeps a filter under a name, in the place of what had this name.
 * @throws AppError 409 for one too many
 */
export async function saveOne(
  db: Tx,
  userId: number,
  saved: { name: string; filter: SavedFilter },
): Promise<SavedReport> {
  // Two tabs save the last possible one at once.
  await lockName(db, `saved-reports-${userId}`)
  const [others] = await db
    .select({ count: count() })
    .from(savedReports)
    .where(and(eq(savedReports.userId, userId), ne(name, saved.name)))
  if ((others?.count ?? 0) >= mostSavedReports) throw new AppError('reports.too_many')
  const [row] = await db
    .insert(savedReports)
    .values({ userId, ...saved })
    .onConflictDoUpdate({
      target: [savedReports.userId, savedReports.name],
      set: { filter: saved.filter },
    })
    .returning({ id, name, filter })
  if (!row) throw new Error('report not saved')
  return row
}

/** @throws AppError 404 for one that does not exist, or is somebody else's */
export async function deleteSaved(db: Db, userId: number, savedId: number): Promise<void> {
  const deleted = await db
    .delete(savedReports)
    .where(and(eq(id, savedId), eq(savedReports.userId, userId)))
    .returning({ id })
  if (deleted.length === 0) throw new AppError('reports.not_found')
}
