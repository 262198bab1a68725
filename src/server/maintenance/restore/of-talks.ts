import { type SQL, sql } from 'drizzle-orm'
import { pathSign } from '#shared/reasons/reasons.ts'
import { folded } from '#server/schema/columns.ts'
import { mapOf } from '#server/schema/declare/restored.ts'

/** Of the settings, what conversations and working days are of: it comes with them, whatever was chosen. */
export const comesAlong: ReadonlySet<string> = new Set([
  'sectors',
  'finish_reasons',
  'conversation_tags',
  'pause_reasons',
])

/** The tags of a conversation 's', as they are called here. */
export const restoredTags: SQL = sql`array(
  select t.id from map_conversation_tags t where t.source = any(s.tag_ids) order by t.id)`

/** An id in the content of a view 's', as it is here; what is unknown here stays away. */
const inContent = (field: string, table: string): SQL => sql`case
  when jsonb_typeof(s.content -> ${field}) = 'number' then (
    select to_jsonb(m.id) from ${mapOf(table)} m where m.source = (s.content ->> ${field})::int)
  else s.content -> ${field} end`

/** What a view shows, with the ids of rows here. */
export const restoredContent: SQL = sql`jsonb_strip_nulls(s.content || jsonb_build_object(
  'instanceId', ${inContent('instanceId', 'evolution_api_config')},
  'sectorId', ${inContent('sectorId', 'sectors')},
  'personId', ${inContent('personId', 'users')},
  'tagId', ${inContent('tagId', 'conversation_tags')}))`

/** What a step of a macro 's' names, as it is here; null for what is unknown here. */
const inSteps: SQL = sql.join(
  (
    [
      ['tagId', 'conversation_tags'],
      ['categoryId', 'contact_categories'],
      ['sectorId', 'sectors'],
      ['userId', 'users'],
      ['reasonId', 'finish_reasons'],
    ] as const
  ).map(
    ([field, table]) => sql`case when e.step ? ${field} then jsonb_build_object(${field}::text, (
      select m.id from ${mapOf(table)} m where m.source = (e.step ->> ${field})::int)) else '{}' end`,
  ),
  sql` || `,
)

/** The steps of a macro with the ids of rows here. Whom its notes mention is chosen anew. */
export const restoredSteps: SQL = sql`coalesce((
  select jsonb_agg((e.step - 'mentions') || ${inSteps} order by e.place)
    from jsonb_array_elements(s.steps) with ordinality e(step, place)), '[]')`

/** The path of a reason within one that is here, perhaps under another name by now. */
export const restoredPath: SQL = sql`coalesce(
  (select p.name || ${pathSign} || s.name
     from map_finish_reasons n join public.finish_reasons p on p.id = n.id
    where n.source = s.parent_id
      and not exists (select from public.finish_reasons o
                       where o.path_folded = ${folded(sql`p.name || ${pathSign} || s.name`)})), s.path)`
