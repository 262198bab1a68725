import type { By } from '#simulator/control-api.ts'
import type { PhoneView, PresenceState } from '#simulator/control-views.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { CallMenu } from './call-menu.tsx'
import { PhoneMenu } from './phone-menu.tsx'

const presenceLabels: Record<PresenceState, string> = {
  composing: 'digitando…',
  recording: 'gravando áudio…',
  available: 'online',
  unavailable: 'conta comercial',
}

/** The company's name and what it is doing. */
export function PhoneHeader({
  phone,
  companyName,
  by,
  onSwitch,
  onHide,
}: {
  phone: PhoneView
  companyName: string
  by: By
  onSwitch: (by: By) => void
  onHide: (() => void) | undefined
}) {
  const presence = phone.companyPresence ?? 'unavailable'
  const isBusy = presence === 'composing' || presence === 'recording'
  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line bg-surface px-2.5 py-[9px]">
      <Avatar name={companyName} size={28} />
      <div className="min-w-0 flex-1">
        <p title={companyName} className="truncate text-sm font-semibold">
          {companyName}
        </p>
        <p className={cn('truncate text-xs', isBusy ? 'text-accent-text' : 'text-ink-3')}>
          {presenceLabels[presence]}
        </p>
      </div>
      <div className="flex shrink-0">
        <CallMenu phoneId={phone.id} />
        <PhoneMenu phone={phone} by={by} onSwitch={onSwitch} onHide={onHide} />
      </div>
    </div>
  )
}
