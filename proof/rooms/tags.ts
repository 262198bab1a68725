import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { World } from '../access/world/world.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { each, numbered, once, plain, talks } from '../access/targets.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { type Acts, administratorOf } from '../walk/writing.ts'

const form = (n: number) => ({ name: `Etiqueta ${n}`, color: '#2563eb', sectorId: null })

/** The calls about the tags of conversations. */
export const recipes = {
  'GET /api/tags': plain('all'),
  'GET /api/tags/managed': plain('all'),
  'POST /api/tags': changing(
    { what: 'a new name', status: 201, targets: numbered((n) => ({ body: form(n) })) },
    '+audit_logs +events +conversation_tags',
  ),
  'PATCH /api/tags/{id}': changing(
    {
      what: 'a tag',
      status: 204,
      targets: each(makeTags, (id, _caller, world) => ({
        id,
        body: { name: `Outra etiqueta ${world.next()}`, isActive: false },
      })),
    },
    '+audit_logs +events conversation_tags.name conversation_tags.name_folded conversation_tags.color',
    'conversation_tags.is_active conversation_tags.sector_id conversation_tags.version',
  ),
  'PUT /api/tags/order': changing(
    {
      what: 'the other way round',
      status: 204,
      targets: once(async (world) => {
        await makeTags(world, [undefined, undefined])
        const found = await rows<{ id: number }>(
          world.database,
          sql`select id from conversation_tags order by place desc, id desc`,
        )
        return { body: { ids: found.map(({ id }) => id) } }
      }),
    },
    '+audit_logs +events conversation_tags.place',
  ),
  'DELETE /api/tags/{id}': changing(
    { what: 'one that no conversation has', status: 204, targets: each(makeTags, (id) => id) },
    '+audit_logs +events -conversation_tags',
  ),
  'PATCH /api/conversations/{open}/tags': changing(
    {
      what: 'of their own',
      sees: 'reader',
      status: 200,
      targets: async (world, callers) => {
        const [made, [tagId]] = [await talks('own')(world, callers), await makeTags(world, [0])]
        return made.map((talk) => ({ path: `/api/conversations/${talk.id}/tags`, body: { add: [tagId] } }))
      },
    },
    '+audit_logs +events +messages conversations.tag_ids conversations.version',
  ),
  'PATCH /api/conversations/{completed}/tags': changing(
    {
      what: 'of one that they have finalized',
      sees: 'reader',
      status: 200,
      targets: async (world, callers) => {
        const [made, [tagId]] = [await talks('own', true)(world, callers), await makeTags(world, [0])]
        return made.map((talk) => ({ path: `/api/conversations/${talk.id}/tags`, body: { add: [tagId] } }))
      },
    },
    '+audit_logs +events +messages conversations.tag_ids conversations.version',
  ),
} satisfies Recipes

/** A tag for each caller. @returns their ids */
async function makeTags(world: World, callers: readonly unknown[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into conversation_tags (name, color, place)
        select 'Etiqueta ' || n, '#2563eb', n
          from unnest(${sql.param(callers.map(() => world.next()))}::int[]) n
        returning id`,
  )
  return made.map(({ id }) => id)
}

export const acts = {
  'a tag is made, changed or deleted': [
    1,
    async (world) => {
      const admin = administratorOf(world)
      const [found] = await rows<{ id: number }>(
        world.database,
        sql`select id from conversation_tags order by random() limit 1`,
      )
      const body = form(++world.count)
      const dice = world.random()
      if (!found || dice < 0.5) await world.request(admin, 'POST', '/api/tags', body)
      else if (dice < 0.8) await world.request(admin, 'PATCH', `/api/tags/${found.id}`, { name: body.name })
      else await world.request(admin, 'DELETE', `/api/tags/${found.id}`)
    },
  ],
} satisfies Acts

export const broughtBy = { tags_changed: 'a tag is made, changed or deleted' } as const

export const things = {
  tag: ofRow(
    () => sql`insert into conversation_tags (name, color)
              values ('Alheia ' || gen_random_uuid(), '#2563eb') returning id`,
  ),
} satisfies MakeThings
