import { and, count, eq, isNull, max, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'
import { sessions, users } from '#server/schema/users.ts'
import { isLivingSession, isLoginLocked } from './queries.ts'

export async function insertUser(
  db: Db,
  user: Pick<typeof users.$inferInsert, 'username' | 'email' | 'name' | 'role' | 'passwordHash'>,
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

export async function setPassword(db: Db, userId: number, passwordHash: string): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash, ...noAttempts, updatedAt: sql`app_now()` })
    .where(eq(users.id, userId))
}

export async function unblock(db: Db, userId: number): Promise<void> {
  await db
    .update(users)
    .set({ ...noAttempts, isBlocked: false, updatedAt: sql`app_now()` })
    .where(eq(users.id, userId))
}

/** @returns how many of them were still valid */
export async function endSessionsOf(db: Db, userId: number): Promise<number> {
  const [open] = await db
    .select({ count: count() })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLivingSession))
  await db
    .update(sessions)
    .set({ endedAt: sql`app_now()` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt)))
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
      /** null when the lock is over. */
      lockedUntil: sql<Date | null>`case when ${users.lockedUntil} > app_now() then ${users.lockedUntil} end`
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
    .orderBy(sql`lower(${users.name})`, users.id)
}
