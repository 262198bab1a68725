import { Pause, Play, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { clock } from './clock.ts'
import { endSound, playbackSpeed, type Sound } from './playback.ts'
import { SpeedButton } from './speed-button.tsx'

/** Goes on with a recording whose bubble is not on the screen, pauses it, and leads to its chat. */
export function SoundBar({ sound, onClose }: { sound: Sound; onClose: () => void }) {
  const { audio, title, path } = sound
  const isPlaying = useAudio(audio, () => !audio.paused)
  const at = useAudio(audio, () => Math.floor(audio.currentTime))
  const speed = playbackSpeed.use()
  const length = Number.isFinite(audio.duration) ? Math.floor(audio.duration) : undefined
  return (
    <div
      role="group"
      aria-label="Áudio em reprodução"
      className="flex h-11 flex-none items-center gap-2 border-b border-line bg-surface px-2 md:px-3"
    >
      <IconButton
        label={isPlaying ? 'Pausar' : 'Ouvir'}
        icon={isPlaying ? Pause : Play}
        tone="accent"
        className="rounded-full"
        onClick={() => (audio.paused ? void audio.play().catch(() => endSound(audio)) : audio.pause())}
      />
      <Link
        href={path}
        className="min-w-0 truncate text-sm font-medium hover:underline"
        title={title}
        dir="auto"
      >
        {title}
      </Link>
      <span className="flex-none text-xs text-ink-2 tabular-nums">
        {clock(at)}
        {length !== undefined && ` / ${clock(length)}`}
      </span>
      <span className="flex-1" />
      <SpeedButton speed={speed} />
      <IconButton label="Fechar áudio" icon={X} onClick={onClose} />
    </div>
  )
}

function useAudio<Value>(audio: HTMLAudioElement, read: () => Value): Value {
  return useSyncExternalStore((listener) => {
    for (const type of ['play', 'pause', 'ended', 'timeupdate']) audio.addEventListener(type, listener)
    return () => {
      for (const type of ['play', 'pause', 'ended', 'timeupdate']) audio.removeEventListener(type, listener)
    }
  }, read)
}
