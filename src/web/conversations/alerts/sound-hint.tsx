import { VolumeX } from 'lucide-react'
import { soundChoice, unlockSound, useSoundBlocked } from '#web/platform/browser/sound.ts'
import { Button } from '#web/ui/buttons/button.tsx'

/** Shown while the browser blocks sound; one press unlocks it. */
export function SoundHint() {
  const isOn = soundChoice.use()
  const isBlocked = useSoundBlocked()
  if (!isOn || !isBlocked) return null
  return (
    <div
      role="status"
      className={[
        'mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border',
        'border-amber-line bg-amber-soft px-3 py-1.5 text-sm text-amber-text',
      ].join(' ')}
    >
      <VolumeX aria-hidden size={16} />
      <span className="min-w-0 flex-1">O navegador bloqueou o som. Novas conversas não serão ouvidas.</span>
      <Button size="sm" onClick={() => void unlockSound()}>
        Ativar som
      </Button>
    </div>
  )
}
