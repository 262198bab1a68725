import { type SQL, sql } from 'drizzle-orm'
import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { openMsBetween } from '#shared/settings/working-hours.ts'
import { record } from '#server/audit/audit.ts'
import { inactivityFrom, noteTroubles } from '#server/gateway/gateway.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { getSettings, settingsOfNumber } from '#server/settings/settings.ts'
import { complete } from '#server/conversations/acts/complete.ts'
import { sendAutomatic } from '#server/conversations/store/texts.ts'
import { type Locked, lockConversation } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

const limitMs = inactivityMinutes * 60_000
/** How many silent conversations are closed at a time; the next run takes the others. */
const maxAtOnce = 1000

/**
 * Closes conversations that have been silent for 30 minutes, after a warning if the settings say so. None is
 * closed while its number is disconnected or behind, or for 30 minutes after that: an outage is not a
 * contact's inactivity. A silence in which nothing would have been closed does not count either: the clock
 * begins at the last message, or when it last began to apply to the conversation or to its number.
 * @param wasAway whether this has not run for a while, since the server itself was down
 * @see decisions §2 'inactivity after 30 minutes', reliability F-24
 */
export async function closeSilent(database: Database, wasAway: boolean): Promise<void> {
  await noteTroubles(database, wasAway)
  const settings = await getSettings(database)
  for (const { id } of await listSilent(database, settings)) await closeOrWarn(database, id)
}

/** Whether the last message did not reach the client: they wait for us, whatever the settings say. */
const hasFailed = (conversationId: SQL) => sql<boolean>`exists (
  select from conversations v join messages l on l.id = v.last_message_id and l.delivery_status = 'failed'
   where v.id = ${conversationId})`

/** From the time of the warning on; each is judged again under its lock. */
function listSilent(database: Database, settings: SystemSettings): Promise<{ id: number }[]> {
  const silentMs = limitMs - settings.inactivityWarningMinutes * 60_000
  const since = sql`greatest(c.last_activity_at, c.auto_close_from, g.inactivity_from)`
  return rows<{ id: number }>(
    database,
    sql`select c.id from conversations c join evolution_api_config g on g.id = c.instance_id
         where c.status <> 'completed' and not c.disable_auto_close
           and c.snoozed_until is null and c.returned_at is null
           and not ${hasFailed(sql`c.id`)}
           and (c.waiting_for = 'client'
                or (c.sub_status <> 'FILA' and ${settings.inactivityAppliesTo === 'all'}))
           and ${since} <= app_now() - ${silentMs} * interval '1 millisecond'
           and g.is_active
           and (g.troubled_at is null or g.troubled_at <= app_now() - ${limitMs} * interval '1 millisecond')
           and (${silentMs === limitMs} or (c.inactivity_warned_at > ${since}) is not true
                or ${since} <= app_now() - ${limitMs} * interval '1 millisecond')
         order by c.last_activity_at limit ${maxAtOnce}`,
  )
}

type Silent = Pick<
  Locked,
  | 'status'
  | 'subStatus'
  | 'waitingFor'
  | 'disableAutoClose'
  | 'snoozedUntil'
  | 'returnedAt'
  | 'lastActivityAt'
  | 'autoCloseFrom'
  | 'inactivityWarnedAt'
>

/**
 * What the inactivity of a conversation leads to now. Pure.
 * @param numberFrom since when inactivity counts at its number; null: always
 */
export function judgeInactivity(
  conversation: Silent,
  settings: SystemSettings,
  now: Date,
  numberFrom: Date | null = null,
): 'close' | 'warn' | 'leave' {
  const { status, subStatus, waitingFor, disableAutoClose, snoozedUntil, returnedAt, inactivityWarnedAt } =
    conversation
  if (status === 'completed' || disableAutoClose) return 'leave'
  // On hold, or back from it and not opened since: what was promised has not been seen.
  if (snoozedUntil !== null || returnedAt !== null) return 'leave'
  // Nobody in the queue is closed; a client who was answered on the phone is no longer in it.
  const mayBeClosed =
    waitingFor === 'client' || (subStatus !== 'FILA' && settings.inactivityAppliesTo === 'all')
  if (!mayBeClosed) return 'leave'
  const { lastActivityAt, autoCloseFrom } = conversation
  const since = new Date(Math.max(+lastActivityAt, +(autoCloseFrom ?? 0), +(numberFrom ?? 0)))
  const silentMs = settings.inactivityCountsOpenHoursOnly
    ? openMsBetween(settings, since, now)
    : now.getTime() - since.getTime()
  if (silentMs >= limitMs) return 'close'
  const warnedFromMs = limitMs - settings.inactivityWarningMinutes * 60_000
  // A message since the warning began a new inactive period.
  const isWarned = inactivityWarnedAt !== null && inactivityWarnedAt > since
  return settings.inactivityWarningMinutes > 0 && silentMs >= warnedFromMs && !isWarned ? 'warn' : 'leave'
}

/** Under the conversation's lock: an earlier message keeps it open, a later one finds it closed. */
async function closeOrWarn(database: Database, id: number): Promise<void> {
  await inTransaction(database, async (db) => {
    const conversation = await lockConversation(db, id)
    if (!conversation) return
    const [last] = await rows<{ hasFailed: boolean }>(
      db,
      sql`select ${hasFailed(sql`${id}::int`)} as "hasFailed"`,
    )
    if (last?.hasFailed) return
    const settings = await settingsOfNumber(db, conversation.instanceId, conversation.sectorId)
    const numberFrom = await inactivityFrom(db, conversation.instanceId)
    const verdict = judgeInactivity(conversation, settings, await appNow(db), numberFrom)
    if (verdict === 'warn') {
      await updateConversation(db, conversation, { inactivityWarnedAt: sql`app_now()` })
      await sendAutomatic(db, conversation, 'inactivityWarningMessage', { settings })
      db.emit({ type: 'conversation_updated', conversationId: id })
    }
    if (verdict !== 'close') return
    await complete(db, conversation, 'inactivityMessage', {
      by: null,
      act: 'closed_by_inactivity',
      reason: undefined,
    })
    await record(db, 'system', {
      action: 'conversation.auto_finalize',
      resourceId: id,
      details: { assignedUserId: conversation.assignedUserId },
    })
  })
}
