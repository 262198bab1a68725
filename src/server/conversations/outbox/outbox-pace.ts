import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { inMs } from './outbox-times.ts'

export interface Turn extends Record<string, unknown> {
  /** How long to wait for the moment, in milliseconds. */
  waitMs: number
  /** The breaker is open, and this is the one message that may find out whether it must be. */
  isProbe: boolean
}

/**
 * Takes the number's next moment to send.
 * @returns undefined when it is another's turn: the breaker's one probe, or the one automatic text of this second
 */
export async function takeTurn(
  db: Db,
  claimed: { instanceId: number; priority: number },
  leaseMs: number,
): Promise<Turn | undefined> {
  const jitter = sql`(0.7 + 0.6 * random())`
  const [row] = await rows<Turn>(
    db,
    // Two may come here for one turn; who waited for the row's lock reads it anew, and is refused.
    sql`update evolution_api_config g
           set next_send_at = greatest(g.next_send_at, clock_timestamp()) + interval '1 second' / g.pace_per_second,
               next_automatic_at = case when ${claimed.priority} < 10 then g.next_automatic_at
                                        else clock_timestamp() + interval '1 second' * ${jitter} end,
               breaker_until = case when g.breaker_until is not null then clock_timestamp() + ${inMs(leaseMs)} end
         where g.id = ${claimed.instanceId} and (g.breaker_until is null or g.breaker_until <= clock_timestamp())
           and (${claimed.priority} < 10 or g.next_automatic_at <= clock_timestamp())
        returning extract(epoch from g.next_send_at - interval '1 second' / g.pace_per_second - clock_timestamp())::float8 * 1000 as "waitMs",
                  g.breaker_until is not null as "isProbe"`,
  )
  return row
}

/** The probe was not made: the next message may be it. */
export async function returnProbe(db: Db, instanceId: number): Promise<void> {
  await db.execute(
    sql`update evolution_api_config set breaker_until = now() where id = ${instanceId} and breaker_until is not null`,
  )
}

/** Five failures in a row open the breaker for about 15 s; then one message is the probe. */
export async function noteHealth(
  db: Db,
  { instanceId, isProbe }: { instanceId: number; isProbe: boolean },
  isHealthy: boolean,
  breakerMs: number,
): Promise<void> {
  const until = sql`now() + ${inMs(breakerMs)} * (0.8 + 0.4 * random())`
  await db.execute(
    isHealthy
      ? sql`update evolution_api_config set failures = 0, breaker_until = null
             where id = ${instanceId} and (failures > 0 or breaker_until is not null)`
      : // What was under way before the breaker opened must not let a second probe through beside the first.
        sql`update evolution_api_config set failures = failures + 1,
                   breaker_until = case when failures + 1 < 5 then null
                                        when ${isProbe} then ${until}
                                        else greatest(breaker_until, ${until}) end
             where id = ${instanceId}`,
  )
}
