import { MicOff, Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { MediaFailure } from './media-failure.tsx'
import { playbackSpeed, speeds, takeTheFloor } from './playback.ts'
import { useLoading } from './use-loading.ts'
import { waveformOf } from './waveform.ts'

const flat = Array.from({ length: 40 }, () => 0.12)

/** Plays a voice message or an audio file: waveform, position and speed. */
export function AudioPlayer({
  url,
  seconds,
  label,
}: {
  url: string
  /** From the message, until the file is loaded. */
  seconds: number | undefined
  label: string
}) {
  const loading = useLoading(url)
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(seconds ?? 0)
  const speed = playbackSpeed.use()
  const peaks = usePeaks(loading.state === 'here' ? loading.src : undefined)
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = speed
  }, [speed, loading.src])

  if (loading.state === 'failed')
    return <MediaFailure icon={MicOff} text="Áudio não disponível" onRetry={loading.retry} />
  const toggle = () => {
    const element = audio.current
    if (!element) return
    if (element.paused) void element.play().catch(loading.onFailed)
    else element.pause()
  }
  const seek = (to: number) => {
    if (audio.current) audio.current.currentTime = to
    setAt(to)
  }
  return (
    <div className="flex items-center gap-2" role="group" aria-label={label}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a client's voice has no captions */}
      <audio
        ref={audio}
        src={loading.src}
        preload="metadata"
        onLoadedMetadata={(event) => {
          loading.onHere()
          event.currentTarget.playbackRate = speed
          // A streamed recording lacks its own duration.
          if (Number.isFinite(event.currentTarget.duration)) setLength(event.currentTarget.duration)
        }}
        onError={loading.onFailed}
        onPlay={(event) => {
          takeTheFloor(event.currentTarget)
          setIsPlaying(true)
        }}
        onPause={() => setIsPlaying(false)}
        onEnded={() => seek(0)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
      />
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
          className="absolute inset-0 w-full cursor-pointer opacity-0 [&:focus-visible+span]:outline-2"
        />
        <span aria-hidden className="pointer-events-none absolute -inset-0.5 rounded-[4px] outline-focus" />
      </span>
      <span className="block text-xs text-ink-2 tabular-nums">{clock(at > 0 ? at : length)}</span>
    </span>
  )
}

const clock = (seconds: number) => {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

function SpeedButton({ speed }: { speed: number }) {
  const next = speeds[(speeds.findIndex((each) => each === speed) + 1) % speeds.length] ?? 1
  const shown = `${String(speed).replace('.', ',')}×`
  return (
    <button
      type="button"
      aria-label={`Velocidade ${shown}`}
      title="Velocidade"
      onClick={() => playbackSpeed.set(next)}
      className={[
        'h-6 min-w-9 flex-none rounded-full bg-ink/8 px-1.5 text-xs',
        'font-semibold text-ink-2 tabular-nums hover:bg-ink/15',
      ].join(' ')}
    >
      {shown}
    </button>
  )
}
