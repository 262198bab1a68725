import { MicOff, Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { MediaFailure } from './media-failure.tsx'
import { clock } from './clock.ts'
import type { SoundPlace } from './playback.ts'
import { SpeedButton } from './speed-button.tsx'
import { useSound } from './use-sound.ts'
import { waveformOf } from './waveform.ts'

const flat = Array.from({ length: 40 }, () => 0.12)

/** Plays a voice message or an audio file: waveform, position and speed. */
export function AudioPlayer({
  url,
  seconds,
  label,
  place,
}: {
  url: string
  /** From the message, until the file is loaded. */
  seconds: number | undefined
  label: string
  /** Absent: it ends when the player is left. */
  place?: SoundPlace | undefined
}) {
  const group = useRef<HTMLDivElement>(null)
  const { loading, isPlaying, at, length, speed, seek, toggle } = useSound(url, seconds, place, group)
  const peaks = usePeaks(loading.state === 'here' ? loading.src : undefined)

  if (loading.state === 'failed')
    return <MediaFailure icon={MicOff} text="Áudio não disponível" onRetry={loading.retry} />
  return (
    <div ref={group} className="flex items-center gap-2" role="group" aria-label={label}>
      <IconButton
        label={isPlaying ? 'Pausar' : 'Ouvir'}
        icon={isPlaying ? Pause : Play}
        tone="accent"
        className="rounded-full"
        onClick={toggle}
      />
      <Waveform peaks={peaks ?? flat} at={at} length={length} onSeek={seek} />
      <SpeedButton speed={speed} />
    </div>
  )
}

function usePeaks(src: string | undefined): number[] | undefined {
  const [peaks, setPeaks] = useState<number[]>()
  useEffect(() => {
    if (src === undefined) return undefined
    let isHere = true
    void waveformOf(src).then((found) => isHere && setPeaks(found))
    return () => {
      isHere = false
    }
  }, [src])
  return peaks
}

function Waveform({
  peaks,
  at,
  length,
  onSeek,
}: {
  peaks: readonly number[]
  at: number
  length: number
  onSeek: (seconds: number) => void
}) {
  const played = length > 0 ? at / length : 0
  return (
    <span className="min-w-0 flex-1">
      <span className="relative flex h-7 items-center gap-px">
        {peaks.map((peak, index) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- the bars of one recording never move
            key={index}
            className={`w-full rounded-full ${index / peaks.length < played ? 'bg-accent' : 'bg-ink/30'}`}
            style={{ height: `${Math.max(12, Math.round(peak * 100))}%` }}
          />
        ))}
        <input
          type="range"
          aria-label="Posição"
          aria-valuetext={`${clock(at)} de ${clock(length)}`}
          min={0}
          max={length || 1}
          step={0.1}
          value={Math.min(at, length)}
          onChange={(event) => onSeek(Number(event.target.value))}
          className={[
            'absolute inset-0 w-full cursor-pointer opacity-0 max-md:-top-2 max-md:h-11',
            '[&:focus-visible+span]:outline-2',
          ].join(' ')}
        />
        <span aria-hidden className="pointer-events-none absolute -inset-0.5 rounded-[4px] outline-focus" />
      </span>
      <span className="block text-xs text-ink-2 tabular-nums">{clock(at > 0 ? at : length)}</span>
    </span>
  )
}
