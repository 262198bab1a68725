import { type SQL, sql } from 'drizzle-orm'
import type { RestoreCounts } from '#shared/maintenance/restore-plan.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { type Merge, staged } from './maps.ts'

// When a company or a category is deleted, its contacts have none. If it comes back, those are in it again
// that nobody has changed since the backup.

/** The company of a contact `s` of the backup is not here. */
const isCompanyGone = sql`not exists (select from public.companies k where k.id = s.company_id)`
const isCategoryGone = sql`not exists (
  select from public.contact_categories k where lower(k.name) = lower(s.category))`

/**
 * What people enter of a contact is as in the backup, but for what was taken from it with a company or a
 * category. A name of the gateway changes by itself.
 */
const isUnchanged = sql`(t.has_gateway_name or t.name = s.name)
  and (t.phone, t.email, t.tags, t.notes, t.is_active, t.is_blocked)
      is not distinct from (s.phone, s.email, s.tags, s.notes, s.is_active, s.is_blocked)
  and (t.company_id is not distinct from s.company_id or (t.company_id is null and ${isCompanyGone}))
  and (lower(t.category) = lower(s.category) or (t.category = '' and ${isCategoryGone}))`

/**
 * Finds the contacts that are here and were, in the backup, in a company or a category that comes back:
 * `lost_links (id, kind, company_id, category, is_back)`. The maps are built, and nothing is added yet.
 */
export async function findLostLinks(db: Db, merge: Merge): Promise<void> {
  await db.execute(
    sql.raw(`create temp table lost_links (id int, kind text, company_id int, category text, is_back boolean,
                                           primary key (id, kind)) on commit drop`),
  )
  const { isOwn, choice } = merge
  // Of another installation a contact that is here has a history of its own.
  if (!isOwn && !choice.restoreComplete) return
  const find = (kind: string, value: SQL, isEmpty: SQL, comingBack: SQL) =>
    db.execute(
      sql`insert into lost_links
          select distinct on (t.id) t.id, ${kind}::text, ${value},
                 ${isOwn ? sql`${isEmpty} and ${isUnchanged}` : sql`false`}
            from ${staged(merge, 'contacts')} s
            ${
              isOwn
                ? sql`join public.contacts t on t.id = s.id`
                : sql`join map_contacts c on c.source = s.id and not c.is_new
                      join public.contacts t on t.id = c.id`
            }
            join ${comingBack}
           where s.deleted_at is null and t.erased_at is null
             and (t.deleted_at is null or exists (select from returning_contacts r where r.id = t.id))
           order by t.id, s.id`,
    )
  if (choice.restoreComplete)
    await find(
      'companies',
      sql`m.id, null::text`,
      sql`t.company_id is null`,
      sql`map_companies m on m.source = s.company_id and m.is_new`,
    )
  if (choice.restoreSettings)
    await find(
      'contact_categories',
      sql`null::int, k.name`,
      sql`t.category = ''`,
      sql`${staged(merge, 'contact_categories')} k on lower(k.name) = lower(s.category)
          join map_contact_categories m on m.source = k.id and m.is_new`,
    )
}

/** Gives contacts the company and the category back that they have lost with these, which are here again. */
export async function bringLinksBack(db: Db): Promise<void> {
  await db.execute(
    sql`update public.contacts t
           set company_id = coalesce(l.company_id, t.company_id), category = coalesce(l.category, t.category),
               updated_at = app_now()
          from (select id, max(company_id) as company_id, max(category) as category
                  from lost_links where is_back group by id) l
         where t.id = l.id`,
  )
}

/** Of each that comes back, how many contacts will be in it again, and how many stay without it. */
export function countLinks(db: Db): Promise<NonNullable<RestoreCounts['links']>> {
  return rows(
    db,
    sql`select kind as table, count(*) filter (where is_back)::int as back,
               count(*) filter (where not is_back)::int as left
          from lost_links group by kind order by kind`,
  )
}
