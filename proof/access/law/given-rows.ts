import given from './given-rows.json' with { type: 'json' }
import type { Condition } from './table.ts'

/** The rows of the permission table that were given. The project may add rows, and may not weaken these. */
export const givenRows: Readonly<Record<string, { ceiling: string[]; flags: string[][] }>> = given

/** Whether all that the given condition asks for is still asked for. */
export function isAsStrict(
  now: Condition | undefined,
  { ceiling, flags }: (typeof givenRows)[string],
): boolean {
  if (!now) return false
  const isFewerRoles = now.ceiling.every((role) => ceiling.includes(role))
  const asksFor = (group: string[]) =>
    now.flags.some((own) => own.length > 0 && own.every((flag) => group.includes(flag)))
  return isFewerRoles && flags.every(asksFor)
}
