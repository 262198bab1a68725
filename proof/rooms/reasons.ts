import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { World } from '../access/world/world.ts'
import { type Case, changing, type Recipes } from '../access/recipe.ts'
import { each, numbered, once, plain, talks, type Targets } from '../access/targets.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { type Acts, administratorOf } from '../walk/writing.ts'

/** The calls about the reasons with which conversations end. */
export const recipes = {
  'GET /api/reasons': plain('all'),
  'GET /api/reasons/managed': plain('all'),
  'POST /api/reasons': changing(
    { what: 'a new name', status: 201, targets: numbered((n) => ({ body: { name: `Motivo ${n}` } })) },
    '+audit_logs +events +finish_reasons',
  ),
  'PATCH /api/reasons/{id}': changing(
    {
      what: 'a reason',
      status: 204,
      targets: each(makeReasons, (id, _caller, world) => ({
        id,
        body: { name: `Outro motivo ${world.next()}`, isActive: false },
      })),
    },
    '+audit_logs +events finish_reasons.name finish_reasons.path finish_reasons.path_folded',
    'finish_reasons.is_active finish_reasons.sector_id finish_reasons.version',
  ),
  'PUT /api/reasons/order': changing(
    {
      what: 'the other way round',
      status: 204,
      targets: once(async (world) => {
        await makeReasons(world, [undefined, undefined])
        const found = await rows<{ id: number }>(
          world.database,
          sql`select id from finish_reasons where parent_id is null order by place desc, id desc`,
        )
        return { body: { parentId: null, ids: found.map(({ id }) => id) } }
      }),
    },
    '+audit_logs +events finish_reasons.place',
  ),
  'DELETE /api/reasons/{id}': changing(
    { what: 'one that was never used', status: 204, targets: each(makeReasons, (id) => id) },
    '+audit_logs +events -finish_reasons',
  ),
  'GET /api/conversations/{id}/last-reasons': {
    what: 'of their own',
    sees: 'reader',
    status: 200,
    targets: each(talks('own'), (talk) => ({ path: `/api/conversations/${talk.id}/last-reasons` })),
  },
  'PUT /api/conversations/{id}/reason': changing(
    {
      what: 'of one that they have finalized',
      sees: 'reader',
      status: 200,
      targets: async (world, callers) => {
        const [made, [reasonId]] = [await talks('own', true)(world, callers), await makeReasons(world, [0])]
        return made.map((talk) => ({ path: `/api/conversations/${talk.id}/reason`, body: { reasonId } }))
      },
    },
    '+audit_logs +events +messages conversations.finish_reason_id conversations.version',
  ),
} satisfies Recipes

/** Finalizes a conversation of each caller, in a sector in which nobody does so without a reason. */
function inAskingSector(body: (reasonId: number) => object): Targets {
  return async (world, callers) => {
    const made = await talks('own')(world, callers)
    const [asking] = await rows<{ sectorId: number; reasonId: number }>(
      world.database,
      sql`with z as (insert into sectors (name, color, own_settings)
            values (${`Pede motivo ${world.next()}`}, '#2563eb', '{"askReason": "required"}') returning id),
          r as (insert into finish_reasons (name, path, sector_id)
            select 'Dúvida', 'Dúvida ' || z.id, z.id from z returning id, sector_id)
          select r.sector_id as "sectorId", r.id as "reasonId" from r`,
    )
    if (!asking) throw new Error('no sector was made')
    const ids = made.map(({ id }) => id)
    await world.database.execute(
      sql`update conversations set sector_id = ${asking.sectorId} where id = any(${sql.param(ids)}::int[])`,
    )
    return made.map((talk) => ({
      path: `/api/conversations/${talk.id}/finalize`,
      body: { ...body(asking.reasonId) },
    }))
  }
}

/** Finalizing where a reason is required. */
export const finalizedInAskingSector: readonly Case[] = [
  {
    what: 'without a reason, in a sector that requires one',
    sees: 'reader',
    status: 422,
    targets: inAskingSector(() => ({ notes: 'Resolvido' })),
  },
  {
    what: 'with a reason, in a sector that requires one',
    sees: 'reader',
    status: 200,
    targets: inAskingSector((reasonId) => ({ reasonId })),
  },
]

/** A reason for each caller. @returns their ids */
async function makeReasons(world: World, callers: readonly unknown[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into finish_reasons (name, path, place)
        select 'Motivo ' || n, 'Motivo ' || n, n
          from unnest(${sql.param(callers.map(() => world.next()))}::int[]) n
        returning id`,
  )
  return made.map(({ id }) => id)
}

export const acts = {
  'a reason is made, changed or deleted': [
    1,
    async (world) => {
      const admin = administratorOf(world)
      const [found] = await rows<{ id: number }>(
        world.database,
        sql`select id from finish_reasons order by random() limit 1`,
      )
      const name = `Motivo ${++world.count}`
      const dice = world.random()
      if (!found || dice < 0.5) await world.request(admin, 'POST', '/api/reasons', { name })
      else if (dice < 0.8) await world.request(admin, 'PATCH', `/api/reasons/${found.id}`, { name })
      else await world.request(admin, 'DELETE', `/api/reasons/${found.id}`)
    },
  ],
} satisfies Acts

export const broughtBy = { reasons_changed: 'a reason is made, changed or deleted' } as const

export const things = {
  reason: ofRow(
    () => sql`insert into finish_reasons (name, path)
              values ('Alheio', 'Alheio ' || gen_random_uuid()) returning id`,
  ),
} satisfies MakeThings
