import { and, asc, desc, eq, inArray, isNull, not, sql } from 'drizzle-orm'
import { type ContactMerge, undoableMs } from '#shared/contacts/contact-merges.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { contactIdentities, contacts } from '#server/schema/contacts/contacts.ts'
import {
  contactDistinctions,
  type ContactFacts,
  contactMerges,
  type MergeUndo,
} from '#server/schema/contacts/merges.ts'
import { users } from '#server/schema/users.ts'
import { expectFreeNumber, giveNumber, lockNumber } from '#server/contacts/identity/numbers.ts'

type ContactRow = typeof contacts.$inferSelect

export const factsOf = ({ gatewayNamedAt, ...row }: ContactRow): ContactFacts => ({
  name: row.name,
  phone: row.phone,
  email: row.email,
  tags: row.tags,
  category: row.category,
  notes: row.notes,
  companyId: row.companyId,
  sectorId: row.sectorId,
  isBlocked: row.isBlocked,
  hasGatewayName: row.hasGatewayName,
  gatewayNamedAt: gatewayNamedAt?.toISOString() ?? null,
})

/**
 * Locks two living contacts, in the order of their ids.
 * @throws AppError 404
 */
export async function lockPair(db: Db, one: number, other: number): Promise<[ContactRow, ContactRow]> {
  const locked = await db
    .select()
    .from(contacts)
    .where(and(inArray(contacts.id, [one, other]), isNull(contacts.deletedAt)))
    .orderBy(asc(contacts.id))
    .for('update')
  const [first, second] = [one, other].map((id) => locked.find((row) => row.id === id))
  if (!first || !second || one === other) throw new AppError('contacts.not_found')
  if (first.erasedAt !== null || second.erasedAt !== null) throw new AppError('contacts.erased')
  return [first, second]
}

/** Of a locked contact. */
export async function readFacts(db: Db, id: number): Promise<ContactFacts> {
  const [row] = await db.select().from(contacts).where(eq(contacts.id, id))
  if (!row) throw new Error('a locked contact vanished')
  return factsOf(row)
}

const pairOf = (one: number, other: number) => ({
  firstId: Math.min(one, other),
  secondId: Math.max(one, other),
})

/** Whether an administrator has declared the two to be different persons. */
export async function areDistinct(db: Db, one: number, other: number): Promise<boolean> {
  const { firstId, secondId } = pairOf(one, other)
  const [found] = await db
    .select({ firstId: contactDistinctions.firstId })
    .from(contactDistinctions)
    .where(and(eq(contactDistinctions.firstId, firstId), eq(contactDistinctions.secondId, secondId)))
  return found !== undefined
}

/**
 * Declares two contacts to be different persons.
 * @throws AppError 404
 */
export async function declareDistinct(db: Db, who: Who, one: number, other: number): Promise<void> {
  await lockPair(db, one, other)
  await confirmRights(who, db)
  await noteDistinct(db, who, one, other)
  await record(db, who, { action: 'contact.distinct', resourceId: one, details: { otherId: other } })
}

async function noteDistinct(db: Db, who: Who, one: number, other: number): Promise<void> {
  await db
    .insert(contactDistinctions)
    .values({ ...pairOf(one, other), declaredBy: who.id })
    .onConflictDoNothing()
}

/** Forgets that the two are different persons: an administrator merges them all the same. */
export async function forgetDistinction(db: Db, one: number, other: number): Promise<void> {
  const { firstId, secondId } = pairOf(one, other)
  await db
    .delete(contactDistinctions)
    .where(and(eq(contactDistinctions.firstId, firstId), eq(contactDistinctions.secondId, secondId)))
}

export async function recordMerge(
  db: Db,
  who: Who,
  { keptId, mergedId, undo }: { keptId: number; mergedId: number; undo: MergeUndo },
): Promise<void> {
  await db.insert(contactMerges).values({ keptId, mergedId, mergedBy: who.id, undo })
  await record(db, who, { action: 'contact.merge', resourceId: keptId, details: { mergedId } })
}

const isUndoable = sql`(${contactMerges.undoneAt} is null
  and ${contactMerges.mergedAt} > app_now() - ${undoableMs} * interval '1 millisecond')`

/** The merges that can be undone, newest first. */
export async function listMerges(db: Db): Promise<ContactMerge[]> {
  const found = await db
    .select({
      id: contactMerges.id,
      keptId: contactMerges.keptId,
      keptName: contacts.name,
      mergedName: sql<string>`${contactMerges.undo} #>> '{merged,name}'`,
      mergedPhone: sql<string | null>`${contactMerges.undo} #>> '{merged,phone}'`,
      mergedBy: users.name,
      mergedAt: contactMerges.mergedAt,
    })
    .from(contactMerges)
    .innerJoin(contacts, eq(contacts.id, contactMerges.keptId))
    .innerJoin(users, eq(users.id, contactMerges.mergedBy))
    .where(and(isUndoable, isNull(contacts.deletedAt)))
    .orderBy(desc(contactMerges.id))
    .limit(100)
  return found.map((row) => ({ ...row, mergedAt: row.mergedAt.toISOString() }))
}

type Merge = typeof contactMerges.$inferSelect

/**
 * Locks a merge that can be undone, the numbers of both, and both contacts.
 * @throws AppError 404 not one of the last day, or undone; 409 when one of the contacts was merged or deleted
 *   since
 */
export async function lockUndoable(db: Db, id: number): Promise<Merge & { kept: ContactRow }> {
  const seen = await findUndoable(db, id)
  const { keptId, mergedId, undo } = seen
  const numbers = [undo.kept.phone, undo.merged.phone].filter((phone) => phone !== null)
  for (const phone of numbers.toSorted()) await lockNumber(db, phone)
  const locked = await db
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [keptId, mergedId]))
    .orderBy(asc(contacts.id))
    .for('update')
  // Of two who undo it at once the second finds it undone.
  await findUndoable(db, id)
  const kept = locked.find((row) => row.id === keptId)
  const merged = locked.find((row) => row.id === mergedId)
  if (!kept || kept.deletedAt !== null || !merged || merged.deletedAt === null)
    throw new AppError('contacts.merge_gone')
  return { ...seen, kept }
}

async function findUndoable(db: Db, id: number): Promise<Merge> {
  const [merge] = await db
    .select()
    .from(contactMerges)
    .where(and(eq(contactMerges.id, id), isUndoable))
  if (!merge) throw new AppError('contacts.merge_not_found')
  return merge
}

/**
 * Makes two contacts of one again. A field of the one that stayed goes back unless somebody has changed it
 * since. They are different persons from now on.
 */
export async function partContacts(db: Db, who: Who, merge: Merge & { kept: ContactRow }): Promise<void> {
  const { keptId, mergedId, undo, kept } = merge
  const now = factsOf(kept)
  const isAsMerged = (field: keyof ContactFacts) =>
    JSON.stringify(now[field]) === JSON.stringify(undo.keptAfter[field])
  const fields = Object.keys(undo.kept) as (keyof ContactFacts)[]
  const back = Object.fromEntries(
    fields.filter((field) => isAsMerged(field)).map((field) => [field, undo.kept[field]]),
  ) as Partial<ContactFacts>
  // The numbers follow from the identities, when each has its own again.
  await db
    .update(contacts)
    .set({ ...columnsOf(back), phone: null, updatedAt: sql`app_now()` })
    .where(eq(contacts.id, keptId))
  await db
    .update(contacts)
    .set({ ...columnsOf(undo.merged), phone: null, deletedAt: null, updatedAt: sql`app_now()` })
    .where(eq(contacts.id, mergedId))
  await db
    .update(contactIdentities)
    .set({ contactId: mergedId })
    .where(and(inArray(contactIdentities.id, undo.identityIds), eq(contactIdentities.contactId, keptId)))
  if (undo.merged.phone !== null) await giveBackNumber(db, mergedId, undo.merged.phone)
  await showOwnNumber(db, keptId, [now.phone, undo.kept.phone])
  await showOwnNumber(db, mergedId, [undo.merged.phone])
  await db
    .update(contactMerges)
    .set({ undoneAt: sql`app_now()` })
    .where(eq(contactMerges.id, merge.id))
  await noteDistinct(db, who, keptId, mergedId)
  await record(db, who, { action: 'contact.part', resourceId: keptId, details: { otherId: mergedId } })
}

/** Its number is not among its identities when the other one was given another number since. */
async function giveBackNumber(db: Db, id: number, phone: string): Promise<void> {
  const isOwn = and(eq(contactIdentities.contactId, id), eq(contactIdentities.value, phone))
  if ((await db.$count(contactIdentities, isOwn)) > 0) return
  await expectFreeNumber(db, phone, id)
  await giveNumber(db, id, phone)
}

/** The first of these numbers that is the contact's own, else any of theirs, else none. */
async function showOwnNumber(db: Db, id: number, wanted: readonly (string | null)[]): Promise<void> {
  const own = await db
    .select({ value: contactIdentities.value })
    .from(contactIdentities)
    .where(and(eq(contactIdentities.contactId, id), eq(contactIdentities.kind, 'phone')))
    .orderBy(asc(contactIdentities.id))
  const numbers = own.map(({ value }) => value)
  const shown = wanted.find((phone) => phone !== null && numbers.includes(phone)) ?? numbers[0] ?? null
  await db.update(contacts).set({ phone: shown }).where(eq(contacts.id, id))
}

const columnsOf = ({ gatewayNamedAt, sectorId, ...facts }: Partial<ContactFacts>) => ({
  ...facts,
  // A sector that was deleted since has no contacts any more.
  ...(sectorId !== undefined && {
    sectorId: sql`(select id from sectors where id = ${sectorId}::int and deleted_at is null)`,
  }),
  ...(gatewayNamedAt !== undefined && {
    gatewayNamedAt: gatewayNamedAt === null ? null : new Date(gatewayNamedAt),
  }),
})

/** Deletes what is only needed to undo a merge, when that is no longer possible. */
export function trimMergesJob(database: Database): JobDefinition {
  return defineJob({
    name: 'trim-merges',
    schedule: '23 * * * *',
    afterCrash: 'again',
    work: async () => {
      await database.delete(contactMerges).where(not(isUndoable))
    },
  })
}
