import { sql } from 'drizzle-orm'
import type { Caller } from '../access/world/people.ts'
import { changing } from '../access/recipe.ts'
import type { Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'
import { recordedAndPushed } from '../access/owned.ts'
import { each, idOf, talks } from '../access/targets.ts'
import { act, open, pathOf } from './conversations.ts'

/** A conversation for each caller, which they have put on hold. */
async function justSnoozed(world: World, callers: readonly Caller[]): Promise<Talk[]> {
  const made = await talks('own')(world, callers)
  const holders = made.map(({ id }, n) => ({ id, user_id: idOf(world, callers[n] as Caller) }))
  await world.database.execute(
    sql`with w as (select * from json_to_recordset(${JSON.stringify(holders)}::json)
          as w(id int, user_id int)),
        c as (update conversations v set waiting_for = 'client', waiting_since = null,
                     snoozed_until = app_now() + interval '1 hour'
                from w where v.id = w.id)
        insert into snoozes (conversation_id, user_id, until)
        select w.id, w.user_id, app_now() + interval '1 hour' from w`,
  )
  return made
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** 'Lembrar' and 'Retomar agora'. */
export const recipes = {
  'GET /api/conversations/{id}/snooze-times': open(() => '/snooze-times'),
  'PUT /api/conversations/{id}/snooze': changing(
    [
      {
        what: 'own',
        sees: 'reader',
        status: 200,
        targets: each(talks('own'), (talk) => ({
          path: pathOf(talk, '/snooze'),
          body: { until: inAnHour(), reason: 'Esperando a diretoria' },
        })),
      },
      ...act('/snooze', () => ({ until: inAnHour() }), 409),
    ],
    recordedAndPushed,
    '+messages +snoozes conversations.auto_close_from conversations.snooze_reason',
    'conversations.snoozed_until conversations.version conversations.waiting_for conversations.waiting_since',
  ),
  'DELETE /api/conversations/{id}/snooze': changing(
    [
      {
        what: 'own',
        sees: 'reader',
        status: 200,
        targets: each(justSnoozed, (talk) => ({ path: pathOf(talk, '/snooze') })),
      },
    ],
    recordedAndPushed,
    '+messages conversations.auto_close_from conversations.snoozed_until conversations.version',
    'conversations.waiting_for conversations.waiting_since snoozes.ended_at snoozes.ended_by',
  ),
}
