import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { CategoryChange, NewCategory } from '#shared/contacts/managed-categories.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { differences, laterThan } from '#server/platform/database/changes.ts'
import type { Db } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { contactCategories, contacts } from '#server/schema/contacts/contacts.ts'

type CategoryRow = typeof contactCategories.$inferSelect

const categoryFields = ['name', 'description', 'priority', 'color', 'isActive'] as const

/** What contacts without a category of the list have is shown by these names. */
const reservedNames = ['general', 'geral', 'sem categoria']

const hasName = (name: string) => sql`lower(${contactCategories.name}) = lower(${name})`
const isOf = (name: string) =>
  and(sql`lower(${contacts.category}) = lower(${name})`, isNull(contacts.deletedAt))

/** The categories that contacts are offered, the most important first. */
export function listCategoryRows(db: Db) {
  return db
    .select({ id: contactCategories.id, name: contactCategories.name, color: contactCategories.color })
    .from(contactCategories)
    .where(eq(contactCategories.isActive, true))
    .orderBy(asc(contactCategories.priority), asc(contactCategories.id))
    .execute()
}

/** All categories, with the number of contacts of each. */
export async function listManagedRows(db: Db) {
  const found = await db
    .select({
      id: contactCategories.id,
      name: contactCategories.name,
      description: contactCategories.description,
      priority: contactCategories.priority,
      color: contactCategories.color,
      isActive: contactCategories.isActive,
      contactCount: sql<number>`(select count(*)::int from contacts c
        where lower(c.category) = lower(contact_categories.name) and c.deleted_at is null)`,
      updatedAt: contactCategories.updatedAt,
    })
    .from(contactCategories)
    .orderBy(asc(contactCategories.priority), asc(contactCategories.id))
  return found.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }))
}

/**
 * The category's own spelling of the name, locked until the transaction ends, so that a contact that gets it
 * is renamed with it.
 * @throws AppError 422 when it does not exist or is inactive
 */
export async function offeredCategory(db: Db, wanted: string): Promise<string> {
  const [found] = await db
    .select({ name: contactCategories.name })
    .from(contactCategories)
    .where(and(hasName(wanted), eq(contactCategories.isActive, true)))
    .for('key share')
  if (!found) throw new AppError('contacts.category_not_found')
  return found.name
}

/** @throws AppError 409 for a name that another category has, or that stands for having none */
export async function addCategory(db: Db, who: Who, form: NewCategory): Promise<number> {
  const { name, color, description, priority = 1, isActive = true } = form
  await reserveName(db, name)
  await confirmRights(who, db)
  const [made] = await db
    .insert(contactCategories)
    .values({ name, color: color.toLowerCase(), description: description || null, priority, isActive })
    .returning({ id: contactCategories.id })
  if (!made) throw new Error('category not written')
  await record(db, who, { action: 'category.create', resourceId: made.id, details: { name } })
  return made.id
}

/**
 * Changes the given fields of a category; its contacts keep it under a new name.
 * @returns the contacts, living ones only, if they show something else now
 * @throws AppError 404, 409 when somebody has changed it after `updatedAt` or another one has the name
 */
export async function changeCategory(
  db: Db,
  who: Who,
  id: number,
  { updatedAt, ...change }: CategoryChange,
): Promise<number[]> {
  if (change.name !== undefined) await reserveName(db, change.name, id)
  const before = await lockCategory(db, id)
  await confirmRights(who, db)
  if (updatedAt !== undefined && Date.parse(updatedAt) !== before.updatedAt.getTime())
    throw new AppError('categories.changed')
  const values = differences(before, {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.description !== undefined && { description: change.description || null }),
    ...(change.priority !== undefined && { priority: change.priority }),
    ...(change.color !== undefined && { color: change.color.toLowerCase() }),
    ...(change.isActive !== undefined && { isActive: change.isActive }),
  })
  const fields = categoryFields.filter((field) => field in values)
  if (fields.length === 0) return []
  await db
    .update(contactCategories)
    .set({ ...values, updatedAt: laterThan(contactCategories.updatedAt) })
    .where(eq(contactCategories.id, id))
  await record(db, who, {
    action: 'category.change',
    resourceId: id,
    details: {
      name: values.name ?? before.name,
      changes: Object.fromEntries(fields.map((field) => [field, [before[field], values[field]]])),
    },
  })
  if (values.name !== undefined) return renameOf(db, before.name, values.name)
  return values.color === undefined ? [] : lockContactsOf(db, before.name)
}

/**
 * Deletes a category. Its contacts have none then.
 * @returns the contacts, living ones only
 * @throws AppError 404
 */
export async function deleteCategory(db: Db, who: Who, id: number): Promise<number[]> {
  const { name } = await lockCategory(db, id)
  await confirmRights(who, db)
  const contactIds = await renameOf(db, name, '')
  await db.delete(contactCategories).where(eq(contactCategories.id, id))
  await record(db, who, {
    action: 'category.delete',
    resourceId: id,
    details: { name, contacts: contactIds.length },
  })
  return contactIds
}

async function lockCategory(db: Db, id: number): Promise<CategoryRow> {
  const [row] = await db.select().from(contactCategories).where(eq(contactCategories.id, id)).for('update')
  if (!row) throw new AppError('categories.not_found')
  return row
}

/**
 * Of two parallel requests for one name the second finds the category of the first.
 * @throws AppError 409
 */
async function reserveName(db: Db, name: string, id = 0): Promise<void> {
  if (reservedNames.includes(name.toLowerCase())) throw new AppError('categories.duplicate')
  await lockName(db, `category:${name.toLowerCase()}`)
  const [other] = await db
    .select({ id: contactCategories.id })
    .from(contactCategories)
    .where(and(hasName(name), ne(contactCategories.id, id)))
  if (other) throw new AppError('categories.duplicate')
}

/** Locks the living contacts that have a category, in the order of their ids. */
async function lockContactsOf(db: Db, name: string): Promise<number[]> {
  const found = await db
    .select({ id: contacts.id })
    .from(contacts)
    .where(isOf(name))
    .orderBy(asc(contacts.id))
    .for('no key update')
  return found.map(({ id }) => id)
}

/** Those that were deleted get the name, too: they may be restored. */
async function renameOf(db: Db, from: string, to: string): Promise<number[]> {
  const ids = await lockContactsOf(db, from)
  await db
    .update(contacts)
    .set({ category: to, updatedAt: laterThan(contacts.updatedAt) })
    .where(sql`lower(${contacts.category}) = lower(${from})`)
  return ids
}
