import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { World } from '../access/world/world.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { each, numbered, once, plain, type Targets } from '../access/targets.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { type Acts, administratorOf } from '../walk/writing.ts'

const sectorColumns =
  'sectors.name_folded sectors.color sectors.description sectors.is_active sectors.max_active_per_operator'
const changedSector = `+audit_logs +events sectors.name ${sectorColumns} sectors.number_ids sectors.version`

/** The calls about sectors. */
export const recipes = {
  'GET /api/sectors': plain('all'),
  'GET /api/sectors/queues': plain('all'),
  'GET /api/sectors/managed': plain('those that the person manages'),
  'POST /api/sectors': changing(
    {
      what: 'a new name',
      status: 201,
      targets: withRoom(numbered((n) => ({ body: { name: `Setor ${n}`, color: '#2563eb' } }))),
    },
    '+audit_logs +events +sectors',
  ),
  'PATCH /api/sectors/{id} (whole)': changing(
    {
      what: 'a sector',
      status: 204,
      targets: each(makeSectors, (id, _caller, world) => ({
        id,
        body: { name: `Outro setor ${world.next()}`, description: 'boletos', maxActivePerOperator: 3 },
      })),
    },
    changedSector,
    'sectors.updated_at',
  ),
  'PATCH /api/sectors/{id} (led)': changing(
    {
      what: 'the texts of a sector',
      status: 204,
      targets: each(makeSectors, (id) => ({ id, body: { own: { queueMessage: 'Já vamos atender' } } })),
    },
    '+audit_logs +events sectors.own_settings sectors.version',
    'sectors.updated_at',
  ),
  'PUT /api/sectors/order': changing(
    {
      what: 'the other way round',
      status: 204,
      targets: withRoom(
        once(async (world) => {
          await makeSectors(world, [undefined, undefined])
          const living = await rows<{ id: number }>(
            world.database,
            sql`select id from sectors where deleted_at is null order by place desc, id desc`,
          )
          return { body: { ids: living.map(({ id }) => id) } }
        }),
      ),
    },
    '+audit_logs +events sectors.place',
    'sectors.updated_at',
  ),
  'DELETE /api/sectors/{id}': changing(
    { what: 'a sector', status: 204, targets: each(makeSectors, (id) => id) },
    '+audit_logs +events sectors.deleted_at sectors.is_active sectors.version',
  ),
} satisfies Recipes

/** Without those that earlier calls were about: an installation has no more than two hundred. */
function withRoom(targets: Targets): Targets {
  return async (world, callers) => {
    await world.database.execute(
      sql`update sectors set deleted_at = app_now(), is_active = false
           where deleted_at is null and (name like 'Setor %' or name like 'Outro setor %')`,
    )
    return targets(world, callers)
  }
}

/** A sector for each caller. @returns their ids */
export async function makeSectors(world: World, callers: readonly unknown[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into sectors (name, color, place)
        select 'Setor ' || n, '#2563eb', n from unnest(${sql.param(callers.map(() => world.next()))}::int[]) n
        returning id`,
  )
  return made.map(({ id }) => id)
}

export const acts = {
  'a sector is made, changed or deleted': [
    2,
    async (world) => {
      const admin = administratorOf(world)
      const [found] = await rows<{ id: number }>(
        world.database,
        sql`select id from sectors where deleted_at is null order by random() limit 1`,
      )
      const name = `Setor ${++world.count}`
      const dice = world.random()
      if (!found || dice < 0.4) await world.request(admin, 'POST', '/api/sectors', { name, color: '#2563eb' })
      else if (dice < 0.8) await world.request(admin, 'PATCH', `/api/sectors/${found.id}`, { name })
      else await world.request(admin, 'DELETE', `/api/sectors/${found.id}?targetId=none`)
    },
  ],
} satisfies Acts

export const broughtBy = { sectors_changed: 'a sector is made, changed or deleted' } as const

export const things = {
  sector: ofRow(() => sql`insert into sectors (name, color) values ('Alheio', '#2563eb') returning id`),
} satisfies MakeThings
