import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { lastWeeks } from '#shared/reports/periods.ts'
import type { Times } from '#shared/reports/reports.ts'
import { meanTimeText, outsideHoursText } from '#shared/text/time/mean-time.ts'
import { dayKey } from '#web/platform/dates.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { statsQuery } from '#web/reports/asked/queries.ts'
import { reportAddress } from '#web/reports/asked/report-address.ts'
import type { Restriction } from '#web/reports/asked/use-report.ts'
import { WeeklyLine } from './weekly-line.tsx'
import { count, countDelta, daysText, rating } from '#web/reports/asked/words.ts'

const firstReplyText = ({ open, clock }: Times) =>
  open.mean === null ? outsideHoursText(clock.mean) : meanTimeText(open.mean)

/** The last whole week in a line, on the dashboard: each number opens its conversations. */
export function WeeklySummary() {
  const today = dayKey(useNow(60_000))
  const { week, before } = lastWeeks(today)
  const stats = useQuery(statsQuery(week))
  const then = useQuery(statsQuery(before))
  const { data } = stats
  const subject = { period: 'week', startDate: week.startDate } as const
  const href = reportAddress(subject)
  if (!data && stats.error) return <WeeklyLine href={href}>Na semana: não foi possível carregar.</WeeklyLine>
  // Without the week before there is nothing to compare with.
  if (!data || (!then.data && !then.error)) return <WeeklyLine href={href} />
  if (data.total === 0) return <WeeklyLine href={href}>Na semana: nenhum atendimento</WeeklyLine>
  const delta = then.data && countDelta(data.total, then.data.total)
  const to = (restriction: Restriction, text: ReactNode) => (
    <Link
      href={reportAddress(subject, restriction)}
      className={[
        'font-semibold text-ink underline decoration-line-strong underline-offset-3',
        'hover:decoration-ink',
      ].join(' ')}
    >
      {text}
    </Link>
  )
  return (
    <WeeklyLine href={href} days={`${daysText(week)}, comparada a ${daysText(before)}`}>
      Na semana: {to({ figure: 'total' }, count(data.total))}{' '}
      {data.total === 1 ? 'atendimento' : 'atendimentos'}
      {delta && <>, {to({}, delta.text)}</>}
      {data.firstReply.count > 0 && (
        <>, primeira resposta {to({ figure: 'first_reply' }, firstReplyText(data.firstReply))}</>
      )}
      {data.rated.count > 0 && <>, nota {to({ figure: 'rated' }, rating(data.rated.mean))}</>}
    </WeeklyLine>
  )
}
