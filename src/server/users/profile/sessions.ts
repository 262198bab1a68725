import Bowser from 'bowser'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Session } from '#shared/profile.ts'
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
    ...deviceOf(userAgent),
    address,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent: id === current,
  }))
}

/** What a browser says of itself, as people say it: 'Chrome no Windows'. */
function deviceOf(userAgent: string | null): { device: string; isMobile: boolean } {
  if (!userAgent) return { device: 'Aparelho desconhecido', isMobile: false }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const device = [browser.name ?? 'Programa', os.name && `no ${os.name}`].filter(Boolean).join(' ')
  return { device, isMobile: platform.type === 'mobile' || platform.type === 'tablet' }
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
