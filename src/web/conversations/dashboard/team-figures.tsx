import { useNow } from '#web/platform/live/server-clock.ts'
import { isPauseOver } from '#web/users/users.tsx'
import type { Member } from './team.ts'

/** How many people of the team are available, in a pause, absent and offline. */
export function TeamFigures({ team }: { team: readonly Member[] }) {
  const nowMs = useNow(30_000)
  const count = (...states: Member['operator']['presence'][]) =>
    team.filter(({ operator }) => states.includes(operator.presence)).length
  const full = team.filter(({ isFull }) => isFull).length
  const over = team.filter(({ operator: { pause } }) => pause && isPauseOver(pause, nowMs)).length
  const figures = [
    { label: 'Disponíveis', value: count('online'), note: full > 0 && `${full} no limite` },
    {
      label: 'Em pausa',
      value: count('paused'),
      note: over > 0 && (over === 1 ? '1 passou do limite' : `${over} passaram do limite`),
      isLate: true,
    },
    { label: 'Ausentes', value: count('idle', 'away') },
    { label: 'Offline', value: count('offline') },
  ]
  return (
    <dl
      className="grid grid-cols-4 divide-x divide-line border-b border-line"
      aria-label="Presença da equipe"
    >
      {figures.map(({ label, value, note, isLate }) => (
        <div key={label} className="min-w-0 px-4 py-2 max-md:px-2">
          <dt className="truncate text-xs text-ink-2">{label}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-1.5 text-lg font-semibold tabular-nums">
            {value}
            {note && (
              <span className={`text-xs font-normal ${isLate ? 'text-red-text' : 'text-ink-2'}`}>{note}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
