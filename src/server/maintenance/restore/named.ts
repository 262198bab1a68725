import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'
import { type Merge, staged } from './maps.ts'

// What is recognized here by its name: categories, reasons of pauses, sectors.

export const mappedNumbers = sql`case when s.number_ids is not null then array(
  select n.id from map_evolution_api_config n where n.source = any(s.number_ids) order by n.id) end`

/** Gives what is here the values of the backup. */
export async function giveNamedTheirValues(db: Db, merge: Merge): Promise<void> {
  await db.execute(
    sql`update public.contact_categories t
           set description = s.description, priority = s.priority, color = s.color, is_active = s.is_active,
               updated_at = s.updated_at
          from ${staged(merge, 'contact_categories')} s
          join map_contact_categories m on m.source = s.id and not m.is_new
         where t.id = m.id`,
  )
  await db.execute(
    sql`update public.pause_reasons t
           set icon = s.icon, color = s.color, limit_minutes = s.limit_minutes, place = s.place,
               counts_as_work = s.counts_as_work, is_active = s.is_active, version = t.version + 1,
               updated_at = s.updated_at
          from ${staged(merge, 'pause_reasons')} s
          join map_pause_reasons m on m.source = s.id and not m.is_new
         where t.id = m.id`,
  )
  await db.execute(
    sql`update public.sectors t
           set color = s.color, description = s.description, place = s.place, is_active = s.is_active,
               number_ids = ${mappedNumbers}, max_active_per_operator = s.max_active_per_operator,
               own_settings = s.own_settings, version = t.version + 1, updated_at = s.updated_at
          from ${staged(merge, 'sectors')} s join map_sectors m on m.source = s.id and not m.is_new
         where t.id = m.id and s.deleted_at is null and t.deleted_at is null`,
  )
}
