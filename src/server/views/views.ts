import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'
import { savedViews, viewOrders } from '#server/schema/views/saved-views.ts'

/** Deletes what only a person saw, with their account. What they shared stays, with their name. */
export async function dropOwnViews(db: Db, userId: number): Promise<void> {
  await db.delete(savedViews).where(and(eq(savedViews.ownerId, userId), eq(savedViews.isShared, false)))
  await db.delete(viewOrders).where(eq(viewOrders.userId, userId))
}
