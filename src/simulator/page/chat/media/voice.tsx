import { Music, Pause, Play } from 'lucide-react'
import type { ChatMessage } from '#simulator/control-views.ts'
import { apiPrefix, simulatorApi } from '#simulator/page/data/api.ts'
import { duration } from '#simulator/page/dates.ts'
import { useAction } from '#simulator/page/data/mutations.ts'
import { toast } from '#web/ui/states/toast.ts'
import { BubbleMeta } from '#simulator/page/chat/bubble-meta.tsx'
import { cn } from '#web/ui/cn.ts'
import { usePlaying } from './use-playing.ts'

const barCount = 30
const barStep = 4
const height = 28

/** Bar heights derived from the message id, not from the audio. */
function barsOf(id: string): number[] {
  let seed = 7
  for (const character of id) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return Array.from({ length: barCount }, () => {
    seed = (seed * 75 + 74) % 65_537
    return 3 + (seed % 22)
  })
}

/** A voice message or an audio file; playing one of the company to its end is reported as PLAYED. */
export function Voice({
  message,
  media,
}: {
  message: ChatMessage
  media: NonNullable<ChatMessage['media']>
}) {
  const { run } = useAction()
  const { isPlaying, seconds, toggle } = usePlaying(
    `${apiPrefix}${media.path}`,
    () => {
      if (message.from === 'company') run(() => simulatorApi.played(message.phoneId, message.id))
    },
    () => toast({ title: 'Este navegador não toca este áudio', tone: 'error' }),
  )
  const whole = media.seconds ?? 0
  const buffered = whole > 0 ? seconds / whole : 0
  const Icon = isPlaying ? Pause : Play
  const isFile = message.voice === false
  return (
    <div className="flex w-[186px] max-w-full items-center gap-2.5">
      <button
        type="button"
        aria-label={isPlaying ? 'Pausar áudio' : 'Tocar áudio'}
        onClick={toggle}
        className={cn(
          'grid size-[34px] shrink-0 place-items-center rounded-full bg-accent text-accent-ink',
          'hover:bg-accent-hover',
        )}
      >
        <Icon size={16} aria-hidden fill="currentColor" strokeWidth={1} />
      </button>
      <div className="min-w-0 flex-1">
        {isFile && (
          <span className="flex items-center gap-1 text-xs text-ink-2">
            <Music size={12} aria-hidden />
            Arquivo de áudio
          </span>
        )}
        <svg
          viewBox={`0 0 ${barCount * barStep} ${height}`}
          preserveAspectRatio="none"
          aria-hidden
          className="mt-px block h-7 w-full"
        >
          {barsOf(message.id).map((bar, index) => (
            <rect
              // oxlint-disable-next-line react/no-array-index-key -- a bar has no identity but its index
              key={index}
              x={index * barStep}
              y={(height - bar) / 2}
              width={2.4}
              height={bar}
              rx={1.2}
              className={isPlaying && index / barCount < buffered ? 'fill-accent' : 'fill-field'}
            />
          ))}
        </svg>
        <div className="flex h-3.5 items-center justify-between text-xs text-ink-2">
          <span className="tabular-nums">{duration(isPlaying ? seconds : whole)}</span>
          <BubbleMeta message={message} className="top-0 float-none m-0" />
        </div>
      </div>
    </div>
  )
}
