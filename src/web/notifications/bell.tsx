import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon, Moon } from 'lucide-react'
import { useRef, useState } from 'react'
import { countUnread } from '#shared/notifications/notifications.ts'
import { useSilenceWords } from '#web/settings/settings.tsx'
import { call } from '#web/platform/api/api.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useCan } from '#web/users/users.tsx'
import { notificationKeys } from './live.ts'

const load = async () => (await import('./notification-panel.tsx')).NotificationPanel
const NotificationPanel = onDemand(load)

/** How much there is of which the person was told, and has not read; opens the list. */
export function Bell() {
  const mayView = useCan('viewConversations')
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const { data } = useQuery({
    queryKey: notificationKeys.unread,
    queryFn: ({ signal }) => call(countUnread, { signal }),
    enabled: mayView,
  })
  const silence = useSilenceWords()
  if (!mayView) return null
  const count = (data?.mentions ?? 0) + (data?.updates ?? 0)
  const label = count > 0 ? `Menções e avisos: ${count} por ler` : 'Menções e avisos'
  return (
    <span ref={place} className="relative inline-flex" onPointerEnter={() => void load().catch(() => 0)}>
      <IconButton
        icon={BellIcon}
        label={silence === undefined ? label : `${label}. ${silence}`}
        tooltipSide="bottom"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {count > 0 && (
        <span
          aria-hidden
          className={[
            'pointer-events-none absolute top-0 right-0 grid h-4 min-w-4 place-items-center rounded-full',
            'max-md:top-1.5 max-md:right-1',
            'bg-accent px-1 text-xs leading-none font-semibold text-accent-ink tabular-nums',
          ].join(' ')}
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
      {silence !== undefined && (
        <Moon
          aria-hidden
          size={12}
          className="pointer-events-none absolute bottom-0.5 left-0.5 fill-ink-2 text-ink-2 max-md:bottom-1.5"
        />
      )}
      {isOpen && (
        <NotificationPanel place={place} unread={data} silence={silence} onClose={() => setOpen(false)} />
      )}
    </span>
  )
}
