import { type SQL, sql } from 'drizzle-orm'
import { mostWorked, type WorkedConversations, type WorkedFigure } from '#shared/workday/timesheets.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { readableBy } from '#server/platform/http/reach.ts'

// What people did with conversations on their working days. A conversation counts once a day for a person and
// figure.

interface Span {
  startDate: string
  endDate: string
}

/** Rows of `user_id`, `conversation_id` and `at` of these people, of each figure. */
function actsOf(
  figure: WorkedFigure,
  userIds: readonly number[],
  { startDate, endDate }: Span,
  timezone: string,
): SQL {
  const from = sql`(${startDate}::timestamp at time zone ${timezone})`
  const to = sql`((${endDate}::date + 1)::timestamp at time zone ${timezone})`
  const isTheirs = sql`m.sort_at >= ${from} and m.sort_at < ${to}
    and m.sender_id = any(${sql.param([...userIds])}::int[])`
  const act = (alias: string) => sql`${sql.raw(alias)}.metadata #>> '{event,act}'`
  const acts = sql`select m.sender_id as user_id, m.conversation_id, m.sort_at as at from messages m`
  switch (figure) {
    case 'taken':
      return sql`${acts} where m.message_type = 'event' and ${act('m')} = 'taken' and ${isTheirs}`
    case 'answered':
      // An answer to a client who waited.
      return sql`${acts} where m.response_ms is not null and ${isTheirs}`
    case 'finished':
      // Of one that was reopened, the last end counts.
      return sql`${acts} join conversations v on v.id = m.conversation_id and v.status = 'completed'
                  where m.message_type = 'event' and ${act('m')} = 'finalized' and ${isTheirs}
                    and not exists (select from messages l
                                     where l.conversation_id = m.conversation_id and l.message_type = 'event'
                                       and ${act('l')} in ('finalized', 'closed_by_inactivity')
                                       and (l.sort_at, l.id) > (m.sort_at, m.id))`
  }
}

export type Worked = Record<WorkedFigure, number>

/** @returns by 'user day', of those who did anything */
export async function countWorked(
  db: Db,
  userIds: readonly number[],
  span: Span,
  timezone: string,
): Promise<Map<string, Worked>> {
  const count = (figure: WorkedFigure) => sql`
    select ${figure}::text as figure, a.user_id, (a.at at time zone ${timezone})::date as day,
           count(distinct a.conversation_id)::int as n
      from (${actsOf(figure, userIds, span, timezone)}) a group by 2, 3`
  if (userIds.length === 0) return new Map()
  const found = await rows<{ figure: WorkedFigure; userId: number; day: string; n: number }>(
    db,
    sql`select figure, user_id as "userId", to_char(day, 'YYYY-MM-DD') as day, n
          from (${count('taken')} union all ${count('answered')} union all ${count('finished')}) all_figures`,
  )
  const worked = new Map<string, Worked>()
  for (const { figure, userId, day, n } of found) {
    const key = `${userId} ${day}`
    worked.set(key, { ...(worked.get(key) ?? { taken: 0, answered: 0, finished: 0 }), [figure]: n })
  }
  return worked
}

/** The conversations behind a figure of a person's day; only those that the reader may read have a row. */
export async function listWorked(
  db: Db,
  who: Who,
  { userId, day, figure }: { userId: number; day: string; figure: WorkedFigure },
  timezone: string,
): Promise<WorkedConversations> {
  const acts = sql`select a.conversation_id, min(a.at) as at
                     from (${actsOf(figure, [userId], { startDate: day, endDate: day }, timezone)}) a
                    group by 1`
  const [all, [count]] = await Promise.all([
    rows<{ id: number; protocol: string; contactName: string; isOpen: boolean; at: string }>(
      db,
      sql`select conversations.id, conversations.protocol, c.name as "contactName",
                 conversations.status <> 'completed' as "isOpen", a.at
            from (${acts}) a join conversations on conversations.id = a.conversation_id
            join contacts c on c.id = conversations.contact_id
           where ${who.flags.canViewConversations} and ${readableBy(who) ?? sql`true`}
           order by a.at, conversations.id limit ${mostWorked}`,
    ),
    rows<{ n: number }>(db, sql`select count(*)::int as n from (${acts}) a`),
  ])
  return {
    conversations: all.map(({ at, ...row }) => ({ ...row, at: new Date(at).toISOString() })),
    total: count?.n ?? 0,
  }
}
