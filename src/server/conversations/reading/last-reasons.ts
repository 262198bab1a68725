import { sql } from 'drizzle-orm'
import { getConversation } from '#shared/conversations/conversation-endpoints.ts'
import type { LastReason } from '#shared/reasons/conversation-reason.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import { isInReach, reachColumns } from '#server/platform/http/reach.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { expectReadable } from '#server/conversations/store/access.ts'

const ofOthers = getConversation.rows['GET /api/conversations/{completed}']

/** So many conversations of the contact are looked at, and so many reasons named. */
const [mostLooked, mostNamed] = [50, 3]

/**
 * With what the contact's last conversations ended, of those that the person may read, each reason once.
 * @throws AppError 404 not visible
 */
export async function lastReasons(db: Db, who: Who, conversationId: number): Promise<LastReason[]> {
  const { contactId } = await expectReadable(db, who, conversationId, ofOthers)
  const isReached = isInReach(who, reachColumns('v')) ?? sql`true`
  const isRead = isPermitted(who, ofOthers) ? sql`true` : sql`v.assigned_user_id = ${who.id}::int`
  const found = await rows<{ reasonId: number | null; at: string }>(
    db,
    sql`select v.finish_reason_id as "reasonId", v.completed_at as at from conversations v
         where v.contact_id = ${contactId} and v.id <> ${conversationId} and v.status = 'completed'
           and not v.is_history and ${isReached} and ${isRead}
         order by v.completed_at desc, v.id desc limit ${mostLooked}`,
  )
  const last = new Map<number, LastReason>()
  for (const [index, { reasonId, at }] of found.entries())
    if (reasonId !== null && !last.has(reasonId))
      last.set(reasonId, { reasonId, at: new Date(at).toISOString(), isOfLast: index === 0 })
  return [...last.values()].slice(0, mostNamed)
}
