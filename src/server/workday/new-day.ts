import type { SystemSettings } from '#shared/settings/settings.ts'
import { zonedDates } from '#shared/text/time/zoned-dates.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { getSettings } from '#server/settings/settings.ts'
import { setChosenPresence } from '#server/users/users.ts'
import type { Chosen } from './advance.ts'

// What people are when a working day of theirs begins. Times are in seconds since 1970.

/** A break within a day, also one of a night shift, is shorter. */
const shortestRest = 4 * 3600
/** Between two working days there are at least eleven hours by law: then it is another one on any date. */
const certainRest = 11 * 3600

/**
 * Whether an input is the first one of a working day.
 * @param last the input before it, or when the person was last seen
 * @param dayOf the date of a time
 */
export function beginsDay(last: number, input: number, dayOf: (at: number) => string): boolean {
  const rest = input - last
  return rest >= certainRest || (rest >= shortestRest && dayOf(last) !== dayOf(input))
}

/**
 * What a person is at the beginning of a day.
 * @returns undefined: what they were
 */
export function firstOfDay(
  was: Chosen['state'],
  setting: SystemSettings['newDayPresence'],
): 'available' | 'away' | undefined {
  // Nobody is in the pause of another day.
  const first = setting === 'kept' ? (was === 'paused' ? 'available' : was) : setting
  return first === was || (first !== 'available' && first !== 'away') ? undefined : first
}

interface Comer {
  userId: number
  chosen: Chosen
  /** Undefined: they have never been there. */
  last: number | undefined
  input: number
}

/** Changes what people are whose working day begins. @returns what they are now, by their ids */
export async function beginDays(db: Tx, comers: readonly Comer[]): Promise<Map<number, Chosen>> {
  const rested = comers.filter(({ last, input }) => last === undefined || input - last >= shortestRest)
  const begun = new Map<number, Chosen>()
  if (rested.length === 0) return begun
  const { timezone, newDayPresence } = await getSettings(db)
  const dates = zonedDates(timezone)
  for (const { userId, chosen, last, input } of rested) {
    // Whoever was never there has chosen it since they signed in.
    if (last === undefined && chosen.state !== 'available') continue
    if (last !== undefined && !beginsDay(last, input, (at) => dates.day(at * 1000))) continue
    const state = firstOfDay(chosen.state, newDayPresence)
    if (!state) continue
    await setChosenPresence(db, userId, state, null)
    begun.set(userId, { state, reasonId: null, pausedAt: null, limitMinutes: null, countsAsWork: false })
  }
  return begun
}
