import { and, eq, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { dismissNotice, listNotices, type Notice, noticeFact } from '#shared/notices/notices.ts'
import { type Database, type Db, inTransaction, pgCode } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { noticeDismissals, notices } from '#server/schema/notices.ts'
import { isToldTo } from './readers.ts'

export function routes({ route }: Http, { database }: { database: Database }): void {
  route(listNotices, ({ who }) => listFor(database, who))

  route(dismissNotice, async ({ who, params }) => {
    await inTransaction(database, async (db) => {
      await dismiss(db, who, params.id)
      // Their other devices.
      db.emit({ type: 'notices_changed', userId: who.id })
    })
    return undefined
  })
}

/** What is told to a person: not what they have dismissed within a day, nor kinds of a later version. */
async function listFor(db: Db, who: Who): Promise<Notice[]> {
  const found = await db
    .select({ id: notices.id, since: notices.since, fact: notices.fact })
    .from(notices)
    .where(
      and(
        isNotNull(notices.shownAt),
        isNull(notices.endedAt),
        notExists(
          db
            .select({ one: sql`1` })
            .from(noticeDismissals)
            .where(
              and(
                eq(noticeDismissals.noticeId, notices.id),
                eq(noticeDismissals.userId, who.id),
                sql`${noticeDismissals.dismissedAt} > app_now() - interval '1 day'`,
              ),
            ),
        ),
      ),
    )
    .orderBy(notices.id)
  return found.flatMap(({ id, since, fact }) => {
    const known = noticeFact.safeParse(fact)
    return known.success && isToldTo(who, known.data)
      ? [{ id, since: since.toISOString(), fact: known.data }]
      : []
  })
}

/** @throws AppError 404 when there is no such occurrence, or the person is not told of it */
async function dismiss(db: Db, who: Who, noticeId: number): Promise<void> {
  const [found] = await db.select({ fact: notices.fact }).from(notices).where(eq(notices.id, noticeId))
  if (!found || !isToldTo(who, noticeFact.safeParse(found.fact).data)) throw new AppError('request.not_found')
  await db
    .insert(noticeDismissals)
    .values({ userId: who.id, noticeId })
    .onConflictDoUpdate({
      target: [noticeDismissals.userId, noticeDismissals.noticeId],
      set: { dismissedAt: sql`app_now()` },
    })
    .catch((error: unknown) => {
      throw pgCode(error) === '23503' ? new AppError('request.not_found') : error
    })
}
