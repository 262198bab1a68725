import { sql } from 'drizzle-orm'
import { figures, groupings, isTimeFigure } from '#shared/reports/figures.ts'
import type { ReportFilter } from '#shared/reports/reports.ts'
import { type Database, type Db, inSnapshot } from '#server/platform/database/db.ts'
import { getSettings } from '#server/settings/settings.ts'
import { computeFacts } from './facts-worker.ts'
import { operatorPerformance, reportGroups } from './groups.ts'
import { workingMinutes } from './recount/minutes.ts'
import { rawConversations, type RawConversation, rawUsers } from './recount/raw-rows.ts'
import {
  recountAll,
  type Recounted,
  recountedFigures,
  recountKeys,
  recountMeasures,
  recountOperator,
  recountOperators,
  recountPart,
} from './recount/recount.ts'
import { allRows } from './rows.ts'
import { reportStats } from './stats.ts'

/** A figure of a report that is not what the rows say. */
export interface Difference {
  /** 'firstReply.open.mean', 'conversation 12: openFirstReplyMs', 'by tag, vip: total' */
  figure: string
  reported: unknown
  recounted: unknown
}

/** Days around the period of which rows are read, since the days of time zones begin at different times. */
const marginMs = 2 * 86_400_000
/** Means of numbers with so many digits are the same. */
const tolerance = 1e-9

/**
 * Computes every figure of a period from the rows of the conversations, with code of its own, and compares.
 * @returns how many conversations and figures were compared
 */
export async function verifyReports(
  database: Database,
  days: Pick<ReportFilter, 'startDate' | 'endDate'>,
  tell: (difference: Difference) => void,
): Promise<{ conversations: number; figures: number; differences: number }> {
  await computeFacts(database)
  return inSnapshot(database, async (db) => {
    // Years take minutes to recount, during which nothing is asked of the database.
    await db.execute(sql`set local idle_in_transaction_session_timeout = 0`)
    const comparison = new Comparison(tell)
    const settings = await getSettings(db)
    const found: RawConversation[] = []
    const span = {
      fromMs: Date.parse(days.startDate) - marginMs,
      toMs: Date.parse(days.endDate) + marginMs + 86_400_000,
    }
    for await (const raw of rawConversations(db, span)) found.push(raw)
    let lastMs = span.toMs
    for (const { completedAt, messages } of found)
      for (const at of [completedAt ?? 0, ...messages.map((m) => m.at)]) lastMs = Math.max(lastMs, at)
    const working = workingMinutes(settings, span.fromMs, lastMs)
    const all = recountAll(found, { ...settings, working }).filter(
      ({ day }) => day >= days.startDate && day <= days.endDate,
    )
    await compareFilter(db, comparison, { ...days }, all, settings.timezone)
    for (const id of new Set(all.flatMap(({ raw }) => raw.assignedUserId ?? [])))
      await compareFilter(
        db,
        comparison.within(`operator ${id}`),
        { ...days, operatorId: id },
        all.filter(({ raw }) => raw.assignedUserId === id),
        settings.timezone,
      )
    await compareOperators(db, comparison, days, all, settings.timezone)
    return { conversations: all.length, ...comparison.counts }
  })
}

/** The figures of a filter, the rows behind each, and the groups. */
async function compareFilter(
  db: Db,
  comparison: Comparison,
  filter: ReportFilter,
  all: readonly Recounted[],
  timezone: string,
): Promise<void> {
  const {
    trend,
    trendUnit,
    hours,
    due: _due,
    timezone: _timezone,
    stars,
    byTeam,
    ...measures
  } = await reportStats(db, filter, timezone)
  comparison.same('', measures, recountMeasures(all))
  comparison.same('byTeam', byTeam, all.filter(({ raw }) => raw.initiatedBy === 'operator').length)
  const withStars = (n: number) => all.filter(({ raw }) => raw.satisfaction === n).length
  comparison.same('stars', stars, [1, 2, 3, 4, 5].map(withStars))
  for (const { from, to, hour, sameDay, ...part } of trend) {
    const within = all.filter(
      (one) => one.day >= from && one.day <= to && (hour === null || one.hour === hour),
    )
    const name = `trend by ${trendUnit}, ${from}${hour === null ? '' : ` ${hour} h`}`
    comparison.same(name, part, recountPart(within))
    comparison.same(`${name}: sameDay`, sameDay, within.filter(({ isSameDay }) => isSameDay).length)
  }
  const known = new Map(hours.map((one) => [`${one.weekday} ${one.hour}`, one]))
  for (let weekday = 0; weekday < 7; weekday++)
    for (let hour = 0; hour < 24; hour++) {
      const within = all.filter((one) => one.weekday === weekday && one.hour === hour)
      const {
        weekday: _w,
        hour: _h,
        ...part
      } = known.get(`${weekday} ${hour}`) ?? {
        weekday,
        hour,
        ...recountPart([]),
      }
      comparison.same(`weekday ${weekday}, ${hour} h`, part, recountPart(within))
    }
  await compareRows(db, comparison, filter, all, timezone)
  for (const by of groupings) {
    const { groups, hasMore } = await reportGroups(db, filter, by, timezone)
    const keys = new Set(all.flatMap((one) => recountKeys(one, by)))
    if (!hasMore) comparison.same(`groups by ${by}`, groups.length, keys.size)
    for (const { key, name: _name, ...figuresOf } of groups)
      comparison.same(
        `by ${by}, ${key}`,
        figuresOf,
        recountMeasures(all.filter((one) => recountKeys(one, by).includes(key))),
      )
  }
}

async function compareRows(
  db: Db,
  comparison: Comparison,
  filter: ReportFilter,
  all: readonly Recounted[],
  timezone: string,
): Promise<void> {
  for (const figure of figures) {
    const expected = new Map(
      all.filter((one) => recountedFigures[figure]?.(one)).map((one) => [one.raw.id, one]),
    )
    let count = 0
    let lastMs = Infinity
    const asked = { filter: { ...filter, figure }, order: 'open' as const, timezone }
    for await (const row of allRows(db, asked)) {
      count += 1
      const one = expected.get(row.id)
      if (!one) {
        comparison.same(`rows of ${figure}`, row.id, undefined)
        continue
      }
      if (figure === 'total')
        comparison.same(
          `conversation ${row.id}`,
          {
            firstReply: timeOf(row.firstReplyMs, row.openFirstReplyMs),
            queue: timeOf(row.queueMs, row.openQueueMs),
            handling: timeOf(row.handlingMs, row.openHandlingMs),
            endedBy: row.endedBy,
          },
          { firstReply: one.firstReply, queue: one.queue, handling: one.handling, endedBy: one.endedBy },
        )
      if (!isTimeFigure(figure)) continue
      const names = { first_reply: 'firstReply', queue: 'queue', handling: 'handling' } as const
      // Those without a time in hours of work are last.
      const open = one[names[figure]]?.open ?? -1
      comparison.same(`rows of ${figure}: the longest first`, open <= lastMs, true)
      lastMs = open
    }
    comparison.same(`rows of ${figure}`, count, expected.size)
  }
}

const timeOf = (clock: number | null, open: number | null) => (clock === null ? null : { clock, open })

async function compareOperators(
  db: Db,
  comparison: Comparison,
  days: Pick<ReportFilter, 'startDate' | 'endDate'>,
  all: readonly Recounted[],
  timezone: string,
): Promise<void> {
  const { operators, others } = await operatorPerformance(db, { ...days }, timezone)
  const expected = recountOperators(all, await rawUsers(db))
  const none = recountOperator([])
  for (const { id, name: _name, pictureUrl: _picture, isActive: _isActive, ...figuresOf } of operators) {
    comparison.same(`operators, ${id}`, figuresOf, expected.get(id) ?? none)
    expected.delete(id)
  }
  comparison.same('operators, others', others, expected.get(0) ?? none)
  expected.delete(0)
  comparison.same('operators left out', expected.size, 0)
}

/** Compares values of any shape, number by number. */
class Comparison {
  readonly counts: { figures: number; differences: number }
  readonly #tell: (difference: Difference) => void
  readonly #place: string

  constructor(tell: (difference: Difference) => void, place = '', counts = { figures: 0, differences: 0 }) {
    this.#tell = tell
    this.#place = place
    this.counts = counts
  }

  /** One that counts with this one, with a name before those of its figures. */
  within(place: string): Comparison {
    return new Comparison(this.#tell, `${this.#place}${place}, `, this.counts)
  }

  same(figure: string, reported: unknown, recounted: unknown): void {
    if (isObject(reported) && isObject(recounted)) {
      for (const name of new Set([...Object.keys(reported), ...Object.keys(recounted)]))
        this.same(figure === '' ? name : `${figure}: ${name}`, reported[name], recounted[name])
      return
    }
    this.counts.figures += 1
    if (isSame(reported, recounted)) return
    this.counts.differences += 1
    this.#tell({ figure: this.#place + figure, reported, recounted })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one), Math.abs(other))
  return one === other
}
