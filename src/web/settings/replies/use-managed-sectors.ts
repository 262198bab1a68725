import type { Sector } from '#shared/sectors/sectors.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { useCan, useMe } from '#web/users/users.tsx'

/** The sectors whose quick replies the person changes: administrators those of all, leads of their own. */
export function useManagedSectors(): readonly Sector[] {
  const { living } = useSectors()
  const managesAny = useCan('manageSectorReplies')
  const managesAll = useCan('openAdvancedSettings')
  const led = new Set(useMe().sectors.flatMap(({ id, isLead }) => (isLead ? id : [])))
  return managesAny ? living.filter(({ id }) => managesAll || led.has(id)) : []
}
