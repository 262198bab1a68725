import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { World } from '../access/world/world.ts'
import type { Caller } from '../access/world/people.ts'
import { picture } from '../access/world/messages.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { each, formOf, idOf, numbered, plain, talks } from '../access/targets.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { type Acts, administratorOf } from '../walk/writing.ts'

/** What whoever reads a conversation may do with it. */
const stepsOf = (tagId: number) => [{ kind: 'tag', tagId }]
const form = (n: number) => ({
  name: `Macro ${n}`,
  shortcut: `macro${n}`,
  isShared: false,
  sectorId: null,
  steps: stepsOf(1),
})

/** The calls about macros, and those that run them. */
export const recipes = {
  'GET /api/macros': plain('all'),
  'GET /api/macros/managed': plain('all'),
  'POST /api/macros': changing(
    { what: 'a new name', status: 201, targets: numbered((n) => ({ body: form(n) })) },
    '+audit_logs +events +macros',
  ),
  'POST /api/macros/files': changing(
    {
      what: 'a picture',
      status: 201,
      targets: async (_world, callers) => callers.map(() => ({ form: formOf({}, picture) })),
    },
    '+files',
  ),
  'PATCH /api/macros/{id}': changing(
    {
      what: 'their own',
      status: 200,
      targets: each(makeMacros, (id, _caller, world) => ({
        id,
        body: { name: `Outra macro ${world.next()}` },
      })),
    },
    '+audit_logs +events macros.name macros.name_folded macros.shortcut macros.steps macros.file_names',
    'macros.is_shared macros.sector_id macros.owner_id macros.version',
  ),
  'DELETE /api/macros/{id}': changing(
    { what: 'their own', status: 204, targets: each(makeMacros, (id) => id) },
    '+audit_logs +events -macros',
  ),
  'GET /api/conversations/{id}/macros/{macroId}/preview': {
    what: 'of their own',
    sees: 'reader',
    status: 200,
    targets: onTalks('preview'),
  },
  'POST /api/conversations/{id}/macros/{macroId}/run': changing(
    { what: 'of their own', sees: 'reader', status: 200, targets: onTalks('run') },
    '+audit_logs +events +messages +macro_runs conversations.version',
    'macros.uses macros.last_used_at macros.last_used_by_id',
  ),
} satisfies Recipes

function onTalks(call: 'preview' | 'run') {
  return async (world: World, callers: readonly Caller[]) => {
    const made = await talks('own')(world, callers)
    const ids = await makeMacros(world, callers)
    // They have the tag already, so that nothing is recorded but the run.
    await world.database.execute(
      sql`update conversations set tag_ids = array(select (m.steps -> 0 ->> 'tagId')::int from macros m
                                                    where m.id = ${ids[0] ?? 0})
           where id = any(${sql.param(made.map(({ id }) => id))}::int[])`,
    )
    return made.map((talk, place) => ({
      path: `/api/conversations/${talk.id}/macros/${ids[place]}/${call}`,
      ...(call === 'run' && { body: { runId: `corrida-${talk.id}-${world.next()}` } }),
    }))
  }
}

/** A macro of each caller. @returns their ids */
async function makeMacros(world: World, callers: readonly Caller[]): Promise<number[]> {
  const owners = callers.map((caller) => idOf(world, caller))
  const [tag] = await rows<{ id: number }>(
    world.database,
    sql`insert into conversation_tags (name, color)
        values (${`Etiqueta de macro ${world.next()}`}, '#2563eb') returning id`,
  )
  const series = String(world.next())
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into macros (owner_id, name, shortcut, steps)
        select n.id, 'Macro ' || n.place || ' ' || ${series}, 'm' || n.place || 'x' || ${series},
               ${JSON.stringify(stepsOf(tag?.id ?? 0))}::jsonb
          from unnest(${sql.param(owners)}::int[]) with ordinality n(id, place)
         order by n.place returning id`,
  )
  return made.map(({ id }) => id)
}

export const acts = {
  'a macro is made, changed or deleted': [
    1,
    async (world) => {
      const admin = administratorOf(world)
      const [found] = await rows<{ id: number }>(
        world.database,
        sql`select id from macros order by random() limit 1`,
      )
      const body = form(++world.count)
      const dice = world.random()
      if (!found || dice < 0.5) await world.request(admin, 'POST', '/api/macros', body)
      else if (dice < 0.8) await world.request(admin, 'PATCH', `/api/macros/${found.id}`, { name: body.name })
      else await world.request(admin, 'DELETE', `/api/macros/${found.id}`)
    },
  ],
} satisfies Acts

export const broughtBy = { macros_changed: 'a macro is made, changed or deleted' } as const

export const things = {
  macro: ofRow(
    () => sql`insert into macros (owner_id, name, shortcut, steps)
              select min(u.id), 'Alheia ' || gen_random_uuid(), 'alheia', '[{"kind": "tag", "tagId": 1}]'
                from users u returning id`,
  ),
} satisfies MakeThings
