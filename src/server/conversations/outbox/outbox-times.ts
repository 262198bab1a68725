import { type SQL, sql } from 'drizzle-orm'

/** Times of the outbox, in milliseconds. */
export interface OutboxTimes {
  /**
   * Raw clock. How long a claim is its process's without a sign of life: the leases of sends under way are
   * renewed three times as often.
   */
  leaseMs: number
  /** Raw clock. How long the breaker stays open, plus or minus a fifth. */
  breakerMs: number
  /** Raw clock. How often unconfirmed sends are verified. */
  verifyMs: number
  /** How long the gateway's record must lack a message before it is sent again. */
  absentMs: number
  /** After this time a send without proof either way fails. */
  giveUpMs: number
}

/** @see reliability F-05, F-08, F-18 */
export const usualTimes: OutboxTimes = {
  leaseMs: 12_000,
  breakerMs: 15_000,
  verifyMs: 5000,
  absentMs: 60_000,
  giveUpMs: 10 * 60_000,
}

/** Sends of one message at most, until a person retries it. */
export const maxTries = 4

/** Milliseconds as an SQL interval. */
export const intervalOf = (ms: number): SQL => sql`(${ms}::float8 * interval '1 millisecond')`
