import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'

/** The product's clock of a test database, which can be moved for all of its connections. */
export interface MovableClock {
  /** Sets the clock to an instant, from which it runs on. */
  set(at: Date): Promise<void>
  forward(ms: number): Promise<void>
  now(): Promise<Date>
}

export async function movableClock(database: Database): Promise<MovableClock> {
  await database.execute(sql`create table if not exists test_clock (ahead interval not null)`)
  await database.execute(
    sql`insert into test_clock select interval '0' where not exists (select from test_clock)`,
  )
  await database.execute(sql`create or replace function app_now() returns timestamptz
    language sql stable parallel safe as
    $$ select now() + (select ahead from public.test_clock) $$`)
  return {
    async set(at) {
      await database.execute(sql`update test_clock set ahead = ${at.toISOString()}::timestamptz - now()`)
    },
    async forward(ms) {
      await database.execute(sql`update test_clock set ahead = ahead + ${ms} * interval '1 millisecond'`)
    },
    async now() {
      const [row] = await rows<{ now: string }>(database, sql`select app_now()::text as now`)
      if (!row) throw new Error('no clock')
      return new Date(row.now)
    },
  }
}
