import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { users } from '#server/schema/users.ts'
import type { UserRow } from './queries.ts'

/**
 * Takes one of the three attempts before the password is compared, so that parallel guesses cannot share one.
 * After a while there are three more, for whomever: of an account that stays locked or blocked the password
 * is compared all the same, so that a stranger cannot tell it from others.
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

/** Whether no attempt will come by waiting for those under way. */
export async function hasNoAttempts(db: Db, userId: number): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(eq(users.id, userId), sql`(${users.lockedUntil} is null or ${users.lockedUntil} <= app_now())`),
    )
  return row === undefined
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
 * @returns false when the account is blocked or locked or got another password in the meantime; then nothing
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
        sql`(${users.lockedUntil} is null or ${users.lockedUntil} <= app_now())`,
        eq(users.passwordHash, passwordHash),
      ),
    )
    .returning({ id: users.id })
  return forgotten.length > 0
}

/**
 * Whether the account is not blocked and has the password that was compared; its lock stays as it is.
 * @param passwordHash the hash that the password was compared with
 */
export async function isUnchanged(db: Db, userId: number, passwordHash: string): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.id, userId),
        eq(users.isActive, true),
        eq(users.isBlocked, false),
        isNull(users.deletedAt),
        eq(users.passwordHash, passwordHash),
      ),
    )
    .for('update')
  return found.length > 0
}

/** The time in which no password is compared: the first lock, doubled `locks` times. */
const lockOf = (locks: SQL) =>
  // The seventh doubling exceeds a day; dozens of them would exceed what an interval can hold.
  sql`least(interval '15 minutes' * power(2, least(${locks}, 7)), interval '1 day')`

/**
 * Applies the third wrong password. No password is compared for 15 minutes, which double each time, up to a
 * day; and unless it is an administrator's, new logins are refused until an administrator unblocks the
 * account. Sessions go on: a stranger who guesses must not end anybody's work.
 * @see decisions §2 'isBlocked after 3 wrong passwords'
 */
export async function lockLogin(db: Db, user: Pick<UserRow, 'id' | 'role'>): Promise<void> {
  await db
    .update(users)
    .set({
      lockCount: sql`${users.lockCount} + 1`,
      lockedUntil: sql`app_now() + ${lockOf(sql`${users.lockCount}`)}`,
      ...(user.role === 'admin'
        ? { failedLoginAttempts: 0 }
        : { loginLockedAt: sql`coalesce(${users.loginLockedAt}, app_now())` }),
    })
    .where(eq(users.id, user.id))
}

const yearMinutes = 60 * 24 * 365

/**
 * The time at which a row has been locked. `app_now()` is when the statement's transaction began, which may
 * be before another one wrote the row.
 */
const onceLocked = sql`app_now() + (clock_timestamp() - now())`

/**
 * The same for a name that is nobody's, with the same times. The row's window ends a year after the end of
 * its lock.
 * @returns which attempt it is; undefined when none is left
 */
export async function takeNobodysAttempt(db: Db, key: string): Promise<number | undefined> {
  const year = sql`${yearMinutes} * interval '1 minute'`
  const [row] = await rows<{ count: number }>(
    db,
    sql`insert into rate_limits as r (key, count, window_ends_at) values (${key}, 1, app_now() + ${year})
        on conflict (key) do update set
          count = case when r.window_ends_at <= app_now() then 1 else least(r.count + 1, 1000002) end,
          window_ends_at = app_now() + ${year} + case
            when r.window_ends_at > app_now() and (r.count + 1) % 3 = 0
              then ${lockOf(sql`(r.count + 1) / 3 - 1`)}
            else interval '0' end
        where r.window_ends_at - ${year} <= ${onceLocked}
        returning count`,
  )
  return row?.count
}

/** Returns such an attempt that was not used; it ends no lock but that of its own. */
export async function giveNobodysAttemptBack(db: Db, key: string): Promise<void> {
  await db.execute(
    sql`update rate_limits set count = greatest(0, count - 1),
               window_ends_at = least(window_ends_at, app_now() + ${yearMinutes} * interval '1 minute')
         where key = ${key}`,
  )
}

/**
 * Increments the counter within its window, and returns it. A window that ends later than one that begins now
 * was begun while the clock was wrong.
 */
export async function countUp(db: Db, key: string, windowMinutes: number): Promise<number> {
  const window = sql`${windowMinutes} * interval '1 minute'`
  const [row] = await rows<{ count: number }>(
    db,
    sql`insert into rate_limits as r (key, count, window_ends_at)
        values (${key}, 1, app_now() + ${window})
        on conflict (key) do update set
          count = case when r.window_ends_at > app_now() and r.window_ends_at <= ${onceLocked} + ${window}
                       then least(r.count + 1, 1000000) else 1 end,
          window_ends_at = case when r.window_ends_at > app_now() then
            least(r.window_ends_at, ${onceLocked} + ${window}) else ${onceLocked} + ${window} end
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
