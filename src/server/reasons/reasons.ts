import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { choicesFor, isForSector } from '#shared/reasons/reason-choices.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import { listReasonRows, toReasons } from './queries.ts'

export { leaveReasonsOf } from './change.ts'
export { listAsking, pathOf } from './queries.ts'

/** What a conversation ended with; `path`: 'Financeiro › Segunda via'. */
export interface ChosenReason {
  id: number
  path: string
}

/**
 * The reason that a person has chosen for a conversation, locked: whoever changes it meanwhile waits.
 * @param wanted absent: none
 * @returns undefined for none
 * @throws AppError 422 for none where one is required and there is one to choose, for one of another sector,
 *   that has others within it, or is inactive by now
 */
export async function expectReason(
  db: Db,
  { instanceId, sectorId }: { instanceId: number; sectorId: number | null },
  wanted: number | null | undefined,
): Promise<ChosenReason | undefined> {
  if (wanted == null) {
    const { askReason } = await settingsOfNumber(db, instanceId, sectorId)
    if (askReason === 'required' && choicesFor(toReasons(await listReasonRows(db)), sectorId).length > 0)
      throw new AppError('reasons.required')
    return undefined
  }
  // In the order of the ids, as those who change them.
  await rows(
    db,
    sql`select from finish_reasons where id = ${wanted}
           or id = (select r.parent_id from finish_reasons r where r.id = ${wanted}) order by id for share`,
  )
  const all = await listReasonRows(db)
  const path = all.find(({ id }) => id === wanted)?.path
  const known = toReasons(all)
  const reason = known.find(({ id }) => id === wanted)
  if (!reason || path === undefined) throw new AppError('reasons.unknown')
  const values = { name: path }
  if (!reason.isActive) throw new AppError('reasons.inactive', { values })
  if (!isForSector(reason, sectorId)) throw new AppError('reasons.other_sector', { values })
  if (!choicesFor(known, sectorId).includes(reason)) throw new AppError('reasons.too_wide', { values })
  return { id: reason.id, path }
}

/** Whether there is any reason: without, nothing of reasons is told. */
export async function areReasons(db: Db): Promise<boolean> {
  return (await rows(db, sql`select from finish_reasons limit 1`)).length > 0
}
