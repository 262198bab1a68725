import { and, eq, sql } from 'drizzle-orm'
import { ownMacroFiles } from '#server/media/media.ts'
import type { Db } from '#server/platform/database/db.ts'
import { macros } from '#server/schema/macros/macros.ts'

export { findSeen, type MacroRow, mayUse } from './queries.ts'

/** Deletes what only a person had, with their account. What they shared stays. */
export async function dropOwnMacros(db: Db, userId: number): Promise<void> {
  const gone = await db
    .delete(macros)
    .where(and(eq(macros.ownerId, userId), eq(macros.isShared, false)))
    .returning({ fileNames: macros.fileNames })
  await ownMacroFiles(
    db,
    gone.flatMap(({ fileNames }) => fileNames),
  )
}

/**
 * Counts a run of a macro as the person saw it.
 * @returns false: somebody has changed or deleted it since
 */
export async function countUse(
  db: Db,
  { id, version }: { id: number; version: number },
  userId: number,
): Promise<boolean> {
  const counted = await db
    .update(macros)
    .set({ uses: sql`${macros.uses} + 1`, lastUsedAt: sql`app_now()`, lastUsedById: userId })
    .where(and(eq(macros.id, id), eq(macros.version, version)))
    .returning({ id: macros.id })
  return counted.length > 0
}
