import type { ReactNode } from 'react'
import { useTyping } from '#web/users/users.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { clientText, typistsText } from './presence-texts.ts'

/** In a row of a list: who is typing, instead of the last message. */
export function TypingOr({ conversationId, children }: { conversationId: number; children: ReactNode }) {
  const typing = useTyping(conversationId)
  const client = clientText(typing)
  const words = client ?? typistsText(typing)
  return words === undefined ? (
    children
  ) : (
    <span
      className={`min-w-0 flex-1 truncate text-left ${client ? 'text-accent-text' : 'text-amber-text'}`}
    >
      {words}
    </span>
  )
}

/** Below the client's name: what the client is doing. */
export function HeaderTyping({ conversationId }: { conversationId: number }) {
  const client = clientText(useTyping(conversationId))
  return client !== undefined && <span className="text-accent-text">{client} · </span>
}

/** Announced to screen readers when it begins; the visible texts change too quickly to be read out. */
export function TypingStatus({ conversationId }: { conversationId: number }) {
  const typing = useTyping(conversationId)
  return (
    <span role="status" className="sr-only">
      {typistsText(typing)}
    </span>
  )
}

/** Beside the quick replies, or above them on narrow screens: the colleague who is typing in this chat. */
export function Typists({ conversationId }: { conversationId: number }) {
  const typing = useTyping(conversationId)
  const words = typistsText(typing)
  const first = typing.find(({ by }) => by)?.by
  if (words === undefined || !first) return null
  return (
    <span
      aria-hidden
      className={[
        'mb-2 flex h-7 flex-none items-center gap-1.5 text-xs',
        'font-medium text-amber-text max-md:h-6 md:ml-auto md:pl-2',
      ].join(' ')}
    >
      <Avatar name={first.name} size={24} />
      {words}
    </span>
  )
}
