import { type SQL, sql } from 'drizzle-orm'

/** What the clocks of a conversation 'v' depend on besides the targets and the hours. */
export const seenNow: SQL = sql`concat_ws('|', v.status, v.waiting_for, extract(epoch from v.waiting_since),
  coalesce(v.sector_id, 0), v.instance_id, extract(epoch from v.started_at),
  extract(epoch from v.snoozed_until),
  case when v.snoozed_until is not null then v.message_count end, 
  (select lower(k.category) from contacts k where k.id = v.contact_id), '')`
