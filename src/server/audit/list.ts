import { type SQL, sql } from 'drizzle-orm'
import type { AuditFilter, AuditLog, AuditPage } from '#shared/audit/audit-logs.ts'
import { mostAuditRows } from '#shared/audit/audit-logs.ts'
import { type AuditResource, auditResources } from '#shared/audit/audit-actions.ts'
import { unchangingActions } from '#shared/audit/changing.ts'
import type { Role } from '#shared/permissions.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { isoTime } from '#server/schema/columns.ts'
import { ofGivenNumber } from '#server/platform/http/access.ts'
import { isInReach, reachColumns, reachesAll, type Reader } from '#server/platform/http/reach.ts'
import { idInDetails, resourceId } from '#server/schema/declare/resource.ts'
import { byName } from '#server/platform/database/folded.ts'
import { plannedEachTime } from '#server/platform/database/prepared-statements.ts'
import { declarationOf, tableNames } from '#server/schema/schema.ts'

/** The place of a row in the order of the list: newest first, later ids first within the same moment. */
export interface Place {
  createdAt: string
  id: number
}

const startOf = (day: string, timezone: string, daysLater = 0) =>
  sql`((${day}::date + ${daysLater}::int)::timestamp at time zone ${timezone})`

/** The condition of a filter on rows `l`; days are those of the time zone. */
export function matching(filter: AuditFilter, timezone: string): SQL {
  const { from, to, userId, group, resourceType, resourceId, address, outcome, only } = filter
  const conditions = [
    from !== undefined && sql`l.created_at >= ${startOf(from, timezone)}`,
    to !== undefined && sql`l.created_at < ${startOf(to, timezone, 1)}`,
    userId !== undefined && sql`l.user_id = ${userId}`,
    group !== undefined && sql`split_part(l.action, '.', 1) = ${group}`,
    resourceType !== undefined && sql`l.resource_type = ${resourceType}`,
    resourceId !== undefined && sql`l.resource_id = ${resourceId}`,
    address !== undefined &&
      sql`l.id in (select p.log_id from audit_personal p where p.values ->> 'address' = ${address})`,
    outcome !== undefined && sql`l.outcome = ${outcome}`,
    only === 'changes' &&
      sql`(l.outcome = 'done' and l.action <> all(${sql.param(unchangingActions)}::text[]))`,
  ].filter((condition) => condition !== false)
  return conditions.length === 0 ? sql`true` : sql`${plannedEachTime(sql.join(conditions, sql` and `))}`
}

/**
 * Rows `l` that a person may read: of somebody who has some of the numbers those that happened at one of
 * them, those that happened at none, and their own; of somebody who does not know of all conversations, those
 * about conversations and their messages within their reach.
 */
export function inScope(who: Reader): SQL {
  const isGiven = ofGivenNumber(who, sql`l.instance_id`)
  if (reachesAll(who) && !isGiven) return sql`true`
  // Of versions before 0.3 no row has a number.
  const isAtNone = sql`(l.instance_id is null
    and l.resource_type not in ('conversation', 'message', 'gateway'))`
  const isOfNumbers = isGiven ? sql`(${isGiven} or ${isAtNone})` : sql`true`
  const isReached = reachesAll(who)
    ? sql`true`
    : sql`(l.resource_type not in ('conversation', 'message') or exists (
             select from conversations v
              where v.id = case l.resource_type when 'conversation' then ${resourceId}
                           else ${idInDetails('conversationId')} end
                and ${isInReach(who, reachColumns('v'))}))`
  return plannedEachTime(sql`((${isOfNumbers} and ${isReached}) or l.user_id = ${who.id})`)
}

const resources = tableNames.flatMap((table) => declarationOf(table).resource ?? [])
const resourceName = sql`case l.resource_type ${sql.join(
  resources.map(({ type, name }) => sql`when ${type} then (${name})`),
  sql` `,
)} end`

interface Row extends Record<string, unknown> {
  id: number
  position: number | null
  hash: string | null
  place: string
  createdAt: string
  userId: number | null
  origin: 'request' | 'command' | 'system' | null
  role: Role | null
  sessionSince: string | null
  action: string
  /** An AuditResource, or one of an earlier version. */
  resourceType: string
  resourceId: string | null
  resourceName: string | null
  outcome: 'done' | 'refused'
  repeats: number
  details: Record<string, unknown>
  personal: Record<string, unknown> | null
  isErased: boolean | null
}

/** The next rows of a filter, newest first. */
export async function listRows(
  db: Db,
  where: SQL,
  { limit, offset = 0, before }: { limit: number; offset?: number; before?: Place | undefined },
): Promise<{ rows: AuditLog[]; last: Place | undefined }> {
  const after = before
    ? sql`and (l.created_at, l.id) < (${before.createdAt}::timestamptz, ${before.id})`
    : sql``
  const found = await rows<Row>(
    db,
    sql`select l.id, l.position, l.hash, l.created_at::text as place,
               ${isoTime(sql`l.created_at`)} as "createdAt", l.user_id as "userId", l.origin, l.role,
               (select ${isoTime(sql`s.created_at`)} from sessions s where s.id = l.session_id)
                 as "sessionSince",
               l.action, l.resource_type as "resourceType", l.resource_id as "resourceId",
               ${resourceName} as "resourceName", l.outcome, l.repeats, l.details,
               p.values as personal, p.erased_by is not null as "isErased"
          from (select l.* from audit_logs l where ${where} ${after}
                 order by l.created_at desc, l.id desc limit ${limit} offset ${offset}) l
          left join audit_personal p on p.log_id = l.id
         order by l.created_at desc, l.id desc`,
  )
  const end = found.at(-1)
  return { rows: found.map(toAuditLog), last: end && { createdAt: end.place, id: end.id } }
}

/** Rows stay as they were written: version 0021 called the settings otherwise. */
const resourceIn = (type: string): AuditResource =>
  auditResources.find((known) => known === type) ?? 'system_settings'

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

function toAuditLog(row: Row): AuditLog {
  const { actor, address, device, ...personal } = row.personal ?? {}
  return {
    id: row.id,
    position: row.position,
    hash: row.hash,
    createdAt: row.createdAt,
    actor: { kind: kindOf(row), id: row.userId, name: textOrNull(actor), role: row.role },
    address: textOrNull(address),
    device: textOrNull(device),
    sessionSince: row.sessionSince,
    action: row.action,
    resource: { type: resourceIn(row.resourceType), id: row.resourceId, name: row.resourceName },
    outcome: row.outcome,
    repeats: row.repeats,
    details: row.details,
    personal,
    isErased: row.isErased ?? false,
  }
}

function kindOf({ userId, origin, action }: Row): AuditLog['actor']['kind'] {
  if (userId !== null) return 'person'
  if (origin === 'command' || origin === 'system') return origin
  // Rows of earlier versions tell no origin.
  return origin === 'request' || action.startsWith('auth.') ? 'stranger' : 'system'
}

/** Counts up to `mostAuditRows` and one. */
export async function countSome(db: Db, where: SQL): Promise<number> {
  const [counted] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n
          from (select 1 from audit_logs l where ${where} limit ${mostAuditRows + 1}) found`,
  )
  return counted?.n ?? 0
}

/** Counts all rows up to a place. */
export async function countAll(db: Db, where: SQL, upTo: Place): Promise<number> {
  const [counted] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from audit_logs l
         where ${where} and (l.created_at, l.id) < (${upTo.createdAt}::timestamptz, ${upTo.id})`,
  )
  return counted?.n ?? 0
}

export function listPeople(db: Db): Promise<AuditPage['people']> {
  return rows(
    db,
    sql`select id, name, username, deleted_at is not null as "isDeleted" from users
         order by ${byName(sql`name`, sql`id`)}`,
  )
}

export async function readChain(db: Db): Promise<AuditPage['chain']> {
  const [chain] = await rows<{ position: number; waiting: number }>(
    db,
    sql`select coalesce((select position from audit_head where id = 1), 0) as position,
               (select count(*)::int from audit_logs where position is null) as waiting`,
  )
  const [check] = await rows<NonNullable<AuditPage['chain']['check']>>(
    db,
    sql`select ${isoTime(sql`checked_at`)} as "checkedAt", position, breaks,
               first_position as "firstPosition", first_fault as "firstFault"
          from audit_checks where id = 1`,
  )
  return { position: chain?.position ?? 0, waiting: chain?.waiting ?? 0, check: check ?? null }
}
