import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'

/** A contact whose picture is due, and the instance that the contact writes to. */
export interface AvatarClaim extends Record<string, unknown> {
  contactId: number
  instanceId: number
}

const week = sql`interval '7 days'`

/** The URL of a stored picture; each picture has its own. */
function avatarUrlOf(contactId: number, name: string): string {
  return `/api/contacts/${contactId}/avatar?v=${name}`
}

const openConversations = sql`conversations v
    join contacts c on c.id = v.contact_id
    join evolution_api_config g on g.id = v.instance_id and g.is_active and g.status = 'open'`
const isDue = sql`v.status <> 'completed' and c.deleted_at is null and not c.is_blocked
    and (c.avatar_updated_at is null or c.avatar_updated_at < (select app_now() - ${week}))`

/**
 * Lists contacts with an open conversation whose picture was never fetched, or more than a week ago, longest
 * waiting first. Reads every open conversation, so ask for several at once and claim them one by one.
 * @param full the numbers of which none is listed
 */
export function listDueAvatars(db: Db, limit: number, full: readonly number[]): Promise<AvatarClaim[]> {
  return rows<AvatarClaim>(
    db,
    sql`select c.id as "contactId", v.instance_id as "instanceId" from ${openConversations}
         where ${isDue} and v.instance_id <> all(${sql.param(full)}::int[])
         order by c.avatar_updated_at nulls first, v.started_at desc limit ${limit}`,
  )
}

/**
 * Claims a contact whose picture is still due, for the duration of the lease. `avatar_updated_at` is when the
 * picture was fetched, or during a claim the past time that makes it due again when the lease ends.
 * @returns whether it was still due
 */
export async function claimAvatar(db: Db, { contactId }: AvatarClaim, leaseMs: number): Promise<boolean> {
  const claimed = await rows(
    db,
    sql`update contacts set avatar_updated_at = ${dueIn(leaseMs)}
         where id in (select c.id from ${openConversations} where c.id = ${contactId} and ${isDue}
                       limit 1 for update of c skip locked)
        returning id`,
  )
  return claimed.length > 0
}

const dueIn = (ms: number) => sql`app_now() - ${week} + ${ms} * interval '1 millisecond'`

/**
 * Sets the contact's picture.
 * @param name in the file store
 * @returns false when the contact was anonymized meanwhile
 */
export function keepAvatar(db: Db, contactId: number, name: string): Promise<boolean> {
  return setAvatar(db, contactId, avatarUrlOf(contactId, name))
}

/** Removes the contact's picture. @returns whether there was one */
export async function noAvatar(db: Db, contactId: number): Promise<boolean> {
  const [before] = await db
    .select({ url: contacts.avatarUrl })
    .from(contacts)
    .where(eq(contacts.id, contactId))
    .for('no key update')
  await setAvatar(db, contactId, null)
  return before?.url != null
}

async function setAvatar(db: Db, contactId: number, avatarUrl: string | null): Promise<boolean> {
  const set = await db
    .update(contacts)
    .set({ avatarUrl, avatarUpdatedAt: sql`app_now()` })
    .where(and(eq(contacts.id, contactId), isNull(contacts.erasedAt)))
    .returning({ id: contacts.id })
  return set.length > 0
}

/** Schedules another attempt; the current picture stays. */
export async function postponeAvatar(db: Db, contactId: number, waitMs: number): Promise<void> {
  await db
    .update(contacts)
    .set({ avatarUpdatedAt: dueIn(waitMs) })
    .where(and(eq(contacts.id, contactId), isNull(contacts.erasedAt)))
}

/** The name of the contact's picture in the file store. */
export async function findAvatarName(db: Db, contactId: number): Promise<string | undefined> {
  const [row] = await rows<{ name: string | null }>(
    db,
    sql`select split_part(avatar_url, '?v=', 2) as name from contacts
         where id = ${contactId} and deleted_at is null`,
  )
  return row?.name || undefined
}
