import { BellDot, BellRing, Volume2, VolumeX } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { playTone, soundChoice } from '#web/platform/browser/sound.ts'
import { Button } from '#web/ui/buttons/button.tsx'
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

/** The switch for sound as an icon. */
export function SoundSwitch() {
  const { isOn, isSwitchedOff } = useSound()
  return (
    <IconButton
      label={isSwitchedOff ? offForAll : isOn ? 'Som ativo' : 'Som desligado'}
      icon={isOn ? Volume2 : VolumeX}
      size="sm"
      isOn={isOn}
      disabled={isSwitchedOff}
      className="bg-transparent"
      onClick={() => soundChoice.set(!isOn)}
    />
  )
}

/** Switches for sound and desktop notifications, the volume, and buttons that play the tones. */
export function SoundControls() {
  const { isOn, isSwitchedOff } = useSound()
  return (
    <>
      <span className="hidden md:inline-flex">
        <IconButton
          label="Testar som de nova conversa"
          icon={BellRing}
          onClick={() => void playTone('newConversation')}
        />
        <IconButton
          label="Testar som de mudança de status"
          icon={BellDot}
          onClick={() => void playTone('statusChange')}
        />
      </span>
      <SoundOptions />
      <DesktopControl />
      <Button
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
