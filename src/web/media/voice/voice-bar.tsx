import { Check, Mic, Pause, Send as SendIcon, Square, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { AudioPlayer } from '#web/media/audio-player.tsx'
import { clock } from '#web/media/clock.ts'
import type { Recorded, RecorderState } from './use-recorder.ts'

interface VoiceBarProps {
  state: Exclude<RecorderState, { kind: 'idle' }>
  level: () => number
  onPause: () => void
  onResume: () => void
  /** Ends the recording, and then may pass it on. */
  onFinish: (then?: (recorded: Recorded) => void) => void
  onDiscard: () => void
  onSend: (recorded: Recorded) => void
  sendLabel?: string | undefined
  /** Receives the focus when it is over. */
  field: RefObject<HTMLElement | null>
}

/** Replaces the composer while a voice message is recorded, until it is sent or discarded. */
export function VoiceBar(props: VoiceBarProps) {
  const { state, level, onPause, onResume, onFinish, onDiscard, onSend, sendLabel, field } = props
  const stop = useRef<HTMLButtonElement>(null)
  const send = useRef<HTMLButtonElement>(null)
  const isDone = state.kind === 'done'
  useEffect(() => (isDone ? send : stop).current?.focus(), [isDone])
  useEffect(
    () => () => {
      // On a phone the focus would raise the keyboard.
      if (window.matchMedia('(hover: hover)').matches) field.current?.focus()
    },
    [field],
  )
  return (
    <div
      role="group"
      aria-label="Gravação de voz"
      className="flex min-h-[40px] items-center gap-2 rounded-card border border-field bg-surface p-[3px]"
    >
      <IconButton label="Descartar gravação" icon={Trash2} tone="danger" onClick={onDiscard} />
      {isDone ? (
        <div className="min-w-0 flex-1">
          <AudioPlayer url={state.recorded.url} seconds={state.recorded.seconds} label="Sua gravação" />
        </div>
      ) : (
        <>
          <span
            aria-hidden
            className={`size-2.5 flex-none rounded-full ${
              state.kind === 'recording' ? 'animate-pulse bg-red' : 'bg-ink/30'
            }`}
          />
          <span className="flex-none text-sm tabular-nums" role="timer" aria-label="Duração da gravação">
            {clock(state.seconds)}
          </span>
          <Level level={level} isOn={state.kind === 'recording'} />
          {state.kind === 'recording' ? (
            <IconButton key="pause" label="Pausar gravação" icon={Pause} onClick={onPause} />
          ) : (
            <IconButton key="pause" label="Continuar gravação" icon={Mic} onClick={onResume} />
          )}
          <IconButton ref={stop} label="Parar gravação" icon={Square} onClick={() => onFinish()} />
        </>
      )}
      <IconButton
        ref={send}
        label={sendLabel ?? 'Enviar voz'}
        icon={sendLabel === undefined ? SendIcon : Check}
        tone="accent"
        onClick={() => (isDone ? onSend(state.recorded) : onFinish(onSend))}
      />
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
