import { useMemo } from 'react'
import * as z from 'zod/mini'
import {
  dayCount,
  type Days,
  type Period,
  periodBefore,
  periodOf,
  periods,
  untilToday,
} from '#shared/reports/periods.ts'
import {
  reportPageSizes,
  rowOrders,
  type RowsFilter,
  rowsFilterFields,
} from '#shared/reports/report-parts.ts'
import { type ReportFilter, reportFilterFields, type StatsFilter } from '#shared/reports/reports.ts'
import type { SavedFilter } from '#shared/reports/saved-reports.ts'
import { dayParam } from '#shared/users/users.ts'
import { usePageFilter } from '#web/platform/browser/use-page-filter.ts'
import { type FilterOf, useUrlFilter } from '#web/platform/browser/use-url-filter.ts'

const fields = {
  period: z.optional(z.enum(periods)),
  startDate: z.optional(dayParam),
  endDate: z.optional(dayParam),
  ...reportFilterFields,
  ...rowsFilterFields,
  order: z.optional(z.enum(rowOrders)),
  /** Times by the clock instead of in hours of work. */
  times: z.optional(z.enum(['clock'])),
  /** Without the period before. */
  compare: z.optional(z.enum(['no'])),
}
type Asked = FilterOf<typeof fields>

/** What narrows a report to some of the conversations of its days. */
const narrowings = ['operatorId', 'instanceId', 'sectorId', 'category', 'companyId', 'tag'] as const
const dayFields = ['period', 'startDate', 'endDate'] as const
const subjectFields = [...dayFields, ...narrowings] as const

/** What a report is about; what else is in the URL is how it is shown. */
export type Subject = Pick<Asked, (typeof subjectFields)[number]>

/** Without what is undefined or usual, in one order: two of the same are equal as JSON. */
export function plainSubject(subject: Subject): Subject {
  const { period, ...others } = pick(subject, subjectFields)
  return { ...(period !== undefined && period !== 'day' && { period }), ...others }
}

/** The same days without operator, number, sector, category, company and tag. */
export const withoutNarrowings = (subject: Subject): Subject => pick(subject, dayFields)

export const isNarrowed = (subject: Subject): boolean =>
  narrowings.some((field) => subject[field] !== undefined)

/** Some fields, as far as they are there. */
function pick<Of extends object, Name extends keyof Of>(from: Of, names: readonly Name[]) {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  ) as { [Field in Name]?: NonNullable<Of[Field]> }
}

/** Which of the conversations of a report are listed. */
export const restrictions = ['figure', 'from', 'to', 'weekday', 'hour', 'stars', 'by', 'key'] as const
export type Restriction = Pick<Asked, (typeof restrictions)[number]>

/** The days of a report: those of the period that has a day, today's if none is named. */
export function daysOf({ period, startDate, endDate }: Subject, today: string): Days {
  if (period !== 'custom') return periodOf(period ?? 'day', startDate ?? today)
  if (startDate === undefined || endDate === undefined || startDate > endDate)
    return periodOf('day', startDate ?? endDate ?? today)
  return { startDate, endDate }
}

/** Whether today is compared with a day, of which then only as much counts as today has had. */
function isPartOfDay(days: Days, before: Days, today: string): boolean {
  const reached = untilToday(days, today)
  return reached.endDate === today && dayCount(before) === dayCount(reached)
}

/** The report that the URL asks for. */
export function useReport(today: string) {
  const { filter: asked, change } = useUrlFilter(fields)
  const page = usePageFilter(reportPageSizes)
  const key = JSON.stringify(asked)
  const report = useMemo(() => {
    const given = JSON.parse(key) as Asked
    const days = daysOf(given, today)
    const filter: ReportFilter = { ...days, ...pick(given, narrowings) }
    const before = periodBefore(days, today)
    const restriction: Restriction = pick(given, restrictions)
    const hasRows = Object.keys(restriction).length > 0
    const rows: RowsFilter | undefined = hasRows ? { ...filter, ...restriction } : undefined
    return {
      period: given.period ?? ('day' as Period),
      days,
      /** What the period has had of days. */
      reached: untilToday(days, today),
      filter,
      before,
      beforeFilter: {
        ...filter,
        ...before,
        ...(isPartOfDay(days, before, today) && { until: 'now' }),
      } as StatsFilter,
      restriction,
      rows,
    }
  }, [key, today])
  const nothing = Object.fromEntries(restrictions.map((name) => [name, undefined]))
  return {
    ...report,
    subject: plainSubject(asked),
    isByClock: asked.times === 'clock',
    isCompared: asked.compare !== 'no',
    order: asked.order,
    page: page.filter,
    setPage: page.change,
    /** Asks for a report; what is listed of another one is closed. */
    ask: (subject: Subject) =>
      change({
        ...nothing,
        order: undefined,
        ...Object.fromEntries(subjectFields.map((name) => [name, subject[name]])),
      }),
    /** Lists some of the conversations; undefined closes the list. */
    list: (restriction: Restriction | undefined) => change({ ...nothing, order: undefined, ...restriction }),
    sort: (order: Asked['order']) => change({ order }),
    setByClock: (isByClock: boolean) => change({ times: isByClock ? 'clock' : undefined }),
    setCompared: (isCompared: boolean) => change({ compare: isCompared ? undefined : 'no' }),
  }
}
export type Report = ReturnType<typeof useReport>

/** What is kept of a report under a name: without the days, unless they were chosen. */
export function toSaved(subject: Subject, restriction: Restriction): SavedFilter {
  const { period = 'day', startDate, endDate } = subject
  const days = period === 'custom' ? { startDate, endDate } : {}
  return { period, ...days, ...pick(subject, narrowings), figure: restriction.figure }
}
