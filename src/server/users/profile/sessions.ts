import { and, desc, eq, sql } from 'drizzle-orm'
import type { Session } from '#shared/users/profile.ts'
import { isHandheld, shortDevice } from '#shared/text/device-name.ts'
import type { Db } from '#server/platform/database/db.ts'
import { sessions } from '#server/schema/users.ts'
import { isLivingSession } from '#server/users/sign-in/queries.ts'

/** The living sessions of a person, the last used first. @param current the session of the call */
export async function listSessionsOf(db: Db, userId: number, current: number): Promise<Session[]> {
  const found = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLivingSession))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
  return found.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    device: userAgent ? shortDevice(userAgent) : 'Aparelho desconhecido',
    isMobile: isHandheld(userAgent ?? ''),
    address,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent: id === current,
  }))
}

/** Ends one living session of the person. @returns false when there is none with this id */
export async function endOwnSession(db: Db, userId: number, id: number): Promise<boolean> {
  const ended = await db
    .update(sessions)
    .set({ endedAt: sql`app_now()` })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), isLivingSession))
    .returning({ id: sessions.id })
  return ended.length > 0
}
