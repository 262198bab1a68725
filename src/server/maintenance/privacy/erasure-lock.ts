import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { statement } from '#server/platform/database/statement.ts'

/** By which a person writes. */
export interface Address {
  kind: 'phone' | 'lid'
  value: string
}

/**
 * Taken by whoever anonymizes a person, and shared by their webhooks, before it is asked whether they were
 * anonymized: after the rows of the inbox, before the names of `contactOf`.
 */
export const erasureName = ({ kind, value }: Address): string => `erasure:${kind}:${value}`

export async function lockErasure(db: Db, addresses: readonly Address[]): Promise<void> {
  for (const address of addresses) await lockName(db, erasureName(address))
}

/** Shares the names until the end of the transaction: others may share them meanwhile. */
export const shareNames = statement<{ names: readonly string[] }>()((db) =>
  db
    .select({ shared: sql<number>`count(pg_advisory_xact_lock_shared(hashtextextended(name, 0)))::int` })
    .from(sql`unnest((select ${sql.placeholder('names')}::text[])) name`),
)
