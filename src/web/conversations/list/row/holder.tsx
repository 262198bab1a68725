import { UserRound } from 'lucide-react'
import type { CSSProperties } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { hueOf, initials } from '#web/ui/badges/initials.ts'

/** Who has a conversation that is not mine, in the line of a row. */
export function Holder({ user }: { user: NonNullable<Conversation['assignedUser']> }) {
  return (
    <span
      title={`Com ${user.name}`}
      style={{ '--hue': hueOf(user.name) } as CSSProperties}
      className={[
        'avatar grid h-[18px] min-w-[18px] flex-none place-items-center rounded-full px-1',
        'text-xs leading-none font-semibold tracking-tight',
      ].join(' ')}
    >
      {initials(user.name) ? (
        <span aria-hidden>{initials(user.name)}</span>
      ) : (
        <UserRound aria-hidden size={12} />
      )}
      <span className="sr-only">Com {user.name}</span>
    </span>
  )
}
