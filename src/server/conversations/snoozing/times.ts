import { sql } from 'drizzle-orm'
import type { snoozeTimeNames } from '#shared/conversations/snooze.ts'
import { isOpen, neverOpens, nextChange } from '#shared/settings/working-hours.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'

interface SnoozeTime {
  name: (typeof snoozeTimeNames)[number]
  at: string
  isMoved: boolean
}

/**
 * The times that 'Lembrar' offers for a conversation, by the working hours of its sector, else its number:
 * 'Amanhã 09:00' and 'Segunda 09:00' become the next opening where nobody works then.
 */
export async function snoozeTimes(
  db: Db,
  { instanceId, sectorId }: { instanceId: number; sectorId: number | null },
): Promise<{ times: SnoozeTime[] }> {
  const settings = await settingsOfNumber(db, instanceId, sectorId)
  const { timezone } = settings
  const local = sql`(app_now() at time zone ${timezone})`
  const nine = (days: ReturnType<typeof sql>) =>
    sql<string>`((date_trunc('day', ${local}) + ${days} + interval '9 hours')
      at time zone ${timezone})::text`
  const [now] = await rows<{ halfHour: string; hour: string; tomorrow: string; monday: string }>(
    db,
    sql`select (app_now() + interval '30 minutes')::text as "halfHour",
               (app_now() + interval '1 hour')::text as hour,
               ${nine(sql`interval '1 day'`)} as tomorrow,
               ${nine(sql`(8 - extract(isodow from ${local})) * interval '1 day'`)} as monday`,
  )
  if (!now) throw new Error('no time')
  const plain = (name: SnoozeTime['name'], at: string) => ({
    name,
    at: new Date(at).toISOString(),
    isMoved: false,
  })
  const working = (name: SnoozeTime['name'], at: string) => ({ name, ...openFrom(settings, new Date(at)) })
  const tomorrow = working('tomorrow', now.tomorrow)
  const monday = working('monday', now.monday)
  return {
    times: [
      plain('half_hour', now.halfHour),
      plain('hour', now.hour),
      tomorrow,
      // On Sundays, and where everything until then is closed, they are one.
      ...(monday.at === tomorrow.at ? [] : [monday]),
    ],
  }
}

/** The instant itself if somebody works then, else the next opening; where none ever comes, the instant. */
function openFrom(settings: SystemSettings, at: Date): { at: string; isMoved: boolean } {
  const opens = isOpen(settings, at) || neverOpens(settings) ? null : nextChange(settings, at)
  return { at: (opens ?? at).toISOString(), isMoved: opens !== null }
}
