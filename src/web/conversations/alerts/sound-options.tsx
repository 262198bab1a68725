import { AudioLines, Volume1, Volume2 } from 'lucide-react'
import { useId } from 'react'
import { playTone, type Tone, volumeChoice, volumeRange } from '#web/platform/browser/sound.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'

const tones: readonly { tone: Tone; label: string }[] = [
  { tone: 'newConversation', label: 'Nova conversa' },
  { tone: 'statusChange', label: 'Mudança de status' },
  { tone: 'followUp', label: 'Mensagem em conversa minha' },
]

/** How loud this browser rings, and each tone to listen to. */
export function SoundOptions({ size }: { size: 'sm' | 'md' }) {
  return (
    <Popover
      label="Volume e sons"
      trigger={
        <IconButton size={size} label="Volume e sons" icon={AudioLines} className="max-md:-mr-1 max-md:w-7" />
      }
    >
      <div className="grid w-60 gap-3">
        <Volume />
        <div className="grid gap-1.5">
          <p className="text-xs text-ink-2">Ouvir</p>
          {tones.map(({ tone, label }) => (
            <Button key={tone} size="sm" onClick={() => void playTone(tone)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
    </Popover>
  )
}

function Volume() {
  const id = useId()
  const percent = volumeChoice.use()
  const sound = () => void playTone('newConversation')
  return (
    <div className="grid gap-1.5">
      <span className="flex justify-between text-xs text-ink-2">
        <label htmlFor={id}>Volume</label>
        <span className="tabular-nums">{percent}%</span>
      </span>
      <span className="flex items-center gap-2 text-ink-2">
        <Volume1 size={16} aria-hidden />
        <input
          id={id}
          type="range"
          {...volumeRange}
          value={percent}
          aria-valuetext={`${percent}%`}
          onChange={(event) => volumeChoice.set(event.target.valueAsNumber)}
          // Heard once it has been let go.
          onPointerUp={sound}
          onKeyUp={(event) => event.key.startsWith('Arrow') && sound()}
          className="h-6 min-w-0 flex-1 accent-accent"
        />
        <Volume2 size={16} aria-hidden />
      </span>
    </div>
  )
}
