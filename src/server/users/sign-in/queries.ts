import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Pending } from '#shared/users/users.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { anyOf, statement } from '#server/platform/database/statement.ts'
import { files } from '#server/schema/media.ts'
import { sessions, userPermissions, users } from '#server/schema/users.ts'

export type UserRow = typeof users.$inferSelect

export async function findLivingUser(db: Db, username: string): Promise<UserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(sql`lower(${users.username}) = lower(${username})`, isNull(users.deletedAt)))
  return user
}

/** An account that is not deleted. */
export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
  return user
}

export async function hasActiveAdmin(db: Db): Promise<boolean> {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), eq(users.isActive, true), isNull(users.deletedAt)))
    .limit(1)
  return admin !== undefined
}

/** Whether anybody is left who may administer. */
export async function hasUsableAdmin(db: Db): Promise<boolean> {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.role, 'admin'),
        eq(users.isActive, true),
        eq(users.isBlocked, false),
        isNull(users.deletedAt),
      ),
    )
    .limit(1)
  return admin !== undefined
}

/** A session ends after 12 hours without use, or after 7 days. */
export const isLivingSession = sql`${sessions.endedAt} is null
  and ${sessions.lastSeenAt} > app_now() - interval '12 hours'
  and ${sessions.createdAt} > app_now() - interval '7 days'`

/** When a session that nobody ends is over. */
const idleEnd = sql`least(last_seen_at + interval '12 hours', created_at + interval '7 days')`

/** Whether wrong passwords have locked new logins. */
export const isLoginLocked = sql<boolean>`(${users.loginLockedAt} is not null
  or coalesce(${users.lockedUntil} > app_now(), false))`

const sessionColumns = {
  sessionId: sessions.id,
  tokenHash: sessions.tokenHash,
  id: users.id,
  name: users.name,
  username: users.username,
  email: users.email,
  role: users.role,
  isAway: users.isAway,
  isLoginLocked,
  pending: sql<Pending | null>`case when ${users.mustChangePassword} then 'password'
    when ${sessions.mustEnroll} and ${users.totpConfirmedAt} is null then 'second_factor' end`,
  hasSecondFactor: sql<boolean>`${users.totpConfirmedAt} is not null`,
  isConfirmed: sql<boolean>`${sessions.confirmedAt} > app_now() - interval '10 minutes'`,
  picture: files.name,
  record: userPermissions.flags,
  numberIds: users.numberIds,
  /** Updated at most once a minute instead of with every request. */
  isSeenLongAgo: sql<boolean>`${sessions.lastSeenAt} < app_now() - interval '1 minute'`,
}

function livingSessions(db: Db) {
  return db
    .select(sessionColumns)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(userPermissions, eq(userPermissions.userId, users.id))
    .leftJoin(files, eq(files.userId, users.id))
}

const isUsable = and(
  isLivingSession,
  eq(users.isActive, true),
  eq(users.isBlocked, false),
  isNull(users.deletedAt),
)

export type SessionRow = Awaited<ReturnType<typeof findSessions>>[number]

/** The living sessions of usable accounts with these tokens. Prepared, because it runs with every request. */
export const findSessions = statement<{ tokenHashes: string[] }>()((db) =>
  livingSessions(db).where(and(sql`${sessions.tokenHash} = ${anyOf('tokenHashes', 'text')}`, isUsable)),
)

export const listSessions = statement<{ ids: number[] }>()((db) =>
  livingSessions(db).where(and(sql`${sessions.id} = ${anyOf('ids')}`, isUsable)),
)

/** Skips sessions that another instance is updating, so that two instances never wait for each other. */
export async function touchSessions(db: Db, ids: number[]): Promise<void> {
  const free = db.select({ id: sessions.id }).from(sessions).where(inArray(sessions.id, ids))
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`app_now()` })
    .where(inArray(sessions.id, free.for('update', { skipLocked: true })))
}

export async function endSession(db: Db, sessionId: number): Promise<void> {
  await db
    .update(sessions)
    .set({ endedAt: sql`app_now()` })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
}

export async function insertSession(
  db: Db,
  session: Pick<
    typeof sessions.$inferInsert,
    'tokenHash' | 'userId' | 'userAgent' | 'address' | 'mustEnroll'
  >,
): Promise<number> {
  const [made] = await db.insert(sessions).values(session).returning({ id: sessions.id })
  if (!made) throw new Error('session not written')
  return made.id
}

/** The addresses of the living sessions. */
export async function listSessionAddresses(db: Db): Promise<string[]> {
  const found = await db.selectDistinct({ address: sessions.address }).from(sessions).where(isLivingSession)
  return found.flatMap(({ address }) => address ?? [])
}

/**
 * Takes one of the three attempts before the password is compared, so that parallel guesses cannot share one.
 * @returns undefined when none is left
 */
export async function takeAttempt(db: Db, userId: number): Promise<number | undefined> {
  const [row] = await db
    .update(users)
    .set({
      failedLoginAttempts: sql`case when ${users.failedLoginAttempts} >= 3 then 1
        else ${users.failedLoginAttempts} + 1 end`,
      lastLoginAttemptAt: sql`app_now()`,
    })
    .where(
      and(
        eq(users.id, userId),
        eq(users.isBlocked, false),
        isNull(users.loginLockedAt),
        sql`(${users.lockedUntil} is null or ${users.lockedUntil} <= app_now())`,
        // With three in progress, one must end first. One that never ended because of a crash counts as wrong
        // after a minute.
        sql`(${users.failedLoginAttempts} < 3
             or ${users.lastLoginAttemptAt} < app_now() - interval '1 minute')`,
      ),
    )
    .returning({ attempts: users.failedLoginAttempts })
  return row?.attempts
}

/** Returns an attempt that was taken and not used. */
export async function giveAttemptBack(db: Db, userId: number): Promise<void> {
  await db
    .update(users)
    .set({ failedLoginAttempts: sql`greatest(0, ${users.failedLoginAttempts} - 1)` })
    .where(eq(users.id, userId))
}

/**
 * @param passwordHash the hash that the password was compared with
 * @returns false when the account was blocked or locked or got another password in the meantime; then nothing
 * changes
 */
export async function forgetAttempts(db: Db, userId: number, passwordHash: string): Promise<boolean> {
  const forgotten = await db
    .update(users)
    .set({ failedLoginAttempts: 0, lockedUntil: null, lockCount: 0 })
    .where(
      and(
        eq(users.id, userId),
        eq(users.isBlocked, false),
        isNull(users.loginLockedAt),
        eq(users.passwordHash, passwordHash),
      ),
    )
    .returning({ id: users.id })
  return forgotten.length > 0
}

/**
 * Applies the third wrong password: new logins are refused until an administrator unblocks the account, or
 * for an administrator during 15 minutes, which double each time, up to a day. Sessions go on: a stranger who
 * guesses must not end anybody's work.
 * @see decisions §2 'isBlocked after 3 wrong passwords'
 */
export async function lockLogin(db: Db, user: Pick<UserRow, 'id' | 'role'>): Promise<void> {
  await db
    .update(users)
    .set(
      user.role === 'admin'
        ? {
            failedLoginAttempts: 0,
            lockCount: sql`${users.lockCount} + 1`,
            // The seventh doubling exceeds a day; dozens of them would exceed what an interval can hold.
            lockedUntil: sql`app_now() + least(interval '15 minutes' * power(2, least(${users.lockCount}, 7)),
              interval '1 day')`,
          }
        : { loginLockedAt: sql`app_now()` },
    )
    .where(eq(users.id, user.id))
}

/** Sets or resets 'Ausente'. */
export async function setUserAway(db: Db, userId: number, isAway: boolean): Promise<void> {
  await db.update(users).set({ isAway }).where(eq(users.id, userId))
}

/** Increments the counter within its window, and returns it. */
export async function countUp(db: Db, key: string, windowMinutes: number): Promise<number> {
  const [row] = await rows<{ count: number }>(
    db,
    sql`insert into rate_limits as r (key, count, window_ends_at)
        values (${key}, 1, app_now() + ${windowMinutes} * interval '1 minute')
        on conflict (key) do update set
          count = case when r.window_ends_at <= app_now() then 1 else least(r.count + 1, 1000000) end,
          window_ends_at = case when r.window_ends_at <= app_now() then excluded.window_ends_at
            else r.window_ends_at end
        returning count`,
  )
  return row?.count ?? 1
}

/** Decrements a counter that was incremented without need. */
export async function countDown(db: Db, key: string): Promise<void> {
  await db.execute(sql`update rate_limits set count = greatest(0, count - 1) where key = ${key}`)
}

export async function countNow(db: Db, key: string): Promise<number> {
  const [row] = await rows<{ count: number }>(
    db,
    sql`select count from rate_limits where key = ${key} and window_ends_at > app_now()`,
  )
  return row?.count ?? 0
}

/**
 * Deletes sessions that ended a month ago. Until then a row of the audit log says when its session began;
 * who did what, and from where, is in the log itself.
 */
export async function trimSessions(db: Db): Promise<void> {
  await db.execute(
    sql`delete from sessions where coalesce(ended_at, ${idleEnd}) <= app_now() - interval '30 days'`,
  )
}

const namesKept = 100_000

/**
 * Deletes counters whose window has ended. Of names that are nobody's, which anybody can invent, the newest
 * 100,000 are kept.
 */
export async function trimRateLimits(db: Db): Promise<void> {
  await db.execute(sql`delete from rate_limits where window_ends_at <= app_now()`)
  await db.execute(
    sql`delete from rate_limits where key in (select key from rate_limits where key like 'nobody:%'
         order by window_ends_at desc, key offset ${namesKept})`,
  )
}
