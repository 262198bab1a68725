import { sql } from 'drizzle-orm'
import { type Db, rows } from './db.ts'

// Locks on names, for what has no row to lock; and how long the locks of a claim are kept.

/**
 * Within a statement that claims work, for the rest of its transaction: a process that does nothing with what
 * it has locked for so long stands still or is dead, or its machine is, and its locks are another's.
 */
export const letsGoSoon = sql`set_config('idle_in_transaction_session_timeout', '12s', true)`

/** Takes an advisory lock on the name until the end of the transaction. */
export async function lockName(db: Db, name: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** The same without waiting. @returns whether it was free */
export async function tryLockName(db: Db, name: string): Promise<boolean> {
  const [lock] = await rows<{ isHeld: boolean }>(
    db,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as "isHeld"`,
  )
  return lock?.isHeld === true
}

/** The same for many names, always in the same order. */
export async function lockNames(db: Db, names: string[]): Promise<void> {
  const sorted = names.toSorted()
  await db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(n, 0)) from unnest(${sql.param(sorted)}::text[]) n`,
  )
}
