import { useQuery } from '@tanstack/react-query'
import { useCan, useMe } from '#web/users/users.tsx'
import type { Conversation } from '#shared/conversations.ts'
import { conversationQueries } from './queries.ts'

/** How many conversations of the signed-in person wait for an answer. */
export function useWaitingCount(): number {
  const { id } = useMe()
  const { data } = useQuery({
    ...conversationQueries.open(),
    enabled: useCan('canViewConversations'),
    select: (rows) => countWaiting(rows, id),
  })
  return data ?? 0
}

export function countWaiting(rows: readonly Conversation[], userId: number): number {
  return rows.filter((row) => row.assignedUserId === userId && row.waitingFor === 'operator').length
}
