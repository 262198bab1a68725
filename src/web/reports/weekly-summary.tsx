import { useQuery } from '@tanstack/react-query'
import { ArrowRight, CalendarDays } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { lastWeeks } from '#shared/reports/periods.ts'
import type { Times } from '#shared/reports/reports.ts'
import { dayKey } from '#web/platform/dates.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { statsQuery } from '#web/reports/asked/queries.ts'
import { reportAddress } from '#web/reports/asked/report-address.ts'
import type { Restriction } from '#web/reports/asked/use-report.ts'
import { count, countDelta, daysText, duration, outsideWith, rating } from '#web/reports/asked/words.ts'

const firstReplyText = ({ open, clock }: Times) =>
  open.mean === null ? outsideWith(clock.mean) : duration(open.mean)

/** The last whole week in a line, on the dashboard: each number opens its conversations. */
export function WeeklySummary() {
  const today = dayKey(useNow(60_000))
  const { week, before } = lastWeeks(today)
  const stats = useQuery(statsQuery(week))
  const then = useQuery(statsQuery(before))
  const { data } = stats
  // Not even a week old: nothing to report.
  if (!data || !then.data || data.total === 0) return null
  const delta = countDelta(data.total, then.data.total)
  const subject = { period: 'week', startDate: week.startDate } as const
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
    <section
      aria-label="Na semana"
      className={[
        'mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border border-line bg-surface',
        'px-4 py-2.5 text-sm text-ink-2',
      ].join(' ')}
    >
      <CalendarDays aria-hidden size={16} className="flex-none text-ink-3 max-md:hidden" />
      <p className="min-w-0 flex-1 basis-80 tabular-nums">
        Na semana: {to({ figure: 'total' }, count(data.total))}{' '}
        {data.total === 1 ? 'atendimento' : 'atendimentos'}
        {delta && <>, {to({}, delta.text)}</>}
        {data.firstReply.count > 0 && (
          <>, primeira resposta {to({ figure: 'first_reply' }, firstReplyText(data.firstReply))}</>
        )}
        {data.rated.count > 0 && <>, nota {to({ figure: 'rated' }, rating(data.rated.mean))}</>}
      </p>
      <span className="text-xs text-ink-3 tabular-nums max-lg:hidden">
        {daysText(week)}, comparada a {daysText(before)}
      </span>
      <Link
        href={reportAddress(subject)}
        className="inline-flex items-center gap-1 font-medium text-accent-text hover:underline"
      >
        Ver relatório <ArrowRight aria-hidden size={16} />
      </Link>
    </section>
  )
}
