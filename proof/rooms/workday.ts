import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { type Case, changing, type Recipes } from '../access/recipe.ts'
import { always, each, idOf, numbered, once, plain } from '../access/targets.ts'
import type { World } from '../access/world/world.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { type Acts, administratorOf } from '../walk/writing.ts'

const month = 'startDate=2026-01-01&endDate=2026-01-31'
const form = { icon: 'break', color: '#64748b', limitMinutes: 15, countsAsWork: false } as const
const reasonColumns = `pause_reasons.name pause_reasons.name_folded pause_reasons.icon pause_reasons.color
  pause_reasons.limit_minutes pause_reasons.counts_as_work pause_reasons.is_active`

/** The calls about pauses and working days. */
export const recipes = {
  'PUT /api/profile/presence': changing(plain('oneself', { state: 'available' }), '', 'work_periods.seen_at'),
  'GET /api/pauses': plain('all'),
  'POST /api/pauses': changing(
    {
      what: 'a new name',
      status: 201,
      targets: async (world, callers) => {
        await makeRoom(world)
        return numbered((n) => ({ body: { reasons: [{ name: `Pausa ${n}`, ...form }] } }))(world, callers)
      },
    },
    '+audit_logs +events +pause_reasons',
  ),
  'PATCH /api/pauses/{id}': changing(
    {
      what: 'a reason',
      status: 204,
      targets: each(makeReasons, (id, _caller, world) => ({
        id,
        body: { name: `Outra pausa ${world.next()}`, limitMinutes: 20, countsAsWork: true },
      })),
    },
    `+audit_logs +events ${reasonColumns} pause_reasons.version`,
    'pause_reasons.updated_at',
  ),
  'PUT /api/pauses/order': changing(
    {
      what: 'the other way round',
      status: 204,
      targets: once(async (world) => {
        await makeRoom(world)
        const ids = await makeReasons(world, [undefined, undefined])
        return { body: { ids: ids.toReversed() } }
      }),
    },
    '+audit_logs +events pause_reasons.place',
    'pause_reasons.updated_at',
  ),
  'DELETE /api/pauses/{id}': changing(
    { what: 'a reason', status: 204, targets: each(makeReasons, (id) => id) },
    '+audit_logs +events -pause_reasons',
  ),
  'GET /api/timesheets (own)': ofOneself(`?${month}`),
  'GET /api/timesheets (team)': { what: 'a month', status: 200, targets: always(`/api/timesheets?${month}`) },
  'GET /api/timesheets/periods (own)': ofOneself(`/periods?${month}`),
  'GET /api/timesheets/periods (team)': ofColleague(`/periods?${month}`),
  'GET /api/timesheets/conversations (own)': ofOneself('/conversations?day=2026-01-05&figure=taken'),
  'GET /api/timesheets/conversations (team)': ofColleague('/conversations?day=2026-01-05&figure=taken'),
  'GET /api/timesheets/export': {
    what: 'a month',
    status: 200,
    targets: always(`/api/timesheets/export?${month}&format=csv`),
  },
  'POST /api/timesheets/periods/{id}/corrections': changing(
    {
      what: 'an ended period of a colleague',
      status: 201,
      targets: each(makePeriods, (id) => ({ id, body: { state: 'away', why: 'saiu antes' } })),
    },
    '+audit_logs +work_corrections',
  ),
} satisfies Recipes

function ofOneself(path: string): Case {
  return {
    what: 'oneself',
    status: 200,
    targets: async (world, callers) =>
      callers.map((caller) => ({ path: `/api/timesheets${path}&userId=${idOf(world, caller)}` })),
  }
}

function ofColleague(path: string): Case {
  return {
    what: 'a colleague',
    status: 200,
    targets: async (world, callers) =>
      callers.map(() => ({ path: `/api/timesheets${path}&userId=${world.colleague.userId}` })),
  }
}

/** An ended period of the colleague for each caller. @returns their ids */
async function makePeriods(world: World, callers: readonly unknown[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into work_periods (user_id, state, started_at, ended_at, seen_at)
        select ${world.colleague.userId}, 'available', at, at + interval '1 minute', at + interval '1 minute'
          from (select '2001-02-01T00:00Z'::timestamptz + n * interval '1 hour' as at
                  from unnest(${sql.param(callers.map(() => world.next()))}::int[]) n) p returning id`,
  )
  return made.map(({ id }) => id)
}

/** An installation has no more than thirty, and is offered some only while it has none. */
async function makeRoom(world: World): Promise<void> {
  await world.database.execute(
    sql`delete from pause_reasons r where not exists (select from work_periods w where w.reason_id = r.id)
           and not exists (select from users u where u.pause_reason_id = r.id)`,
  )
}

/** A reason for each caller. @returns their ids */
async function makeReasons(world: World, callers: readonly unknown[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into pause_reasons (name, icon, color, place)
        select 'Pausa ' || n, 'break', '#64748b', n
          from unnest(${sql.param(callers.map(() => world.next()))}::int[]) n returning id`,
  )
  return made.map(({ id }) => id)
}

export const acts = {
  'a reason of pauses is made, changed or deleted': [
    1,
    async (world) => {
      const admin = administratorOf(world)
      const [found] = await rows<{ id: number }>(
        world.database,
        sql`select id from pause_reasons order by random() limit 1`,
      )
      const name = `Pausa ${++world.count}`
      const dice = world.random()
      const reasons = [{ name, ...form }]
      if (!found || dice < 0.4) await world.request(admin, 'POST', '/api/pauses', { reasons })
      else if (dice < 0.8) await world.request(admin, 'PATCH', `/api/pauses/${found.id}`, { name })
      else await world.request(admin, 'DELETE', `/api/pauses/${found.id}`)
    },
  ],
} satisfies Acts

export const broughtBy = { pauses_changed: 'a reason of pauses is made, changed or deleted' } as const

export const things = {
  'pause reason': ofRow(
    () =>
      sql`insert into pause_reasons (name, icon, color) values ('Alheia', 'break', '#64748b') returning id`,
  ),
  'work period': ofRow(
    (holderId) => sql`insert into work_periods (user_id, state, started_at, ended_at, seen_at)
                      values (${holderId}, 'available', '2001-01-01T08:00Z', '2001-01-01T09:00Z',
                              '2001-01-01T09:00Z') returning id`,
  ),
} satisfies MakeThings
