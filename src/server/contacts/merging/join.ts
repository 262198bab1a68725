import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { Db } from '#server/platform/database/db.ts'
import { contactIdentities, contacts } from '#server/schema/contacts/contacts.ts'

type ContactRow = typeof contacts.$inferSelect

/**
 * Merges two contacts that are one person; `keepId` keeps its number. Nothing that a person entered is lost:
 * a typed name wins over one from the gateway, notes are appended, tags united, empty fields filled, and a
 * block of either applies.
 * @returns whether the merged contact is blocked
 * @throws AppError 409 when one of them was anonymized
 */
export async function joinContacts(db: Db, keepId: number, goneId: number): Promise<boolean> {
  const keep = await lockJoined(db, keepId)
  const gone = await lockJoined(db, goneId)
  await db.update(contactIdentities).set({ contactId: keepId }).where(eq(contactIdentities.contactId, goneId))
  await db
    .update(contacts)
    .set({ deletedAt: sql`app_now()`, phone: null, updatedAt: sql`app_now()` })
    .where(eq(contacts.id, goneId))
  const isBlocked = keep.isBlocked || gone.isBlocked
  await db
    .update(contacts)
    .set({
      ...nameOf(keep, gone),
      phone: keep.phone ?? gone.phone,
      email: keep.email ?? gone.email,
      companyId: keep.companyId ?? gone.companyId,
      sectorId: keep.sectorId ?? gone.sectorId,
      category: keep.category === 'general' ? gone.category : keep.category,
      tags: [...new Set([...keep.tags, ...gone.tags])],
      notes: [keep.notes, gone.notes].filter(Boolean).join('\n\n') || null,
      isBlocked,
      updatedAt: sql`app_now()`,
    })
    .where(eq(contacts.id, keepId))
  return isBlocked
}

/**
 * Keeps the name that a contact had before a person merged another one into it, unless somebody typed the
 * other's: messages come from both numbers, each with a name of its own, and the names would take turns. One
 * without a name may still get one.
 */
export async function keepName(
  db: Db,
  { id, name, gatewayNamedAt }: Pick<ContactRow, 'id' | 'name' | 'gatewayNamedAt'>,
): Promise<void> {
  await db
    .update(contacts)
    .set({ hasGatewayName: false, ...(gatewayNamedAt !== null && { name }) })
    .where(and(eq(contacts.id, id), contacts.hasGatewayName, isNotNull(contacts.gatewayNamedAt)))
}

async function lockJoined(db: Db, id: number): Promise<ContactRow> {
  const [row] = await db.select().from(contacts).where(eq(contacts.id, id)).for('update')
  if (!row) throw new Error('a contact that is joined vanished')
  if (row.erasedAt !== null) throw new AppError('contacts.erased')
  return row
}

/** A typed name before one from the gateway, a newer one before an older one, any name before none. */
function nameOf(keep: ContactRow, gone: ContactRow) {
  const { name, hasGatewayName, gatewayNamedAt } = isBetter(gone, keep) ? gone : keep
  return { name, hasGatewayName, gatewayNamedAt }
}

function isBetter(one: ContactRow, other: ContactRow): boolean {
  if (one.hasGatewayName !== other.hasGatewayName) return !one.hasGatewayName
  if (!one.hasGatewayName) return false
  return (one.gatewayNamedAt?.getTime() ?? 0) > (other.gatewayNamedAt?.getTime() ?? 0)
}
