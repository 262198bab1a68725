import { useEffect } from 'react'
import { onDemand } from '#web/ui/on-demand.tsx'
import { endSound, useHiddenSound } from './playback.ts'

const SoundBar = onDemand(async () => (await import('./sound-bar.tsx')).SoundBar, true)

/** The bar of a recording that goes on without its bubble. It ends when the frame of the screens is left. */
export function HiddenSound() {
  const sound = useHiddenSound()
  useEffect(() => () => endSound(), [])
  return sound && <SoundBar sound={sound} onClose={() => endSound()} />
}
