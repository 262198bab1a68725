import { type SQL, sql } from 'drizzle-orm'
import { pathSign } from '#shared/reasons/reasons.ts'
import { folded } from '#server/schema/columns.ts'

/** Of the settings, what conversations and working days are of: it comes with them, whatever was chosen. */
export const comesAlong: ReadonlySet<string> = new Set(['sectors', 'finish_reasons', 'pause_reasons'])

/** The path of a reason within one that is here, perhaps under another name by now. */
export const restoredPath: SQL = sql`coalesce(
  (select p.name || ${pathSign} || s.name
     from map_finish_reasons n join public.finish_reasons p on p.id = n.id
    where n.source = s.parent_id
      and not exists (select from public.finish_reasons o
                       where o.path_folded = ${folded(sql`p.name || ${pathSign} || s.name`)})), s.path)`
