import { sql } from 'drizzle-orm'
import { createClockKeeper } from '#server/sla/keeper.ts'
import type { Result } from '../support/scenario.ts'
import { count, found, sum } from './ask.ts'
import { call, type Office } from './office.ts'
import { keepClocks } from './turns.ts'

// Every figure of the evening is what people did.

interface Groups {
  groups: { key: string; total: number; completed: number }[]
}
interface Stats {
  total: number
  completed: number
}

export async function reasons(office: Office, day: string): Promise<Result[]> {
  const period = `startDate=${day}&endDate=${day}`
  const { body: stats } = await call<Stats>(office, office.admin, 'GET', `/api/reports/stats?${period}`)
  const faults: string[] = []
  for (const by of ['reason', 'operator', 'sector']) {
    const { body } = await call<Groups>(office, office.admin, 'GET', `/api/reports/groups?${period}&by=${by}`)
    for (const figure of ['total', 'completed'] as const) {
      const all = sum(body.groups.map((group) => group[figure]))
      if (all !== stats[figure]) faults.push(`${figure} by ${by} is ${all}, and together ${stats[figure]}`)
    }
  }
  const own = await count(
    office,
    sql`select count(*)::int as n from conversations v
         where (v.started_at at time zone 'America/Sao_Paulo')::date = ${day}::date
           and v.pre_attendance_stage is distinct from 'waiting' and not v.is_history`,
  )
  if (own !== stats.total) faults.push(`the report counts ${stats.total} of ${own} conversations`)
  return [
    {
      property: 'who ends a conversation says why',
      checked: await count(
        office,
        sql`select count(*)::int as n from conversations where status = 'completed'`,
      ),
      faults: await found(
        office,
        sql`select concat('conversation ', v.id, ' has no reason') as what
              from conversations v join conversation_facts f on f.conversation_id = v.id
             where v.status = 'completed' and v.finish_reason_id is null and f.ended_by = 'person'`,
      ),
    },
    { property: 'reports by reason, person and sector add up to the day', checked: 7, faults },
  ]
}

/** Every clock as it was kept all day is what it is when computed from nothing, and was told of once. */
export async function targets(office: Office): Promise<Result[]> {
  const { database } = office
  while (await keepClocks(database));
  await database.execute(sql`create table sla_of_the_day as select * from sla_clocks`)
  await database.execute(sql`update sla_clocks set seen = ''`)
  while (await createClockKeeper(database)('wait'));
  const columns = sql.raw(
    ['is_over', 'reply_target_ms', 'reply_kept', 'end_target_ms', 'end_kept']
      .map((name) => `row_to_json(d) ->> '${name}' is distinct from row_to_json(s) ->> '${name}'`)
      .join(' or '),
  )
  const faults = await found(
    office,
    sql`select concat('conversation ', coalesce(d.conversation_id, s.conversation_id), ' was kept as ',
                      row_to_json(d), ' and is ', row_to_json(s)) as what
          from sla_of_the_day d full join sla_clocks s using (conversation_id)
         where ${columns}`,
  )
  await database.execute(sql`drop table sla_of_the_day`)
  return [
    {
      property: 'the clocks of the targets are what they are when computed from nothing',
      checked: await count(office, sql`select count(*)::int as n from sla_clocks`),
      faults,
    },
    {
      property: 'nobody is told twice that a clock is near its end',
      checked: await count(
        office,
        sql`select count(*)::int as n from notifications where kind in ('sla_reply', 'sla_end')`,
      ),
      faults: await found(
        office,
        sql`select concat('person ', user_id, ' was told ', count(*), ' times of ', kind, ' of conversation ',
                          conversation_id) as what
              from notifications where kind in ('sla_reply', 'sla_end')
             group by user_id, kind, conversation_id having count(*) > 1 or sum(count) > 1`,
      ),
    },
  ]
}

interface Sheets {
  sheets: {
    userId: number
    logged: number
    available: number
    paused: number
    counted: number
    away: number
  }[]
}

/** The record of working days beside what each person noted of their own. */
export async function workingDays(office: Office, day: string): Promise<Result[]> {
  const { body } = await call<Sheets>(
    office,
    office.admin,
    'GET',
    `/api/timesheets?startDate=${day}&endDate=${day}`,
  )
  const faults = office.workers.flatMap(({ id, timecard }) => {
    const sheet = body.sheets.find(({ userId }) => userId === id)
    const told = {
      available: sheet?.available ?? 0,
      paused: (sheet?.paused ?? 0) + (sheet?.counted ?? 0),
      away: sheet?.away ?? 0,
    }
    const all = told.available + told.paused + told.away
    return [
      ...(all === (sheet?.logged ?? 0) ? [] : [`the states of ${id} make ${all} of ${sheet?.logged} s`]),
      ...(['available', 'paused', 'away'] as const).flatMap((state) => {
        const own = timecard.sum(state) / 1000
        return Math.abs(told[state] - own) <= timecard.doubtMs / 1000
          ? []
          : [`${id} was ${state} for ${told[state]} s, and noted ${own.toFixed(0)}`]
      }),
    ]
  })
  return [
    { property: 'working days are what people did, to the second', checked: office.workers.length, faults },
    {
      property: 'nobody is two things at once',
      checked: await count(office, sql`select count(*)::int as n from work_periods`),
      faults: await found(
        office,
        sql`select concat('periods ', a.id, ' and ', b.id, ' of person ', a.user_id) as what
              from work_periods a join work_periods b
                on b.user_id = a.user_id and b.id > a.id
               and tstzrange(a.started_at, a.ended_at) && tstzrange(b.started_at, b.ended_at)`,
      ),
    },
  ]
}

/** Who is in a pause, away or not there is given nothing. */
export async function distribution(office: Office): Promise<Result> {
  const given = sql`(select m.created_at as at, u.id as user_id, m.conversation_id
    from messages m join users u on u.name = m.metadata #>> '{event,to}'
   where m.message_type = 'event' and m.metadata #>> '{event,act}' = 'distributed')`
  return {
    property: 'distribution gives to those who are available',
    checked: await count(office, sql`select count(*)::int as n from ${given} g`),
    faults: await found(
      office,
      sql`select concat('conversation ', g.conversation_id, ' was given at ', g.at, ' to ', g.user_id) as what
            from ${given} g
           where not exists (select from work_periods w
                              where w.user_id = g.user_id and w.state = 'available'
                                and g.at between w.started_at - interval '1 second'
                                             and coalesce(w.ended_at, 'infinity') + interval '1 second')`,
    ),
  }
}
