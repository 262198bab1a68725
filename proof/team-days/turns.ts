import { returnFromPauses } from '#server/conversations/automatic/return-from-pauses.ts'
import { closeSilent } from '#server/conversations/automatic/inactivity.ts'
import { distribute, sendPositions } from '#server/conversations/automatic/queue-turns.ts'
import { sendAllDue } from '#server/conversations/scheduled-sending/due.ts'
import { returnFromHold } from '#server/conversations/snoozing/returns.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createClockKeeper } from '#server/sla/keeper.ts'
import type { Office } from './office.ts'

// What the product does every second, here as often as the day moves on.

const keepers = new WeakMap<Database, ReturnType<typeof createClockKeeper>>()

/** A pass over the clocks, after the first of what is named. @returns whether there may be more */
export function keepClocks(database: Database): Promise<boolean> {
  const keep = keepers.get(database) ?? createClockKeeper(database)
  keepers.set(database, keep)
  return keep('wait')
}

const tasks: readonly ((database: Database) => Promise<unknown>)[] = [
  returnFromPauses,
  distribute,
  sendPositions,
  returnFromHold,
  sendAllDue,
  (database) => closeSilent(database, false),
  keepClocks,
]

/** Every task once, at one instance or at both at once, in any order. */
export async function takeTurns({ at, random }: Office): Promise<void> {
  const order = tasks.map((task) => ({ task, place: random() })).toSorted((a, b) => a.place - b.place)
  for (const { task } of order)
    if (random() < 0.3) await Promise.all(at.databases.map((database) => task(database)))
    else await task(at.databases[random() < 0.5 ? 0 : 1])
}
