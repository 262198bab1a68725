import { type SQL, sql } from 'drizzle-orm'

/** How long the outbox waits for what, in milliseconds. */
export interface OutboxTimes {
  /** Raw clock. Longer than any answer of the gateway takes, so that nobody claims what is still under way. */
  leaseMs: number
  /** Raw clock. How long the breaker stays open, give or take a fifth. */
  breakerMs: number
  /** Raw clock. How often doubts are looked up. */
  lookMs: number
  /** So long the gateway's record must not have a message before it is sent again. */
  doubtMs: number
  /** After so long without proof either way it has failed, visibly. */
  giveUpMs: number
}

/** @see reliability F-05, F-08, F-18 */
export const usualTimes: OutboxTimes = {
  leaseMs: 90_000,
  breakerMs: 15_000,
  lookMs: 5000,
  doubtMs: 60_000,
  giveUpMs: 10 * 60_000,
}

/** How often one message is sent at most, before a person says otherwise. */
export const maxTries = 4

/** As SQL's interval. */
export const inMs = (ms: number): SQL => sql`(${ms}::float8 * interval '1 millisecond')`
