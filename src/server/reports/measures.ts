import { type SQL, sql } from 'drizzle-orm'
import type { Figure } from '#shared/reports/figures.ts'
import type { ReportGroup } from '#shared/reports/report-parts.ts'
import { figureCondition } from './filter.ts'

/** The figures of some conversations. */
export type Measures = Omit<ReportGroup, 'key' | 'name'>

const timeColumns = {
  firstReply: ['open_first_reply_ms', 'first_reply_ms'],
  queue: ['open_queue_ms', 'queue_ms'],
  handling: ['open_handling_ms', 'handling_ms'],
} as const

/**
 * Aggregates over 'f' and 'v' as one JSON object: what a report says of some conversations. With one pass
 * over them; each median sorts a column.
 */
export function measures(timezone: string): SQL {
  const count = (figure: Figure) => sql`count(*) filter (where ${figureCondition(figure, timezone)})`
  const times = Object.entries(timeColumns).flatMap(([name, [open, clock]]) => [
    sql`${sql.raw(`'${name}'`)}, json_build_object(
          'count', count(${column(clock)}), 'outside', count(${column(clock)}) - count(${column(open)}),
          'open', ${spread(open)}, 'clock', ${spread(clock)})`,
  ])
  return sql`json_build_object(
    'total', count(*),
    'waitingClient', ${count('waiting_client')},
    'waitingOperator', ${count('waiting_operator')},
    'inQueue', ${count('in_queue')},
    'active', ${count('active')},
    'activeWaiting', ${count('active_waiting')},
    'completed', ${count('completed')},
    'byPerson', ${count('by_person')},
    'byInactivity', ${count('by_inactivity')},
    ${sql.join(times, sql`, `)},
    'messages', json_build_object(
      'contact', coalesce(sum(v.contact_message_count), 0),
      'team', coalesce(sum(v.message_count - v.contact_message_count), 0)),
    'rated', json_build_object(
      'count', count(v.satisfaction), 'mean', avg(v.satisfaction)::float8,
      'commented', ${count('commented')}),
    'sla', json_build_object(
      'replyKept', ${count('reply_kept')}, 'replyBroken', ${count('reply_broken')},
      'endKept', ${count('end_kept')}, 'endBroken', ${count('end_broken')}))`
}

const column = (name: string) => sql.raw(`f.${name}`)

function spread(name: string): SQL {
  return sql`json_build_object(
    'mean', avg(${column(name)})::float8,
    'median', percentile_cont(0.5) within group (order by ${column(name)}),
    'p90', percentile_cont(0.9) within group (order by ${column(name)}))`
}
