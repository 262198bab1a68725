import type { ReactNode } from 'react'
import { useTyping } from '#web/users/users.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { clientText, typistsText } from './presence-texts.ts'

/** In a row of a list: who is typing, instead of the last message. */
export function TypingOr({ conversationId, children }: { conversationId: number; children: ReactNode }) {
  const typing = useTyping(conversationId)
  const client = clientText(typing)
  const words = client ?? typistsText(typing)
  return words === undefined ? (
    children
  ) : (
    <span className={`min-w-0 flex-1 truncate text-left ${client ? 'text-accent-text' : 'text-amber-text'}`}>
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

/** The colleague who is typing in this chat: beside the quick replies, or floating above the composer. */
export function Typists({ conversationId, isFloating }: { conversationId: number; isFloating: boolean }) {
  const typing = useTyping(conversationId)
  const words = typistsText(typing)
  const first = typing.find(({ by }) => by)?.by
  if (words === undefined || !first) return null
  return (
    <span
      aria-hidden
      className={cn(
        'flex h-7 min-w-0 items-center gap-1.5 text-xs font-medium text-amber-text',
        isFloating
          ? 'absolute bottom-full left-3 mb-2 max-w-[80%] rounded-full bg-surface pr-2.5 pl-1 shadow-float'
          : 'my-0.5 ml-auto max-w-[50%] flex-none pl-2',
      )}
    >
      <Avatar name={first.name} size={24} />
      <span className="truncate">{words}</span>
    </span>
  )
}
