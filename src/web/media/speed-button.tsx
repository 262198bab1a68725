import { playbackSpeed, speeds } from './playback.ts'

/** The speed of playback; pressing it leads to the next one. */
export function SpeedButton({ speed }: { speed: number }) {
  const next = speeds[(speeds.findIndex((each) => each === speed) + 1) % speeds.length] ?? 1
  const shown = `${String(speed).replace('.', ',')}×`
  return (
    <button
      type="button"
      aria-label={`Velocidade ${shown}`}
      title="Velocidade"
      onClick={() => playbackSpeed.set(next)}
      className={[
        'h-6 min-w-9 flex-none rounded-full bg-ink/8 px-1.5 text-xs max-md:min-w-11',
        'font-semibold text-ink-2 tabular-nums hover:bg-ink/15',
      ].join(' ')}
    >
      {shown}
    </button>
  )
}
