import { createElement } from 'react'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { useMe } from '#web/users/users.tsx'
import { TeamNow } from './team-now.tsx'

const useSectorTeam = partInPlace(async () => (await import('./sector-team.tsx')).SectorTeam)

/** 'Equipe agora': where there are sectors, that of one of them by choice. */
export function TeamCard(props: { className: string }) {
  const sectorTeam = useSectorTeam(useMe().hasSectors)
  return sectorTeam ? createElement(sectorTeam, props) : <TeamNow {...props} />
}
