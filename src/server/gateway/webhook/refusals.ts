import { type SQL, sql } from 'drizzle-orm'
import { type Database, type Db, isDatabaseDown, rows } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { throttle } from '#server/platform/work/throttle.ts'

/** Refusals with longer pauses between them have nothing to do with each other. */
const quietTime = sql`interval '10 minutes'`

/** Counts refused webhooks for all instances together; a flood of them is one write per second. */
export interface RefusalCounter {
  count(): void
  /** Writes what is not written yet. */
  stop(): Promise<void>
}

export function createRefusalCounter(database: Database, log: Log): RefusalCounter {
  let pending = 0
  let writing: Promise<void> | undefined
  const write = async () => {
    const counted = pending
    pending = 0
    if (counted === 0) return
    try {
      await add(database, counted)
    } catch (error) {
      pending += counted
      log[isDatabaseDown(error) ? 'warn' : 'error']({ err: error }, 'refused webhooks not counted')
    }
  }
  const begin = () => {
    writing = write()
  }
  const writes = throttle(begin, { soonMs: 100, everyMs: 1000 })
  return {
    count() {
      pending++
      writes.want()
    },
    async stop() {
      writes.stop()
      await writing
      await write()
    },
  }
}

async function add(db: Db, counted: number): Promise<void> {
  const kept = (column: SQL, otherwise: SQL) =>
    sql`case when r.last_at < app_now() - ${quietTime} then ${otherwise} else ${column} end`
  await db.execute(
    sql`insert into webhook_refusals as r (id, count) values (1, ${counted}::int)
        on conflict (id) do update set
          count = ${kept(sql`r.count + excluded.count`, sql`excluded.count`)},
          since = ${kept(sql`r.since`, sql`app_now()`)},
          last_at = app_now()`,
  )
}

/** How many webhooks were refused since when, if any was refused lately. */
export async function findRefusals(db: Db): Promise<{ count: number; since: Date } | undefined> {
  const [row] = await rows<{ count: number; since: string }>(
    db,
    sql`select count, since::text from webhook_refusals where last_at >= app_now() - ${quietTime}`,
  )
  return row && { count: row.count, since: new Date(row.since) }
}
