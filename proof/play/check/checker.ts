import { closedForInactivity, closedWithoutReason, forgottenOpen } from './check-ends.ts'
import { asItWasWritten, answeredLate, servedOrWaiting, takenInTurn } from './check-people.ts'
import { backwards, lostOrStrange, repeated, untruePlaces } from './check-texts.ts'
import type { Observed } from './observed.ts'

/** The invariants of a day by their names in the report, each with a function that lists its faults. */
export const invariants = {
  'no automatic text is repeated': repeated,
  'each text reached its phone once, in order': lostOrStrange,
  'no position went back or was sent twice within a minute': backwards,
  'every position sent was the true one': untruePlaces,
  'each client message is stored once, in order': asItWasWritten,
  'late messages got no automatic reply': answeredLate,
  'nobody was closed for inactivity without being silent': closedForInactivity,
  'nothing was closed without a reason': closedWithoutReason,
  'no inactive conversation was left open': forgottenOpen,
  'each client was served or is waiting': servedOrWaiting,
  'who waited longest was taken first': takenInTurn,
} as const satisfies Record<string, (day: Observed) => string[]>
export type Invariant = keyof typeof invariants

/** Checks a day. @returns the faults of each invariant */
export function checkDay(day: Observed): Map<Invariant, string[]> {
  return new Map((Object.keys(invariants) as Invariant[]).map((name) => [name, invariants[name](day)]))
}
