import { CountBadge } from '#web/ui/badges/count-badge.tsx'

/** The number of unread messages of a conversation. */
export function UnreadBadge({ count }: { count: number }) {
  return <CountBadge count={count} label={count === 1 ? '1 não lida' : `${count} não lidas`} />
}
