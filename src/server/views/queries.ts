import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { SavedView } from '#shared/views/views.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { SessionPerson } from '#server/platform/http/access.ts'
import { savedViews, viewOrders } from '#server/schema/views/saved-views.ts'
import { users } from '#server/schema/users.ts'

export type ViewRow = typeof savedViews.$inferSelect

type Person = Pick<SessionPerson, 'id' | 'role' | 'scope' | 'sectors'>

/** Whom a shared view is for, beside its owner: those of its sector, and who knows of every sector. */
function isSharedWith({ scope, sectors }: Person): SQL | undefined {
  const ofSector =
    scope === 'all'
      ? sql`true`
      : or(
          isNull(savedViews.sectorId),
          inArray(
            savedViews.sectorId,
            sectors.map(({ id }) => id),
          ),
        )
  return and(savedViews.isShared, ofSector)
}

const isSeenBy = (who: Person): SQL | undefined => or(eq(savedViews.ownerId, who.id), isSharedWith(who))

/** The views that a person sees, in their order; those that they have not placed come behind, by name. */
export async function listSeen(
  db: Db,
  who: Person,
  isChangeable: (row: ViewRow) => boolean,
): Promise<SavedView[]> {
  const found = await db
    .select({ view: savedViews, ownerName: users.name })
    .from(savedViews)
    .innerJoin(users, eq(users.id, savedViews.ownerId))
    .where(isSeenBy(who))
    .orderBy(savedViews.nameFolded, savedViews.id)
  const [order] = await db
    .select({ ids: viewOrders.viewIds })
    .from(viewOrders)
    .where(eq(viewOrders.userId, who.id))
  const places = new Map(order?.ids.map((id, place) => [id, place]))
  const placeOf = ({ view }: (typeof found)[number]) => places.get(view.id) ?? places.size
  return found
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ view, ownerName }) => ({
      id: view.id,
      name: view.name,
      content: view.content,
      ownerId: view.ownerId,
      ownerName,
      isShared: view.isShared,
      sectorId: view.sectorId,
      isChangeable: isChangeable(view),
      version: view.version,
    }))
}

/** Locks a view; undefined for one that does not exist, or that the person does not see. */
export async function lockSeen(db: Db, who: Person, id: number): Promise<ViewRow | undefined> {
  const [row] = await db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), isSeenBy(who)))
    .for('update')
  return row
}

/** Those of one person, or of what is shared all. */
export async function listBeside(db: Db, { ownerId, isShared }: Pick<ViewRow, 'ownerId' | 'isShared'>) {
  return db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.isShared, isShared), isShared ? undefined : eq(savedViews.ownerId, ownerId)))
}
