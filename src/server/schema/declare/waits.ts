import type { SQL } from 'drizzle-orm'

/** Milliseconds, or SQL for them, of a row of the table as 't'. */
export type Longest = number | SQL

/**
 * Times that pace work, by columns of the code. Each says how far ahead of the clock the product sets it, at
 * the most: what is further ahead was written while the clock of the database was wrong. A bound that is too
 * short would cut what is meant to wait.
 * @see `correctClock` in platform/work
 */
export interface Waits<Column extends string = string> {
  /** When something is to be done. What is too far ahead is due now. */
  due?: { [Name in Column]?: Longest }
  /** Until when something belongs to its holder, who may be at it: what is too far ahead is shortened. */
  leases?: { [Name in Column]?: Longest }
  /** When something happened last. What is ahead of the clock has happened now. */
  past?: Column[]
  /** Which rows still wait, of the table as 't'; absent: all. */
  where?: SQL
}

export const seconds = (count: number): number => count * 1000
export const minutes = (count: number): number => count * 60_000
