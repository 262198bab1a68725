import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'

// What of a number decides since when the silence of its clients counts.

/** Events that wait longer than this in the inbox mean that we are behind. */
const behindAfter = sql`interval '1 minute'`

/**
 * Marks every number that is in trouble now: disconnected, refusing sends, or with unprocessed events.
 * @param all marks all numbers, because this server was down
 */
export async function noteTroubles(db: Db, all: boolean): Promise<void> {
  await db.execute(
    sql`update evolution_api_config g set troubled_at = app_now()
         where g.is_active and (${all} or g.status <> 'open' or g.breaker_until is not null
               or exists (select from webhook_inbox i where i.instance_id = g.id and i.processed_at is null
                             and i.dead_reason is null and i.received_at < app_now() - ${behindAfter}))
           and (g.troubled_at is null or g.troubled_at < app_now() - interval '5 seconds')`,
  )
}

/**
 * Begins anew to count the inactivity of clients, since what decides of it has changed: nobody is closed for
 * a silence that was judged otherwise while it lasted.
 * @param id the number; absent: all
 */
export async function restartInactivity(db: Db, id?: number): Promise<void> {
  await db.execute(
    sql`update evolution_api_config set inactivity_from = app_now()
         where ${id === undefined ? sql`true` : sql`id = ${id}`}`,
  )
}

/** Since when inactivity counts at a number; null: always. */
export async function inactivityFrom(db: Db, id: number): Promise<Date | null> {
  const [row] = await db
    .select({ from: evolutionApiConfig.inactivityFrom })
    .from(evolutionApiConfig)
    .where(eq(evolutionApiConfig.id, id))
  return row?.from ?? null
}
