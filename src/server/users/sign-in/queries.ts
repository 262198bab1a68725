import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Pending } from '#shared/users/users.ts'
import type { Db } from '#server/platform/database/db.ts'
import { anyOf, statement } from '#server/platform/database/statement.ts'
import { files } from '#server/schema/media.ts'
import { pauseOf } from '#server/platform/live/presence.ts'
import { sectorsOfUser } from '#server/schema/sectors/sectors.ts'
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
  pause: pauseOf(sql`${users.pauseReasonId}`, sql`${users.pausedAt}`),
  silentHours: users.silentHours,
  isLoginLocked,
  // Where nobody else has ever had an account, nobody else can have chosen the password: it was printed.
  pending: sql<Pending | null>`case
    when ${users.mustChangePassword} then case
      when exists (select from users other where other.id <> ${users.id}) then 'password'
      else 'printed_password' end
    when ${sessions.mustEnroll} and ${users.totpConfirmedAt} is null then 'second_factor' end`,
  hasSecondFactor: sql<boolean>`${users.totpConfirmedAt} is not null`,
  isConfirmed: sql<boolean>`${sessions.confirmedAt} > app_now() - interval '10 minutes'`,
  picture: files.name,
  record: userPermissions.flags,
  numberIds: users.numberIds,
  sectors: sectorsOfUser(users.id),
  scope: users.scope,
  hidesPhones: users.hidesPhones,
  revealsPhones: users.revealsPhones,
  hasSectors: sql<boolean>`exists (select from sectors)`,
  hasReasons: sql<boolean>`exists (select from finish_reasons)`,
  hasTags: sql<boolean>`exists (select from conversation_tags)`,
  hasViews: sql<boolean>`exists (select from saved_views)`,
  hasMacros: sql<boolean>`exists (select from macros)`,
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

/** What a person says that they are, until they say otherwise. A pause that is chosen again goes on. */
export async function setChosenPresence(
  db: Db,
  userId: number,
  state: 'available' | 'away' | 'paused',
  pauseReasonId: number | null,
): Promise<void> {
  await db
    .update(users)
    .set({
      isAway: state === 'away',
      pauseReasonId,
      pausedAt:
        pauseReasonId === null
          ? null
          : sql`case when ${users.pauseReasonId} = ${pauseReasonId} then ${users.pausedAt}
                     else date_trunc('second', app_now()) end`,
    })
    .where(eq(users.id, userId))
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
