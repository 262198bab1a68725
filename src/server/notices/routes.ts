import { and, eq, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { dismissNotice, listNotices, type Notice, noticeFact } from '#shared/notices/notices.ts'
import { type Database, type Db, inTransaction, pgCode } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { noticeDismissals, notices } from '#server/schema/notices.ts'

export function routes({ route }: Http, { database }: { database: Database }): void {
  route(listNotices, ({ who }) => listFor(database, who.id))

  route(dismissNotice, async ({ who, params }) => {
    await inTransaction(database, async (db) => {
      await dismiss(db, who.id, params.id)
      // Their other devices.
      db.emit({ type: 'notices_changed', userId: who.id })
    })
    return undefined
  })
}

/** What is shown to a person: not what they have dismissed within a day, nor kinds of a later version. */
async function listFor(db: Db, userId: number): Promise<Notice[]> {
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
                eq(noticeDismissals.userId, userId),
                sql`${noticeDismissals.dismissedAt} > app_now() - interval '1 day'`,
              ),
            ),
        ),
      ),
    )
    .orderBy(notices.id)
  return found.flatMap(({ id, since, fact }) => {
    const known = noticeFact.safeParse(fact)
    return known.success ? [{ id, since: since.toISOString(), fact: known.data }] : []
  })
}

/** @throws AppError 404 when there is no such occurrence */
async function dismiss(db: Db, userId: number, noticeId: number): Promise<void> {
  await db
    .insert(noticeDismissals)
    .values({ userId, noticeId })
    .onConflictDoUpdate({
      target: [noticeDismissals.userId, noticeDismissals.noticeId],
      set: { dismissedAt: sql`app_now()` },
    })
    .catch((error: unknown) => {
      throw pgCode(error) === '23503' ? new AppError('request.not_found') : error
    })
}
