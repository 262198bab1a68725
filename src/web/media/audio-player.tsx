import { MicOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { onDemand } from '#web/ui/on-demand.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { MediaFailure } from './media-failure.tsx'

const Player = onDemand(async () => (await import('./player.tsx')).Player, PlayerSkeleton)

/** Plays a voice message or an audio file; loaded with the first one of them. */
export function AudioPlayer(props: Omit<ComponentProps<typeof Player>, 'onClose'>) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing)
    return <MediaFailure icon={MicOff} text="Áudio não disponível" onRetry={() => setMissing(false)} />
  return <Player {...props} onClose={() => setMissing(true)} />
}

/** As high as the player. */
function PlayerSkeleton({ label }: { label: string }) {
  return (
    <div role="group" aria-label={label} aria-busy className="flex h-11 items-center gap-2">
      <Skeleton className="size-8 flex-none rounded-full" />
      <Skeleton className="h-5 flex-1" />
    </div>
  )
}
