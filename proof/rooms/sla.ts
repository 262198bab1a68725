import { sql } from 'drizzle-orm'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { createClockKeeper } from '#server/sla/keeper.ts'
import { seenNow } from '#server/sla/seen-now.ts'
import { tellNear } from '#server/sla/tell.ts'
import { changing } from '../access/recipe.ts'
import { numbered, plain } from '../access/targets.ts'
import { type Acts, administratorOf, type BroughtBy, onTalk } from '../walk/writing.ts'

/** The calls of targets. */
export const recipes = {
  'GET /api/sla-targets': plain('all of them'),
  'PUT /api/sla-targets': changing(
    {
      what: 'others',
      status: 200,
      targets: numbered((n) => ({
        body: {
          targets: [{ sectorId: null, categoryId: null, replyMinutes: 1 + (n % 14_000), endMinutes: null }],
        },
      })),
    },
    '+audit_logs +events +sla_targets -sla_targets',
  ),
}

export const acts = {
  'other targets': [
    1,
    async (world) => {
      await world.request(administratorOf(world), 'PUT', '/api/sla-targets', {
        targets: [
          { sectorId: null, categoryId: null, replyMinutes: 5 + (++world.count % 60), endMinutes: 60 },
        ],
      })
    },
  ],
  'the clocks of the targets are kept': [
    4,
    async ({ database }) => {
      const keep = createClockKeeper(database)
      while (await keep('wait'));
    },
  ],
  'a clock is near its end': [
    3,
    onTalk(async (world, talk) => {
      // As the keeper of the clocks writes it.
      await inTransaction(world.database, async (db) => {
        await rows(
          db,
          sql`insert into sla_clocks (conversation_id, seen, reply_target_ms, reply_run_ms, reply_due_at,
                                    reply_near_at)
            select v.id, ${seenNow}, 600000, 500000, app_now() + interval '2 minutes', app_now()
              from conversations v where v.id = ${talk.id}
            on conflict (conversation_id) do update
               set seen = excluded.seen, reply_due_at = excluded.reply_due_at, reply_kept = null,
                   reply_near_at = excluded.reply_near_at, told_holder = 0, is_over = false`,
        )
        db.emit({ type: 'conversation_updated', conversationId: talk.id })
      })
      await tellNear(world.database)
    }),
  ],
} satisfies Acts

export const broughtBy = {
  sla_changed: 'other targets',
  sla_near: 'a clock is near its end',
} as const satisfies BroughtBy
