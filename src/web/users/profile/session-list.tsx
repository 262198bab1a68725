import { Monitor, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Session } from '#shared/users/profile.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import { dateTime } from '#web/platform/dates.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { Badge } from '#web/ui/badges/badge.tsx'

/** Where somebody is signed in, the last used first. */
export function SessionList({
  sessions,
  action,
}: {
  sessions: readonly Session[]
  action?: (session: Session) => ReactNode
}) {
  return (
    <ul
      aria-label="Sessões abertas"
      className="w-full divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
    >
      {sessions.map((session) => {
        const { id, device, isMobile, address, createdAt, lastSeenAt, isCurrent } = session
        const Icon = isMobile ? Smartphone : Monitor
        return (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
            <Icon size={16} aria-hidden className="text-ink-3" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {device}
                {isCurrent && <Badge tone="accent">Esta sessão</Badge>}
              </p>
              <p className="text-xs text-ink-3">
                {address ?? 'Endereço desconhecido'} · desde {dateTime(createdAt)} · vista{' '}
                {isCurrent ? 'agora' : relativeTime(Date.parse(lastSeenAt), serverNow())}
              </p>
            </div>
            {action?.(session)}
          </li>
        )
      })}
    </ul>
  )
}
