import { and, eq, isNull, sql } from 'drizzle-orm'
import { defaultCategoryColor } from '#shared/contacts/contact-categories.ts'
import type { Db } from '#server/platform/database/db.ts'
import { companies, contactCategories, contacts } from '#server/schema/contacts/contacts.ts'

/** The columns of a contact's card; use with `joinCard`. */
export const cardColumns = {
  id: contacts.id,
  name: contacts.name,
  phone: contacts.phone,
  category: contacts.category,
  categoryColor: sql<string>`coalesce(${contactCategories.color}, ${defaultCategoryColor})`,
  companyId: companies.id,
  companyName: companies.name,
  avatarUrl: contacts.avatarUrl,
  isBlocked: contacts.isBlocked,
}

/** All columns of a contact for the API. */
const contactColumns = {
  ...cardColumns,
  email: contacts.email,
  tags: contacts.tags,
  notes: contacts.notes,
  sectorId: contacts.sectorId,
  isActive: contacts.isActive,
  erasedAt: contacts.erasedAt,
  createdAt: contacts.createdAt,
  updatedAt: contacts.updatedAt,
}

export const ofCategory = sql`lower(${contactCategories.name}) = lower(${contacts.category})`
export const ofCompany = eq(companies.id, contacts.companyId)

export function selectContacts(db: Db) {
  return db
    .select(contactColumns)
    .from(contacts)
    .leftJoin(contactCategories, ofCategory)
    .leftJoin(companies, ofCompany)
}

export async function findContactRow(db: Db, id: number) {
  const [row] = await selectContacts(db).where(and(eq(contacts.id, id), isNull(contacts.deletedAt)))
  return row
}
