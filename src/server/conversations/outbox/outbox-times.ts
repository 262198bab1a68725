import { type SQL, sql } from 'drizzle-orm'

/** Times of the outbox, in milliseconds. */
export interface OutboxTimes {
  /** Raw clock. Longer than the gateway may take to answer, so that nobody claims what is still under way. */
  leaseMs: number
  /** Raw clock. How long the breaker stays open, give or take a fifth. */
  breakerMs: number
  /** Raw clock. How often unconfirmed sends are verified. */
  lookMs: number
  /** How long the gateway's record must lack a message before it is sent again. */
  absentMs: number
  /** Without proof either way a send fails, visibly, after this time. */
  giveUpMs: number
}

/** @see reliability F-05, F-08, F-18 */
export const usualTimes: OutboxTimes = {
  leaseMs: 90_000,
  breakerMs: 15_000,
  lookMs: 5000,
  absentMs: 60_000,
  giveUpMs: 10 * 60_000,
}

/** How often one message is sent at most, unless a person asks for more. */
export const maxTries = 4

/** As SQL's interval. */
export const inMs = (ms: number): SQL => sql`(${ms}::float8 * interval '1 millisecond')`
