import { BellDot, BellRing, Volume2, VolumeX } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { playTone, soundChoice } from '#web/platform/browser/sound.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { settingsQueries } from '#web/settings/settings.tsx'
import { DesktopControl } from './desktop-control.tsx'
import { SoundOptions } from './sound-options.tsx'

const offForAll = 'Os sons estão desligados para todos, nas configurações'

function useSound() {
  const isChosen = soundChoice.use()
  const { data: settings } = useQuery(settingsQueries.system())
  const isSwitchedOff = settings?.enableSoundNotifications === false
  return { isSwitchedOff, isOn: isChosen && !isSwitchedOff }
}

/**
 * Switches for sound and desktop notifications, the volume, and buttons that play the tones.
 * @param isSmall as in a pane
 */
export function SoundControls({ isSmall = false }: { isSmall?: boolean }) {
  const { isOn, isSwitchedOff } = useSound()
  const size = isSmall ? 'sm' : 'md'
  return (
    <>
      <span className="hidden md:inline-flex">
        <IconButton
          size={size}
          label="Testar som de nova conversa"
          icon={BellRing}
          onClick={() => void playTone('newConversation')}
        />
        <IconButton
          size={size}
          label="Testar som de mudança de status"
          icon={BellDot}
          onClick={() => void playTone('statusChange')}
        />
      </span>
      <SoundOptions size={size} />
      <DesktopControl size={size} />
      <Button
        size={size}
        className={cn(isSmall && 'ml-auto')}
        icon={isOn ? Volume2 : VolumeX}
        aria-pressed={isOn}
        disabled={isSwitchedOff}
        title={isSwitchedOff ? offForAll : undefined}
        onClick={() => soundChoice.set(!isOn)}
      >
        {isOn ? 'Som Ativo' : 'Som Off'}
      </Button>
    </>
  )
}
