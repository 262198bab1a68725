import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { mostDays } from '#shared/scheduled/scheduled.ts'
import { isOpen, nextChange } from '#shared/settings/working-hours.ts'
import { appNow } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/db.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'

/** What of a conversation decides about its hours. */
export interface OfHours {
  instanceId: number
  sectorId: number | null
}

/** The instant itself where it is open then, else the next opening; null: none within 400 days. */
export async function openAt(db: Db, { instanceId, sectorId }: OfHours, at: Date): Promise<Date | null> {
  const settings = await settingsOfNumber(db, instanceId, sectorId)
  return isOpen(settings, at) ? at : nextChange(settings, at)
}

/**
 * When a message will be sent that is asked for at an instant.
 * @throws AppError 422 in the past, too far ahead, or never open from then on
 */
export async function planned(
  db: Db,
  conversation: OfHours,
  { at, onlyOpen }: { at: Date; onlyOpen: boolean },
): Promise<Date> {
  const now = await appNow(db)
  if (at <= now) throw new AppError('scheduled.in_past')
  if (at.getTime() > now.getTime() + mostDays * 86_400_000) throw new AppError('scheduled.too_far')
  if (!onlyOpen) return at
  const opening = await openAt(db, conversation, at)
  if (!opening) throw new AppError('scheduled.never_open')
  return opening
}

/** The same, with whose hours have moved it, for the screen that asks before anything is stored. */
export async function plan(
  db: Db,
  conversation: OfHours,
  asked: { at: Date; onlyOpen: boolean },
): Promise<{ sendAt: string; isMoved: boolean; sectorName: string | null }> {
  const sendAt = await planned(db, conversation, asked)
  const [sector] = await db
    .select({ name: sectors.name })
    .from(sectors)
    .where(sql`${sectors.id} = ${conversation.sectorId}::int and ${sectors.ownSettings} ? 'workingHours'`)
  return {
    sendAt: sendAt.toISOString(),
    isMoved: sendAt > asked.at,
    sectorName: sector?.name ?? null,
  }
}
