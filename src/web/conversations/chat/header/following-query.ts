import { queryOptions } from '@tanstack/react-query'
import { getFollowing } from '#shared/notifications/following.ts'
import { call } from '#web/platform/api/api.ts'
import { partInPlace } from '#web/platform/loading/in-place.tsx'

/** Whether the person follows the conversation. */
export const followingQuery = (conversationId: number) =>
  queryOptions({
    queryKey: ['following', conversationId],
    queryFn: ({ signal }) => call(getFollowing, { params: { id: conversationId }, signal }),
  })

/** What shows that, where it is so, and what changes it. */
export const useFollowParts = partInPlace(() => import('./follow-item.tsx'))
