import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import type { Caller } from '../access/world/people.ts'
import type { World } from '../access/world/world.ts'
import { each, numbered, plain } from '../access/targets.ts'

/** A category for each caller. @returns their ids */
async function makeCategories(world: World, callers: readonly Caller[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into contact_categories (name)
        select 'Categoria ' || n from unnest(${sql.param(callers.map(() => world.next()))}::int[]) n
        returning id`,
  )
  return made.map(({ id }) => id)
}

/** The calls about the categories of contacts. */
export const recipes = {
  'GET /api/contact-categories/managed': plain('all'),
  'POST /api/contact-categories': changing(
    {
      what: 'a new name',
      status: 201,
      targets: numbered((n) => ({ body: { name: `Categoria nova ${n}`, color: '#2563eb' } })),
    },
    '+audit_logs +contact_categories',
  ),
  'PUT /api/contact-categories/{id}': changing(
    {
      what: 'a category',
      status: 204,
      targets: each(makeCategories, (id, _caller, world) => ({
        id,
        body: { name: `Outra categoria ${world.next()}`, color: '#dc2626', priority: 3 },
      })),
    },
    '+audit_logs contact_categories.color contact_categories.description contact_categories.is_active',
    'contact_categories.name contact_categories.priority contact_categories.updated_at',
  ),
  'DELETE /api/contact-categories/{id}': changing(
    { what: 'a category', status: 204, targets: each(makeCategories, (id) => id) },
    '+audit_logs -contact_categories',
  ),
  'GET /api/contact-categories': plain('all'),
} satisfies Recipes

export const things = {
  category: ofRow(() => sql`insert into contact_categories (name) values ('Alheia') returning id`),
} satisfies MakeThings
