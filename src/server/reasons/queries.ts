import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { ManagedReason } from '#shared/reasons/managed-reasons.ts'
import type { KnownReasons, Reason } from '#shared/reasons/reasons.ts'
import type { AskReason } from '#shared/settings/ask-reason.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { ofGivenNumber, type SessionPerson } from '#server/platform/http/access.ts'
import { evolutionApiConfig as numbers } from '#server/schema/gateway.ts'
import { finishReasons } from '#server/schema/conversations/finish-reasons.ts'
import { listLivingSectors } from '#server/sectors/sectors.ts'
import { getSettings } from '#server/settings/settings.ts'

export type ReasonRow = typeof finishReasons.$inferSelect

/** All of them, each of the first level before those within it. */
export async function listReasonRows(db: Db): Promise<ReasonRow[]> {
  const found = await db.select().from(finishReasons).orderBy(asc(finishReasons.place), asc(finishReasons.id))
  return found
    .filter(({ parentId }) => parentId === null)
    .flatMap((first) => [first, ...found.filter(({ parentId }) => parentId === first.id)])
}

/** As they are known: one within another is of its sector, and not active where that one is not. */
export function toReasons(all: readonly ReasonRow[]): Reason[] {
  const byId = new Map(all.map((row) => [row.id, row]))
  return all.map(({ id, name, parentId, ...own }) => {
    const parent = parentId === null ? undefined : byId.get(parentId)
    return {
      id,
      name,
      parentId,
      sectorId: (parent ?? own).sectorId,
      isActive: own.isActive && parent?.isActive !== false,
    }
  })
}

export async function listManaged(db: Db): Promise<ManagedReason[]> {
  const all = await listReasonRows(db)
  const counts = await rows<{ id: number; uses: number }>(
    db,
    sql`select finish_reason_id as id, count(*)::int as uses from conversations
         where finish_reason_id is not null group by 1`,
  )
  const usesOf = new Map(counts.map(({ id, uses }) => [id, uses]))
  const byId = new Map(all.map((row) => [row.id, row]))
  return toReasons(all).map((reason) => ({
    ...reason,
    isSwitchedOn: byId.get(reason.id)?.isActive ?? false,
    uses: usesOf.get(reason.id) ?? 0,
    version: byId.get(reason.id)?.version ?? 1,
  }))
}

/** What whoever finalizes may be asked for. */
export type AskKey = 'askReason' | 'askTag'

/** Whether one is asked for: in the installation, and where a number of the person or a sector differs. */
export async function listAsking(
  db: Db,
  who: Pick<SessionPerson, 'numberIds'>,
  key: AskKey,
): Promise<Omit<KnownReasons, 'reasons'>> {
  const [settings, sectors, found] = await Promise.all([
    getSettings(db),
    listLivingSectors(db),
    db
      .select({ instanceId: numbers.id, ask: sql<AskReason | null>`${numbers.ownSettings} ->> ${key}` })
      .from(numbers)
      .where(and(isNull(numbers.deletedAt), ofGivenNumber(who, numbers.id)))
      .orderBy(numbers.id),
  ])
  return {
    ask: settings[key],
    ofNumbers: found.flatMap(({ instanceId, ask }) => (ask === null ? [] : [{ instanceId, ask }])),
    ofSectors: sectors.flatMap(({ id, ownSettings: { [key]: ask } }) =>
      ask === undefined ? [] : [{ sectorId: id, ask }],
    ),
  }
}

/** Locks a reason; whoever ends a conversation with it, or with one within it, waits. */
export async function lockReason(db: Db, id: number): Promise<ReasonRow | undefined> {
  const [row] = await db.select().from(finishReasons).where(eq(finishReasons.id, id)).for('update')
  return row
}

/** The name of a reason with that of its parent, as a value of a query; null for none. */
export const pathOf = (reasonId: SQL): SQL<string | null> =>
  sql`(select r.path from finish_reasons r where r.id = ${reasonId})`
