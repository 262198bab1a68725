import type { ReactNode } from 'react'
import { useDoings } from '#web/users/users.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { clientText, typistsText } from './presence-texts.ts'

/** In a row of a list: who types, in the place of the last message. */
export function DoingsOr({ conversationId, children }: { conversationId: number; children: ReactNode }) {
  const doings = useDoings(conversationId)
  const words = clientText(doings) ?? typistsText(doings)
  return words === undefined ? (
    children
  ) : (
    <span className="min-w-0 flex-1 truncate text-left text-accent-text">{words}</span>
  )
}

/** Under the client's name: what he does. */
export function HeaderDoings({ conversationId }: { conversationId: number }) {
  const client = clientText(useDoings(conversationId))
  return client !== undefined && <span className="text-accent-text">{client} · </span>
}

/** Read aloud when it begins; the words themselves come and go too quickly to be read where they stand. */
export function DoingsStatus({ conversationId }: { conversationId: number }) {
  const doings = useDoings(conversationId)
  return (
    <span role="status" className="sr-only">
      {typistsText(doings)}
    </span>
  )
}

/** Beside the quick replies, above them where it is narrow: which colleague types in this chat. */
export function Typists({ conversationId }: { conversationId: number }) {
  const doings = useDoings(conversationId)
  const words = typistsText(doings)
  const first = doings.find(({ by }) => by)?.by
  if (words === undefined || !first) return null
  return (
    <span
      aria-hidden
      className="mb-2 flex h-7 flex-none items-center gap-1.5 text-xs font-medium text-accent-text max-md:h-6 md:ml-auto md:pl-2"
    >
      <Avatar name={first.name} size={24} />
      {words}
    </span>
  )
}
