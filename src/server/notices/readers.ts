import type { NoticeFact } from '#shared/notices/notices.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'

/**
 * Whether a trouble is told to a person: to administrators all of them; those of a sector also to whoever
 * manages sectors, and to its leads.
 * @param fact undefined: of a kind that only a later version knows
 */
export function isToldTo(who: Who, fact: NoticeFact | undefined): boolean {
  if (who.role === 'admin') return true
  if (fact?.kind !== 'queue_unserved') return false
  const { sectorId } = fact
  return (
    isPermitted(who, { act: 'manageSectors' }) ||
    who.sectors.some(({ id, isLead }) => isLead && id === sectorId)
  )
}
