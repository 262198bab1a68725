import { and, count, eq, getTableColumns, isNull, max, ne, sql } from 'drizzle-orm'
import type { Account } from '#shared/users/accounts.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { isoTime } from '#server/schema/columns.ts'
import { byName } from '#server/platform/database/folded.ts'
import { sessions, userPermissions, users } from '#server/schema/users.ts'
import { forgetDevices, removeSecondFactor } from '#server/users/second-factor/queries.ts'
import { isLivingSession, isLoginLocked } from '#server/users/sign-in/queries.ts'

export async function insertUser(
  db: Db,
  user: Pick<
    typeof users.$inferInsert,
    'username' | 'email' | 'name' | 'role' | 'passwordHash' | 'mustChangePassword' | 'numberIds'
  >,
): Promise<number> {
  const [made] = await db.insert(users).values(user).returning({ id: users.id })
  if (!made) throw new Error('user not written')
  return made.id
}

/** Locks the row until the transaction ends: no login can come between the read and the write. */
export async function lockLivingUser(db: Db, username: string) {
  const [user] = await db
    .select({
      id: users.id,
      username: users.username,
      role: users.role,
      isActive: users.isActive,
      isBlocked: users.isBlocked,
      isLoginLocked,
      hadAttempts: sql<boolean>`${users.failedLoginAttempts} > 0 or ${users.lockCount} > 0`,
    })
    .from(users)
    .where(and(sql`lower(${users.username}) = lower(${username.trim()})`, isNull(users.deletedAt)))
    .for('update')
  return user
}

const noAttempts = { failedLoginAttempts: 0, loginLockedAt: null, lockedUntil: null, lockCount: 0 }

/**
 * Sets a password; browsers that needed no code need one again.
 * @param isGiven whether somebody else chose it, so that the person must choose another one
 */
export async function setPassword(
  db: Db,
  userId: number,
  { passwordHash, isGiven }: { passwordHash: string; isGiven: boolean },
): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash, mustChangePassword: isGiven, ...noAttempts, updatedAt: sql`app_now()` })
    .where(eq(users.id, userId))
  await forgetDevices(db, userId)
}

export async function unblock(db: Db, userId: number): Promise<void> {
  await db
    .update(users)
    .set({ ...noAttempts, isBlocked: false, updatedAt: sql`app_now()` })
    .where(eq(users.id, userId))
}

/**
 * @param except a session that goes on
 * @returns how many of them were still valid
 */
export async function endSessionsOf(db: Db, userId: number, except?: number): Promise<number> {
  const isMeant = and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.id, except))
  const [open] = await db.select({ count: count() }).from(sessions).where(and(isMeant, isLivingSession))
  await db
    .update(sessions)
    .set({ endedAt: sql`app_now()` })
    .where(and(isMeant, isNull(sessions.endedAt)))
  return open?.count ?? 0
}

export type AccountRow = Awaited<ReturnType<typeof listLivingAccounts>>[number]

export function listLivingAccounts(db: Db) {
  return db
    .select({
      id: users.id,
      name: users.name,
      username: users.username,
      email: users.email,
      role: users.role,
      isActive: users.isActive,
      isBlocked: users.isBlocked,
      /** When three wrong passwords locked the login of an operator or a supervisor. */
      loginLockedAt: users.loginLockedAt,
      /** null when the lock is over, or does not end. */
      lockedUntil:
        sql<Date | null>`case when ${users.loginLockedAt} is null and ${users.lockedUntil} > app_now()
          then ${users.lockedUntil} end`
          .mapWith(users.lockedUntil)
          .as('locked'),
      lastLoginAt: max(sessions.createdAt),
      /** The sessions of a blocked or inactive user are not valid. */
      openSessions: sql<number>`(count(*) filter (where ${isLivingSession} and ${users.isActive}
        and not ${users.isBlocked}))::int`,
    })
    .from(users)
    .leftJoin(sessions, eq(sessions.userId, users.id))
    .where(isNull(users.deletedAt))
    .groupBy(users.id)
    .orderBy(byName(users.name, users.id))
}

/** Locks an account until the end of the transaction. @returns undefined for one that does not exist */
export async function lockAccount(db: Db, id: number) {
  const [user] = await db
    .select({ ...getTableColumns(users), isLoginLocked })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
    .for('update')
  return user
}

export type LockedAccount = NonNullable<Awaited<ReturnType<typeof lockAccount>>>

export async function updateAccount(
  db: Db,
  id: number,
  values: Partial<typeof users.$inferInsert>,
): Promise<void> {
  await db
    .update(users)
    .set({ ...values, updatedAt: sql`app_now()` })
    .where(eq(users.id, id))
}

/** The name stays with what the person did; the flags and the second factor go. */
export async function markDeleted(db: Db, id: number): Promise<void> {
  await db
    .update(users)
    .set({ deletedAt: sql`app_now()`, isActive: false, updatedAt: sql`app_now()` })
    .where(eq(users.id, id))
  await forgetPermissions(db, id)
  await removeSecondFactor(db, id)
}

/** The defaults of the role apply again. */
export async function forgetPermissions(db: Db, userId: number): Promise<void> {
  await db.delete(userPermissions).where(eq(userPermissions.userId, userId))
}

/** The accounts that are not deleted, by name. @param id only this one */
export function listAccountRows(db: Db, id?: number): Promise<Account[]> {
  return rows<Account & Record<string, unknown>>(
    db,
    sql`select u.id, u.username, u.email, u.name, u.role, u.is_active as "isActive",
               u.is_blocked as "isBlocked", u.failed_login_attempts as "failedLoginAttempts",
               u.login_locked_at is not null or coalesce(u.locked_until > app_now(), false)
                 as "isLoginLocked",
               ${isoTime(sql`case when u.login_locked_at is null and u.locked_until > app_now()
                              then u.locked_until end`)}
                 as "lockedUntil",
               ${isoTime(sql`(select max(s.created_at) from sessions s where s.user_id = u.id)`)}
                 as "lastLoginAt",
               ${isoTime(sql`(select max(s.last_seen_at) from sessions s where s.user_id = u.id)`)}
                 as "lastSeenAt",
               u.totp_confirmed_at is not null as "hasSecondFactor",
               u.must_change_password as "mustChangePassword",
               u.number_ids as "numberIds",
               '/api/profile-pictures/' || f.name as "pictureUrl",
               coalesce(c.active, 0) as "activeConversations",
               coalesce(c.completed, 0) as "completedConversations",
               ${isoTime(sql`u.created_at`)} as "createdAt", ${isoTime(sql`u.updated_at`)} as "updatedAt"
          from users u left join files f on f.user_id = u.id left join (
            select assigned_user_id, (count(*) filter (where status <> 'completed'))::int as active,
                   (count(*) filter (where status = 'completed'))::int as completed
              from conversations where assigned_user_id is not null
             group by assigned_user_id) c on c.assigned_user_id = u.id
         where u.deleted_at is null and (${id ?? null}::int is null or u.id = ${id ?? null})
         order by ${byName(sql`u.name`, sql`u.id`)}`,
  )
}

/** A time as the wire has it. */
