import { CountBadge } from '#web/ui/count-badge.tsx'

/** How many messages of a conversation are unread. */
export function UnreadBadge({ count }: { count: number }) {
  return <CountBadge count={count} label={count === 1 ? '1 não lida' : `${count} não lidas`} />
}
