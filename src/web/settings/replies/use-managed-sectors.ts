import type { Sector } from '#shared/sectors/sectors.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { useCan, useMe } from '#web/users/users.tsx'

/** The sectors whose quick replies the person changes. */
export function useManagedSectors(): readonly Sector[] {
  const { living } = useSectors()
  const managesAll = useCan('manageAllReplies')
  const led = new Set(useMe().sectors.flatMap(({ id, isLead }) => (isLead ? id : [])))
  return managesAll ? living : living.filter(({ id }) => led.has(id))
}
