import type { PresenceState } from '#shared/users/users.ts'
import { cn } from '#web/ui/cn.ts'

const presenceLabels: Record<PresenceState, string> = {
  online: 'Online',
  idle: 'Ausente',
  away: 'Ausente',
  offline: 'Offline',
}

const looks: Record<PresenceState, string> = {
  online: 'bg-green',
  idle: 'bg-amber',
  away: 'bg-amber',
  offline: 'bg-line-strong',
}

/** The presence of a colleague: a dot and a word. */
export function PresenceMark({ state }: { state: PresenceState }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={cn('size-2 rounded-full', looks[state])} />
      {presenceLabels[state]}
    </span>
  )
}
