import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Macro } from '#shared/macros/macros.ts'
import type { ManagedMacro } from '#shared/macros/managed-macros.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { SessionPerson, Who } from '#server/platform/http/access.ts'
import { isPermitted } from '#server/platform/http/access.ts'
import { macros } from '#server/schema/macros/macros.ts'
import { users } from '#server/schema/users.ts'

export type MacroRow = typeof macros.$inferSelect

/** Whom a macro is for. */
export type Sharing = Pick<MacroRow, 'isShared' | 'sectorId'>

/** Whether the person may share a macro so: with everybody, or with the people of a sector that they lead. */
export function mayShare(who: Who, { isShared, sectorId }: Sharing): boolean {
  if (!isShared || isPermitted(who, { act: 'shareMacrosWithAll' })) return true
  return who.sectors.some(({ id, isLead }) => isLead && id === sectorId)
}

/** Whether the person changes and deletes a macro: their own, and what is shared with whom they may share. */
export const mayChange = (who: Who, row: Sharing & Pick<MacroRow, 'ownerId'>): boolean =>
  row.isShared ? mayShare(who, row) : row.ownerId === who.id

/** Whether the person runs a macro: their own, of all, and of a sector that they are in. */
export const mayUse = (
  { id, sectors }: Pick<SessionPerson, 'id' | 'sectors'>,
  { ownerId, isShared, sectorId }: Sharing & Pick<MacroRow, 'ownerId'>,
): boolean =>
  isShared ? sectorId === null || sectors.some((sector) => sector.id === sectorId) : ownerId === id

/** What the person uses or may change. What others keep for themselves is nobody's business. */
function isSeenBy(who: Who): SQL | undefined {
  const own = who.sectors.map(({ id }) => id)
  const shared = isPermitted(who, { act: 'shareMacrosWithAll' })
    ? undefined
    : or(isNull(macros.sectorId), inArray(macros.sectorId, own))
  return or(and(eq(macros.isShared, false), eq(macros.ownerId, who.id)), and(macros.isShared, shared))
}

/** The macros that a person runs, by name. */
export async function listUsable(db: Db, who: Who): Promise<Macro[]> {
  const found = await db
    .select({
      id: macros.id,
      name: macros.name,
      shortcut: macros.shortcut,
      stepCount: sql<number>`jsonb_array_length(${macros.steps})`,
      ownerId: macros.ownerId,
      isShared: macros.isShared,
      sectorId: macros.sectorId,
    })
    .from(macros)
    .where(isSeenBy(who))
    .orderBy(macros.nameFolded, macros.id)
  return found
    .filter((row) => mayUse(who, row))
    .map(({ id, name, shortcut, stepCount }) => ({ id, name, shortcut, stepCount }))
}

/** The macros that a person sees, by name. */
export async function listSeen(db: Db, who: Who): Promise<ManagedMacro[]> {
  const found = await db
    .select({ row: macros, lastUsedBy: users.name })
    .from(macros)
    .leftJoin(users, eq(users.id, macros.lastUsedById))
    .where(isSeenBy(who))
    .orderBy(macros.nameFolded, macros.id)
  return found.map(({ row, lastUsedBy }) => ({
    id: row.id,
    name: row.name,
    shortcut: row.shortcut,
    steps: row.steps,
    ownerId: row.ownerId,
    isShared: row.isShared,
    sectorId: row.sectorId,
    isUsable: mayUse(who, row),
    isChangeable: mayChange(who, row),
    uses: row.uses,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedBy,
    version: row.version,
  }))
}

/** undefined for one that does not exist, or that the person does not see. */
export async function findSeen(db: Db, who: Who, id: number): Promise<MacroRow | undefined> {
  const [row] = await db
    .select()
    .from(macros)
    .where(and(eq(macros.id, id), isSeenBy(who)))
  return row
}

/** The same, locked. */
export async function lockSeen(db: Db, who: Who, id: number): Promise<MacroRow | undefined> {
  const [row] = await db
    .select()
    .from(macros)
    .where(and(eq(macros.id, id), isSeenBy(who)))
    .for('update')
  return row
}

/**
 * Those among which a name and a shortcut are unique: the person's own, or those of the same sector and of
 * all.
 */
export async function listBeside(
  db: Db,
  { ownerId, isShared, sectorId }: Sharing & Pick<MacroRow, 'ownerId'>,
): Promise<MacroRow[]> {
  const shared = sectorId === null ? undefined : or(isNull(macros.sectorId), eq(macros.sectorId, sectorId))
  return db
    .select()
    .from(macros)
    .where(and(eq(macros.isShared, isShared), isShared ? shared : eq(macros.ownerId, ownerId)))
}

/** Whether a macro that the person sees names the file. */
export async function isFileSeen(db: Db, who: Who, name: string): Promise<boolean> {
  const found = await db
    .select({ id: macros.id })
    .from(macros)
    .where(and(sql`${macros.fileNames} @> array[${name}]`, isSeenBy(who)))
    .limit(1)
  return found.length > 0
}
