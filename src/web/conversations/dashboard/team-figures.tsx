import { useNow } from '#web/platform/live/server-clock.ts'
import { isPauseOver } from '#web/users/users.tsx'
import type { Member } from './team.ts'

const nobody: readonly Member[] = []

/**
 * How many people of the team are available, in a pause, absent and offline.
 * @param known undefined: not yet fetched; the figures have their place all the same
 */
export function TeamFigures({ team: known }: { team: readonly Member[] | undefined }) {
  const team = known ?? nobody
  const nowMs = useNow(30_000)
  const count = (...states: Member['operator']['presence'][]) =>
    team.filter(({ operator }) => states.includes(operator.presence)).length
  const full = team.filter(({ isFull }) => isFull).length
  const over = team.filter(({ operator: { pause } }) => pause && isPauseOver(pause, nowMs)).length
  const figures = [
    ['Disponíveis', count('online'), full > 0 && `${full} no limite`],
    ['Em pausa', count('paused'), over > 0 && `${over} além do limite`],
    ['Ausentes', count('idle', 'away')],
    ['Offline', count('offline')],
  ] as const
  return (
    <dl className="grid grid-cols-4 border-b border-line" aria-label="Presença da equipe">
      {figures.map(([label, value, note]) => (
        <div key={label} className="px-2 py-2 first:pl-4">
          <dt className="text-xs text-ink-2">{label}</dt>
          <dd className="text-lg font-semibold">
            {known ? value : '\u00a0'}
            {note && <span className="block text-xs font-normal text-ink-2">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
