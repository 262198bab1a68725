import { Mic, Pause, Send as SendIcon, Square, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { AudioPlayer, type Recorded, type RecorderState } from '#web/media/media.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { duration } from '#web/conversations/kinds/measures.ts'

interface VoiceBarProps {
  state: Exclude<RecorderState, { kind: 'idle' }>
  level: () => number
  onPause: () => void
  onResume: () => void
  onFinish: () => void
  onDiscard: () => void
  onSend: (recorded: Recorded) => void
}

/** Replaces the composer while a voice message is recorded, until it is sent or discarded. */
export function VoiceBar({ state, level, onPause, onResume, onFinish, onDiscard, onSend }: VoiceBarProps) {
  return (
    <div
      role="group"
      aria-label="Gravação de voz"
      className="flex min-h-[40px] items-center gap-2 rounded-card border border-field bg-surface p-[3px]"
    >
      <IconButton label="Descartar gravação" icon={Trash2} tone="danger" onClick={onDiscard} />
      {state.kind === 'done' ? (
        <>
          <div className="min-w-0 flex-1">
            <AudioPlayer url={state.recorded.url} seconds={state.recorded.seconds} label="Sua gravação" />
          </div>
          <Button variant="primary" icon={SendIcon} onClick={() => onSend(state.recorded)}>
            Enviar voz
          </Button>
        </>
      ) : (
        <>
          <span
            aria-hidden
            className={`size-2.5 flex-none rounded-full ${
              state.kind === 'recording' ? 'animate-pulse bg-red' : 'bg-ink/30'
            }`}
          />
          <span className="flex-none text-sm tabular-nums" role="timer" aria-label="Duração da gravação">
            {duration(state.seconds)}
          </span>
          <Level level={level} isOn={state.kind === 'recording'} />
          {state.kind === 'recording' ? (
            <IconButton label="Pausar gravação" icon={Pause} onClick={onPause} />
          ) : (
            <IconButton label="Continuar gravação" icon={Mic} onClick={onResume} />
          )}
          <IconButton label="Parar gravação" icon={Square} tone="accent" onClick={onFinish} />
        </>
      )}
    </div>
  )
}

const bars = 32

/** The level of the last moments, drawn without rendering. */
function Level({ level, isOn }: { level: () => number; isOn: boolean }) {
  const row = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!isOn) return undefined
    const levels = Array.from({ length: bars }, () => 0)
    const timer = setInterval(() => {
      levels.shift()
      levels.push(level())
      for (const [index, bar] of [...(row.current?.children ?? [])].entries())
        (bar as HTMLElement).style.height = `${Math.max(8, Math.round((levels[index] ?? 0) * 100))}%`
    }, 80)
    return () => clearInterval(timer)
  }, [level, isOn])
  return (
    <span ref={row} aria-hidden className="flex h-6 min-w-0 flex-1 items-center gap-0.5 overflow-hidden">
      {Array.from({ length: bars }, (_, index) => (
        <span key={index} className="w-1 flex-1 rounded-full bg-accent/60" style={{ height: '8%' }} />
      ))}
    </span>
  )
}
