import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { NoticeKind } from '#shared/notices/notices.ts'
import { type Database, type Db, inTransaction } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { notices } from '#server/schema/notices.ts'
import type { Condition } from './conditions.ts'

/** How long a trouble must last before it is shown, in seconds: what comes and goes is none. */
const heldFor: Record<NoticeKind, number> = {
  gateway_away: 30,
  gateway_silent: 0,
  sends_undelivered: 0,
  webhooks_refused: 0,
  inbox_stuck: 60,
  events_set_aside: 0,
  sends_unconfirmed: 0,
  sends_failed: 0,
  queue_unserved: 60,
  disk_low: 60,
  clock_corrected: 0,
  plain_http: 0,
}

/** What is back after so short a time is the same trouble: whoever has dismissed it hears nothing new. */
const sameWithin = sql`interval '10 minutes'`

/** A trouble that only one process can find is over when that process has not found it for so long. */
const unseenFor = sql`interval '2 minutes'`
/** How often it is written that a trouble is still there. */
const seenEvery = sql`interval '30 seconds'`

/** The kinds that only some processes can find; each ends those of its own subject. */
const localKinds: readonly string[] = ['disk_low', 'plain_http'] satisfies NoticeKind[]

/**
 * Records the troubles that a process has found: begins and ends occurrences, and notifies those
 * who may have notices when the shown ones change.
 * @param own the subject of the troubles that only this process can find
 */
export async function recordConditions(
  database: Database,
  found: readonly Condition[],
  own: string,
): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockName(db, 'notices')
    const before = await listOpen(db)
    for (const condition of found) {
      const row = before.find((each) => isOf(condition, each))
      if (!row) await begin(db, condition)
      else if (row.isDue || !isDeepStrictEqual(row.fact, condition.fact))
        await db
          .update(notices)
          .set({ fact: condition.fact, seenAt: sql`app_now()` })
          .where(eq(notices.id, row.id))
    }
    await end(
      db,
      before.filter((row) => isOver(row, found, own)),
    )
    await showLasting(db)
    if (!isDeepStrictEqual(shownOf(before), shownOf(await listOpen(db)))) db.emit({ type: 'notices_changed' })
  })
}

type OpenRow = Awaited<ReturnType<typeof listOpen>>[number]

function listOpen(db: Db) {
  return db
    .select({
      id: notices.id,
      kind: notices.kind,
      subject: notices.subject,
      fact: notices.fact,
      isShown: sql<boolean>`${notices.shownAt} is not null`,
      isDue: sql<boolean>`${notices.seenAt} < app_now() - ${seenEvery}`,
      isUnseen: sql<boolean>`${notices.seenAt} < app_now() - ${unseenFor}`,
      lastedSeconds: sql<number>`extract(epoch from app_now() - ${notices.begunAt})::float8`,
    })
    .from(notices)
    .where(isNull(notices.endedAt))
    .orderBy(notices.id)
}

const isOf = ({ fact, subject }: Condition, row: OpenRow) => fact.kind === row.kind && subject === row.subject

function isOver(row: OpenRow, found: readonly Condition[], own: string): boolean {
  if (found.some((condition) => isOf(condition, row))) return false
  return !localKinds.includes(row.kind) || row.subject === own || row.isUnseen
}

const shownOf = (open: readonly OpenRow[]) =>
  open.filter(({ isShown }) => isShown).map(({ id, fact }) => ({ id, fact }))

async function begin(db: Db, { subject, fact, since }: Condition): Promise<void> {
  const last = db
    .select({ id: notices.id })
    .from(notices)
    .where(and(eq(notices.kind, fact.kind), eq(notices.subject, subject)))
    .orderBy(sql`${notices.id} desc`)
    .limit(1)
  const now = sql`app_now()`
  const [resumed] = await db
    .update(notices)
    .set({ fact, begunAt: now, seenAt: now, shownAt: null, endedAt: null })
    .where(and(inArray(notices.id, last), sql`${notices.endedAt} > app_now() - ${sameWithin}`))
    .returning({ id: notices.id })
  if (!resumed) await db.insert(notices).values({ kind: fact.kind, subject, fact, ...(since && { since }) })
}

async function end(db: Db, over: readonly OpenRow[]): Promise<void> {
  if (over.length === 0) return
  const ids = over.map(({ id }) => id)
  await db
    .update(notices)
    .set({ endedAt: sql`app_now()` })
    .where(inArray(notices.id, ids))
}

async function showLasting(db: Db): Promise<void> {
  const lasting = (await listOpen(db)).filter(
    ({ kind, isShown, lastedSeconds }) => !isShown && lastedSeconds >= (heldFor[kind as NoticeKind] ?? 0),
  )
  if (lasting.length === 0) return
  const ids = lasting.map(({ id }) => id)
  await db
    .update(notices)
    .set({ shownAt: sql`app_now()` })
    .where(inArray(notices.id, ids))
}

/** Deletes occurrences that ended a month ago. */
export async function trimNotices(database: Database): Promise<void> {
  await database
    .delete(notices)
    .where(and(isNotNull(notices.endedAt), lt(notices.endedAt, sql`app_now() - interval '30 days'`)))
}
