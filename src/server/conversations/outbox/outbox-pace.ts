import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { intervalOf } from './outbox-times.ts'

/** Permission to send one message. */
export interface SendSlot extends Record<string, unknown> {
  /** How long to wait before sending, in milliseconds. */
  waitMs: number
  /** The breaker is open, and this is the one message that tests whether it may close. */
  isProbe: boolean
}

/**
 * Reserves the number's next slot.
 * @returns undefined while the breaker is open, except for one probe, and for an automatic text within about
 * a second of the last one
 */
export async function reserveSlot(
  db: Db,
  claimed: { instanceId: number; priority: number },
  leaseMs: number,
): Promise<SendSlot | undefined> {
  const jitter = sql`(0.7 + 0.6 * random())`
  const [row] = await rows<SendSlot>(
    db,
    // The second of two concurrent calls waits for the row lock, rereads the row and finds the slot taken.
    sql`update evolution_api_config g
           set next_send_at = greatest(g.next_send_at, clock_timestamp())
                              + interval '1 second' / g.pace_per_second,
               next_automatic_at = case when ${claimed.priority} < 10 then g.next_automatic_at
                                        else clock_timestamp() + interval '1 second' * ${jitter} end,
               breaker_until = case when g.breaker_until is not null
                                    then clock_timestamp() + ${intervalOf(leaseMs)} end
         where g.id = ${claimed.instanceId}
           and (g.breaker_until is null or g.breaker_until <= clock_timestamp())
           and (${claimed.priority} < 10 or g.next_automatic_at <= clock_timestamp())
        returning extract(epoch from g.next_send_at - interval '1 second' / g.pace_per_second
                                     - clock_timestamp())::float8 * 1000 as "waitMs",
                  g.breaker_until is not null as "isProbe"`,
  )
  return row
}

/** Lets the next message be the probe, since the claimed one was not sent. */
export async function releaseProbe(db: Db, instanceId: number): Promise<void> {
  await db.execute(
    sql`update evolution_api_config set breaker_until = now()
         where id = ${instanceId} and breaker_until is not null`,
  )
}

/** What an answer says of the gateway's health; 'busy': it asks for a pause. */
export type Health = 'well' | 'failing' | 'busy'

/**
 * Counts failures: five in a row, or a gateway that asks for a pause, open the breaker for about `breakerMs`.
 * Then one message is the probe.
 */
export async function recordHealth(
  db: Db,
  { instanceId, isProbe }: { instanceId: number; isProbe: boolean },
  health: Health,
  breakerMs: number,
): Promise<void> {
  const until = sql`now() + ${intervalOf(breakerMs)} * (0.8 + 0.4 * random())`
  const failures = health === 'busy' ? sql`greatest(failures + 1, 5)` : sql`failures + 1`
  await db.execute(
    health === 'well'
      ? sql`update evolution_api_config set failures = 0, breaker_until = null
             where id = ${instanceId} and (failures > 0 or breaker_until is not null)`
      : // A send from before the breaker opened must not, by failing, allow a second probe beside the first.
        sql`update evolution_api_config set failures = ${failures},
                   breaker_until = case when ${failures} < 5 then null
                                        when ${isProbe} then ${until}
                                        else greatest(breaker_until, ${until}) end
             where id = ${instanceId}`,
  )
}
