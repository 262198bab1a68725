import { createElement } from 'react'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { useMe } from '#web/users/users.tsx'
import { PaneSkeleton } from '#web/conversations/rows/rows-skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { TeamNow } from './team-now.tsx'

const useSectorTeam = partInPlace(async () => (await import('./sector-team.tsx')).SectorTeam)

/** 'Equipe agora': where there are sectors, that of one of them by choice. */
export function TeamCard(props: { className: string }) {
  const { hasSectors } = useMe()
  const sectorTeam = useSectorTeam(hasSectors)
  if (!hasSectors) return <TeamNow {...props} />
  if (sectorTeam) return createElement(sectorTeam, props)
  // Not the card without the choice: what somebody has opened in it would close when the other one comes.
  return (
    <Card title="Equipe agora" className={props.className}>
      <PaneSkeleton count={3} rowLook="h-[68px] px-4 md:h-[52px]" />
    </Card>
  )
}
