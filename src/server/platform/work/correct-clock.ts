import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import { jobSchema } from '#server/platform/jobs/job-schema.ts'
import type { Log } from '#server/platform/log.ts'
import type { Longest } from '#server/schema/declare/waits.ts'
import { jobs } from '#server/schema/platform/jobs.ts'
import { declarationOf, schema, tableNames } from '#server/schema/schema.ts'
import { createWorker, type Worker } from './worker.ts'

/** A time that paces work. */
interface Pace {
  column: string
  /** How far ahead of the clock it can be, an interval. */
  limit: SQL
  /** What it takes when it is further ahead. */
  value: SQL
}

interface PacedTable {
  name: string
  /** Which rows still wait, as 't'. */
  where: SQL
  paces: Pace[]
}

const isAny = sql`true`
const now = sql`now()`
const none = sql`interval '0'`
/** Another transaction, begun a moment after this one, may have stored its own time already. */
const slack = sql`interval '2 seconds'`

const intervalOf = (longest: Longest) =>
  sql`(${typeof longest === 'number' ? sql.raw(String(longest)) : longest}) * interval '1 millisecond'`

/** The times of our own tables, by their declarations. */
const ownTables: PacedTable[] = tableNames.flatMap((key) => {
  const { waits } = declarationOf(key)
  if (!waits) return []
  const columns: Record<string, { name: string }> = getTableColumns(schema[key])
  const pace = (column: string, longest: Longest, isLease: boolean): Pace => {
    const limit = intervalOf(longest)
    return { column: columns[column]?.name ?? column, limit, value: isLease ? sql`now() + ${limit}` : now }
  }
  const pacesOf = (times: Partial<Record<string, Longest>> = {}, isLease = false) =>
    Object.entries(times).map(([column, longest = 0]) => pace(column, longest, isLease))
  const paces = [
    ...pacesOf(waits.due),
    ...pacesOf(waits.leases, true),
    ...(waits.past ?? []).map((column) => pace(column, 0, false)),
  ]
  return [{ name: getTableName(schema[key]), where: waits.where ?? isAny, paces }]
})

const past = (column: string): Pace => ({ column, limit: none, value: now })

/** Those of pg-boss: when each of its rounds began, and the jobs that wait; we start none for later. */
const queueTables: PacedTable[] = [
  { name: `${jobSchema}.version`, where: isAny, paces: ['cron_on', 'bam_on', 'flow_on'].map(past) },
  {
    name: `${jobSchema}.queue`,
    where: isAny,
    paces: ['monitor_claim_on', 'monitor_on', 'maintain_on'].map(past),
  },
  {
    name: `${jobSchema}.job`,
    where: sql`t.state in ('created', 'retry', 'active')`,
    paces: [
      // The longest pause before another attempt.
      { column: 'start_after', limit: sql`interval '1 hour'`, value: now },
      ...['created_on', 'started_on', 'heartbeat_on'].map(past),
    ],
  },
]

/** In tests the product's clock is another one than that of leases. */
const latest = sql`greatest(now(), app_now())`
const isAhead = ({ column, limit }: Pace) => sql`t.${sql.raw(column)} > ${latest} + ${limit} + ${slack}`
const rowsAhead = ({ name, where, paces }: PacedTable) =>
  sql`${sql.raw(name)} t where (${where}) and (${sql.join(paces.map(isAhead), sql` or `)})`

/** The name in `jobs` of the last correction: `doneAt` is its time. */
const correction = 'clock-correction'

/**
 * Finds times that are further ahead than the product ever sets them, and lets what waits for them go on.
 * They come of a clock that ran ahead and was set right: until it has caught up, nobody would do that work.
 * @returns how many rows were changed
 */
export async function correctClock(database: Database): Promise<number> {
  const [queue] = await rows<{ exists: boolean }>(
    database,
    sql`select to_regclass(${`${jobSchema}.version`}) is not null as exists`,
  )
  const tables = [...ownTables, ...(queue?.exists ? queueTables : [])]
  const any = sql.join(
    tables.map((table) => sql`exists (select from ${rowsAhead(table)})`),
    sql` or `,
  )
  const [found] = await rows<{ any: boolean }>(database, sql`select ${any} as any`)
  if (!found?.any) return 0
  return inTransaction(database, async (db) => {
    let changed = 0
    for (const table of tables) changed += await correctTable(db, table)
    if (changed > 0)
      await db
        .insert(jobs)
        .values({ name: correction, doneAt: now })
        .onConflictDoUpdate({ target: jobs.name, set: { doneAt: now } })
    return changed
  })
}

/** Rows that somebody works at are left: they change them, or the next look does. */
async function correctTable(db: Db, table: PacedTable): Promise<number> {
  const values = table.paces.map((pace) => {
    const column = sql.raw(pace.column)
    return sql`${column} = case when ${isAhead(pace)} then ${pace.value} else t.${column} end`
  })
  const result = await db.execute(
    sql`update ${sql.raw(table.name)} t set ${sql.join(values, sql`, `)}
         where t.ctid = any(array(select t.ctid from ${rowsAhead(table)} for update skip locked))`,
  )
  return result.rowCount ?? 0
}

/** When times were last corrected; undefined: not within a day. */
export async function findCorrection(db: Db): Promise<Date | undefined> {
  const [row] = await rows<{ at: string }>(
    db,
    sql`select done_at::text as at from jobs
         where name = ${correction} and done_at > now() - interval '1 day'`,
  )
  return row && new Date(row.at)
}

/**
 * Looks for such times every few seconds, in every process: a lease on this work could itself be ahead.
 * @param also what else mends the effects of a clock that was ahead; it returns how many rows it has changed
 */
export function startClockCorrection(
  database: Database,
  log: Log,
  also: (database: Database) => Promise<number>,
  everyMs = 5000,
): Worker {
  return createWorker({
    name: 'clock-correction',
    database,
    log,
    pollMs: everyMs,
    async work() {
      const changed = (await correctClock(database)) + (await also(database))
      if (changed > 0)
        log.warn({ changed }, 'the clock was set back: what it had put off or misjudged goes on')
      return 'idle'
    },
  })
}
