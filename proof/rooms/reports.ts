import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import type { Caller } from '../access/world/people.ts'
import type { World } from '../access/world/world.ts'
import { always, each, idOf, plain } from '../access/targets.ts'

const month = 'startDate=2026-01-01&endDate=2026-01-31'
const of = (call: string, query = '') => always(`/api/reports/${call}?${month}${query}`)

/** A saved report of each caller. @returns their ids */
async function makeSaved(world: World, callers: readonly Caller[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into saved_reports (user_id, name, filter)
        select c.user_id, 'Prova ' || c.n, '{"period":"week"}'
          from unnest(${sql.param(callers.map((caller) => idOf(world, caller)))}::int[],
                      ${sql.param(callers.map(() => world.next()))}::int[]) as c (user_id, n)
        returning id`,
  )
  return made.map(({ id }) => id)
}

/** The calls of the reports. */
export const recipes = {
  'GET /api/stats/team': plain('today'),
  'GET /api/reports/stats': { what: 'a month', status: 200, targets: of('stats') },
  'GET /api/reports/conversations': {
    what: 'those behind a figure',
    status: 200,
    targets: of('conversations', '&figure=first_reply'),
  },
  'GET /api/reports/operator-performance': {
    what: 'a month',
    status: 200,
    targets: of('operator-performance'),
  },
  'GET /api/reports/groups': { what: 'by tag', status: 200, targets: of('groups', '&by=tag') },
  'GET /api/reports/export': [
    { what: 'the operators', status: 200, targets: of('export', '&part=operators&format=csv') },
    { what: 'a spreadsheet', status: 200, targets: of('export', '&part=tag&format=xlsx') },
  ],
  'GET /api/reports/export (rows)': [
    { what: 'the rows', status: 200, targets: of('export', '&part=rows&format=xlsx') },
  ],
  'GET /api/reports/saved': plain('own'),
  'POST /api/reports/saved': changing(
    { ...plain('a filter', { name: 'Minha semana', filter: { period: 'week' } }), status: 201 },
    '+saved_reports saved_reports.filter',
  ),
  'DELETE /api/reports/saved/{id}': changing(
    { what: 'own', status: 204, targets: each(makeSaved, (id) => id) },
    '-saved_reports',
  ),
} satisfies Recipes

export const things = {
  'saved report': ofRow(
    (holderId) => sql`insert into saved_reports (user_id, name, filter)
          values (${holderId}, 'Alheio', '{"period":"day"}') returning id`,
  ),
} satisfies MakeThings
