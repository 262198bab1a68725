import { type SQL, sql } from 'drizzle-orm'
import type { ArchiveFilter } from '#shared/conversations/archive.ts'
import { isAutomaticEnd } from '#shared/text/conversations/reason-texts.ts'
import { fold } from '#shared/text/fold.ts'
import { isInReach, reachColumns, type Reader } from '#server/platform/http/reach.ts'
import type { PhoneReader } from '#server/platform/phones/searched-phones.ts'
import { mediaTypes } from '#shared/messages/message-kinds.ts'

/** Whose conversations somebody finds in the archive. */
export interface Scope {
  /** undefined: everybody's. */
  ownerId: number | undefined
  /** Only what is within their reach. */
  who: Reader & PhoneReader
  /** IANA name. */
  timezone: string
  /** Nothing that was completed later; undefined: no end. */
  asOf: Date | undefined
}

const fileTypes = sql.raw(mediaTypes.map((type) => `'${type}'`).join(', '))

/**
 * The conditions of a conversation 'v' and its contact 'c', besides the moment of the list.
 * @returns undefined for those of everything
 */
export function archiveFilters(scope: Scope, filter: ArchiveFilter): SQL | undefined {
  const { ownerId, timezone } = scope
  const { category, operatorId, instanceId, sectorId, companyId, tag, tagId, reason } = filter
  const { from, to, satisfaction, files, notes, history } = filter
  const midnight = (date: string, days = 0) =>
    sql`((${date}::date + ${days}::int)::timestamp at time zone ${timezone})`
  const conditions = [
    ownerId !== undefined && sql`v.assigned_user_id = ${ownerId} and v.status = 'completed'`,
    isInReach(scope.who, reachColumns('v')) ?? false,
    category !== undefined && category !== 'all' && sql`lower(c.category) = lower(${category})`,
    operatorId !== undefined && sql`v.assigned_user_id = ${operatorId}`,
    instanceId !== undefined && sql`v.instance_id = ${instanceId}`,
    sectorId !== undefined && sql`v.sector_id = ${sectorId}`,
    companyId !== undefined && sql`c.company_id = ${companyId}`,
    tag !== undefined && sql`c.tags_folded @> array[${fold(tag)}]`,
    tagId !== undefined && sql`v.tag_ids @> array[${tagId}::int]`,
    reason !== undefined && endedWith(reason),
    from !== undefined && sql`v.completed_at >= ${midnight(from)}`,
    to !== undefined && sql`v.completed_at < ${midnight(to, 1)}`,
    satisfaction !== undefined &&
      (satisfaction === 'none' ? sql`v.satisfaction is null` : sql`v.satisfaction = ${Number(satisfaction)}`),
    history === 'without' && sql`not v.is_history`,
    files === 'with' &&
      sql`exists (select from messages f
                   where f.conversation_id = v.id and f.message_type in (${fileTypes})
                     and f.deleted_at is null)`,
    notes === 'with' &&
      sql`exists (select from messages n
                   where n.conversation_id = v.id and n.message_type = 'note' and n.deleted_at is null)`,
  ].filter((condition) => condition !== false)
  return conditions.length === 0 ? undefined : sql.join(conditions, sql` and `)
}

/** Whether a completion is not later than the list is to show. */
export const isUpTo = (completedAt: SQL, { asOf }: Scope) =>
  asOf === undefined ? sql`true` : sql`${completedAt} <= ${asOf.toISOString()}::timestamptz`

/** What has ended a conversation 'v' where no person did; null: a person, or nothing is known of it. */
export const automaticEndOf = sql`(select nullif(f.ended_by, 'person') from conversation_facts f
  where f.conversation_id = v.id)`

/** @param reason as in the filter */
function endedWith(reason: string): SQL {
  if (reason === 'none') return sql`v.finish_reason_id is null and ${automaticEndOf} is null`
  if (isAutomaticEnd(reason)) return sql`v.finish_reason_id is null and ${automaticEndOf} = ${reason}`
  return sql`v.finish_reason_id in (select r.id from finish_reasons r
    where r.id = ${Number(reason)}::int or r.parent_id = ${Number(reason)}::int)`
}
