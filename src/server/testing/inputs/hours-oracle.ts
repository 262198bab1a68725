import { sql, type SQL } from 'drizzle-orm'
import type { Schedule } from '#shared/settings/schedule.ts'

/** Schedules that cover every rule, for any time zone. */
export const sampleSchedules: Record<string, Omit<Schedule, 'timezone'>> = {
  'o dia de escritório, com almoço': {
    workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
    lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
    scheduleExceptions: [
      { date: '2026-12-24', hours: { start: '08:30', end: '12:45' }, message: '' },
      { date: '2026-12-25', hours: null, message: 'Feliz Natal!' },
      { date: '2027-02-09', hours: null, message: '' },
      { date: '2027-05-01', hours: { start: '10:00', end: '10:00' }, message: '' },
    ],
  },
  'o turno da noite, com pausa depois da meia-noite': {
    workingHours: { start: '21:30', end: '05:15', days: [0, 2, 4, 6] },
    lunchBreak: { enabled: true, start: '23:45', end: '00:20' },
    scheduleExceptions: [
      { date: '2026-04-04', hours: { start: '20:00', end: '04:00' }, message: '' },
      { date: '2026-09-05', hours: { start: '23:30', end: '00:30' }, message: '' },
      { date: '2026-10-25', hours: { start: '00:15', end: '02:30' }, message: '' },
      { date: '2027-03-14', hours: { start: '02:10', end: '02:50' }, message: '' },
      { date: '2027-12-31', hours: null, message: '' },
    ],
  },
  'dia e noite, salvo um feriado': {
    workingHours: { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] },
    lunchBreak: { enabled: true, start: '03:00', end: '03:30' },
    scheduleExceptions: [
      { date: '2026-12-25', hours: null, message: '' },
      { date: '2026-12-31', hours: { start: '00:00', end: '00:00' }, message: '' },
    ],
  },
  'dias com horário diferente, com almoço por dia': {
    workingHours: {
      start: '08:00',
      end: '18:00',
      days: [1, 2, 3, 4, 5],
      differentDays: [
        { day: 6, start: '08:00', end: '12:30', lunch: 'usual' },
        { day: 0, start: '22:45', end: '03:15', lunch: { start: '23:50', end: '00:25' } },
        { day: 2, start: '00:00', end: '00:00', lunch: 'none' },
        { day: 5, start: '09:30', end: '16:15', lunch: { start: '11:10', end: '11:40' } },
      ],
    },
    lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
    scheduleExceptions: [
      // A Sunday, a Tuesday and a Saturday.
      { date: '2026-03-08', hours: null, message: '' },
      { date: '2026-12-29', hours: { start: '10:00', end: '14:00' }, message: '' },
      { date: '2027-01-02', hours: { start: '20:00', end: '02:00' }, message: '' },
    ],
  },
  'todos os dias, menos um minuto': {
    workingHours: { start: '00:00', end: '23:59', days: [0, 1, 2, 3, 4, 5, 6] },
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
    scheduleExceptions: [],
  },
}

/**
 * The same question answered by PostgreSQL, with its own time zone data and other arithmetic: it builds the
 * windows of the day and of the day before, and checks whether the local time lies within one of them.
 * @param local the local time, a `timestamp`
 */
export function isOpenByOracle(
  local: SQL,
  { workingHours, lunchBreak, scheduleExceptions }: Omit<Schedule, 'timezone'>,
): SQL {
  const exceptions = JSON.stringify(scheduleExceptions)
  const differentDays = JSON.stringify(workingHours.differentDays ?? [])
  const isLunch = sql`case
    when lunch_start < lunch_end then (${local})::time >= lunch_start and (${local})::time < lunch_end
    when lunch_start > lunch_end then (${local})::time >= lunch_start or (${local})::time < lunch_end
    else false end`
  return sql`exists (
    select from (values ((${local})::date), ((${local})::date - 1)) as began(day)
      left join jsonb_to_recordset(${exceptions}::jsonb) as x(date date, hours jsonb) on x.date = began.day
      left join jsonb_to_recordset(${differentDays}::jsonb)
                  as y(day int, "start" time, "end" time, lunch jsonb)
        on y.day = extract(dow from began.day)
      cross join lateral (select
        case when x.date is not null then (x.hours ->> 'start')::time
             when y.day is not null then y."start"
             when extract(dow from began.day)::int = any(${sql.param(workingHours.days)}::int[])
             then ${workingHours.start}::time end as opens,
        case when x.date is not null then (x.hours ->> 'end')::time
             when y.day is not null then y."end"
             else ${workingHours.end}::time end as closes,
        case when jsonb_typeof(y.lunch) = 'object' then (y.lunch ->> 'start')::time
             when ${lunchBreak.enabled} and coalesce(y.lunch #>> '{}', 'usual') = 'usual'
             then ${lunchBreak.start}::time end as lunch_start,
        case when jsonb_typeof(y.lunch) = 'object' then (y.lunch ->> 'end')::time
             else ${lunchBreak.end}::time end as lunch_end) as hours
     where (opens <> closes or opens = '00:00')
       and (${local}) >= began.day + opens
       and (${local}) < began.day + closes
                        + case when closes < opens or (closes = opens and opens = '00:00')
                               then interval '1 day' else interval '0' end
       and (x.date is not null or not ${isLunch}))`
}
