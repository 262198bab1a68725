import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { World } from '../access/world/world.ts'
import type { Caller } from '../access/world/people.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { each, idOf, numbered, plain } from '../access/targets.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { type Acts, administratorOf } from '../walk/writing.ts'

const content = { tab: 'all', order: 'waiting', waitingMinutes: 15 }
const form = (n: number) => ({ name: `Visão ${n}`, content, isShared: false, sectorId: null })

/** The calls about the views of the list. */
export const recipes = {
  'GET /api/views': plain('all'),
  'POST /api/views': changing(
    { what: 'a new name', status: 201, targets: numbered((n) => ({ body: form(n) })) },
    '+audit_logs +events +saved_views',
  ),
  'PATCH /api/views/{id}': changing(
    {
      what: 'their own',
      status: 204,
      targets: each(makeViews, (id, _caller, world) => ({
        id,
        body: { name: `Outra visão ${world.next()}` },
      })),
    },
    '+audit_logs +events saved_views.name saved_views.name_folded saved_views.content',
    'saved_views.is_shared saved_views.sector_id saved_views.version',
  ),
  'PUT /api/views/order': changing(
    { what: 'no view', status: 204, targets: numbered(() => ({ body: { ids: [] } })) },
    '+view_orders view_orders.view_ids',
  ),
  'DELETE /api/views/{id}': changing(
    { what: 'their own', status: 204, targets: each(makeViews, (id) => id) },
    '+audit_logs +events -saved_views',
  ),
} satisfies Recipes

/** A view of each caller. @returns their ids */
async function makeViews(world: World, callers: readonly Caller[]): Promise<number[]> {
  const owners = callers.map((caller) => idOf(world, caller))
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into saved_views (owner_id, name, content)
        select n.id, 'Visão ' || n.place || ' ' || ${String(world.next())}, ${JSON.stringify(content)}::jsonb
          from unnest(${sql.param(owners)}::int[]) with ordinality n(id, place)
         order by n.place returning id`,
  )
  return made.map(({ id }) => id)
}

export const acts = {
  'a view is saved, changed or deleted': [
    1,
    async (world) => {
      const admin = administratorOf(world)
      const [found] = await rows<{ id: number }>(
        world.database,
        sql`select id from saved_views order by random() limit 1`,
      )
      const body = form(++world.count)
      const dice = world.random()
      if (!found || dice < 0.5) await world.request(admin, 'POST', '/api/views', body)
      else if (dice < 0.8) await world.request(admin, 'PATCH', `/api/views/${found.id}`, { name: body.name })
      else await world.request(admin, 'DELETE', `/api/views/${found.id}`)
    },
  ],
} satisfies Acts

export const broughtBy = { views_changed: 'a view is saved, changed or deleted' } as const

export const things = {
  view: ofRow(
    () => sql`insert into saved_views (owner_id, name, content)
              select min(u.id), 'Alheia ' || gen_random_uuid(), '{"tab": "all", "order": "start"}'
                from users u returning id`,
  ),
} satisfies MakeThings
