import type { PhoneView } from '#simulator/control-views.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { CountBadge } from '#web/ui/badges/count-badge.tsx'

/** A phone's name and its unread count. */
export function PhoneLine({ phone }: { phone: PhoneView }) {
  return (
    <>
      <Avatar name={phone.name} size={24} />
      <span dir="auto" title={phone.name} className="min-w-0 flex-1 truncate text-left">
        {phone.name}
      </span>
      <CountBadge
        count={phone.unread}
        label={phone.unread === 1 ? '1 não lida' : `${phone.unread} não lidas`}
      />
    </>
  )
}
