import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { isQueued } from './queue.ts'

/** Clients who wait in the queue of a sector whose people are not there to take them. */
export interface Unserved {
  sectorId: number
  sectorName: string
  count: number
  /** Since when the first of them waits. */
  since: Date
}

/**
 * Finds who waits in the queue of a sector of which nobody may sign in, or has the number: neither by
 * 'Assumir próxima' nor by distribution do they come to somebody of it. Whether its people are at work now is
 * another question.
 */
export async function findUnserved(db: Db): Promise<Unserved[]> {
  const found = await rows<Omit<Unserved, 'since'> & { since: string }>(
    db,
    sql`select s.id as "sectorId", s.name as "sectorName", count(*)::int as count,
               min(coalesce(conversations.waiting_since, conversations.started_at))::text as since
          from ${conversations} join sectors s on s.id = conversations.sector_id
         where ${isQueued} and conversations.assigned_user_id is null
           and not exists (
             select from sector_people p join users u on u.id = p.user_id
              where p.sector_id = s.id and u.is_active and not u.is_blocked and u.deleted_at is null
                and (u.role = 'admin' or u.number_ids is null
                     or conversations.instance_id = any(u.number_ids)))
         group by s.id order by s.id`,
  )
  return found.map(({ since, ...queue }) => ({ ...queue, since: new Date(since) }))
}
