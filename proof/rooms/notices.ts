import { sql } from 'drizzle-orm'
import { recordConditions } from '#server/notices/record-conditions.ts'
import { rows } from '#server/platform/database/db.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { once, plain } from '../access/targets.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import type { Acts, BroughtBy } from '../walk/writing.ts'

export const recipes = {
  'GET /api/notices': plain('all'),
  'POST /api/notices/{id}/dismiss': changing(
    {
      what: 'one that is shown',
      status: 204,
      targets: once(async (world) => {
        // Told to all who may have notices.
        const queue = { sectorId: 1, sectorName: 'Prova', count: 1 }
        const fact = JSON.stringify({ kind: 'queue_unserved', ...queue })
        const [notice] = await rows<{ id: number }>(
          world.database,
          sql`insert into notices (kind, subject, fact, shown_at)
               values ('queue_unserved', ${`prova-${world.next()}`}, ${fact}::jsonb, app_now()) returning id`,
        )
        return { id: notice?.id }
      }),
    },
    '+events +notice_dismissals notice_dismissals.dismissed_at',
  ),
} satisfies Recipes

export const things = {
  notice: ofRow(
    () => sql`insert into notices (kind, subject, fact, shown_at)
               values ('inbox_stuck', 'alheio', '{"kind":"inbox_stuck","count":1}', app_now()) returning id`,
  ),
} satisfies MakeThings

export const acts = {
  'a trouble begins or ends': [
    1,
    ({ database, random }) =>
      recordConditions(
        database,
        random() < 0.5
          ? []
          : [{ subject: '', fact: { kind: 'sends_failed', count: 3 + Math.floor(random() * 3) } }],
        '',
      ),
  ],
} satisfies Acts

export const broughtBy = {
  notices_changed: 'a trouble begins or ends',
} as const satisfies BroughtBy
