import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { plannedEachTime } from '#server/platform/database/prepared-statements.ts'

/**
 * The ids of the living contacts that have the numbers, by number; of two the one whose own number it is.
 * Each is looked up by its index, with a plan of now: the tables may have grown from nothing since the last
 * one.
 */
export async function holdersOf(db: Db, phones: readonly string[]): Promise<Map<string, number>> {
  if (phones.length === 0) return new Map()
  const found = await rows<{ phone: string; id: number }>(
    db,
    plannedEachTime(sql`select a.phone, known.id
          from unnest(${sql.param(phones)}::text[]) a(phone) cross join lateral (
            select c.id, true as is_own from contacts c where c.phone = a.phone and c.deleted_at is null
             union all
            select c.id, false from contact_identities i join contacts c on c.id = i.contact_id
             where i.kind = 'phone' and i.value = a.phone and c.deleted_at is null
             limit 2) known
         order by known.is_own`),
  )
  return new Map(found.map(({ phone, id }) => [phone, id]))
}
