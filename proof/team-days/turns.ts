import { returnFromPauses } from '#server/conversations/automatic/return-from-pauses.ts'
import { closeSilent } from '#server/conversations/automatic/inactivity.ts'
import { distribute, sendPositions } from '#server/conversations/automatic/queue-turns.ts'
import { sendAllDue } from '#server/conversations/scheduled-sending/due.ts'
import { returnFromHold } from '#server/conversations/snoozing/returns.ts'
import type { Database } from '#server/platform/database/db.ts'
import { keepClocks } from '#server/sla/keeper.ts'
import type { Office } from './office.ts'

// What the product does every second, here as often as the day moves on.

const tasks: readonly ((database: Database) => Promise<unknown>)[] = [
  returnFromPauses,
  distribute,
  sendPositions,
  returnFromHold,
  sendAllDue,
  (database) => closeSilent(database, false),
  (database) => keepClocks(database, 'try'),
]

/** Every task once, at one instance or at both at once, in any order. */
export async function takeTurns({ at, random }: Office): Promise<void> {
  const order = tasks.map((task) => ({ task, place: random() })).toSorted((a, b) => a.place - b.place)
  for (const { task } of order)
    if (random() < 0.3) await Promise.all(at.databases.map((database) => task(database)))
    else await task(at.databases[random() < 0.5 ? 0 : 1])
}
