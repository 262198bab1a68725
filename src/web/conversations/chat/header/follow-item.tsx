import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff } from 'lucide-react'
import { follow, getFollowing, unfollow } from '#shared/notifications/following.ts'
import { call } from '#web/platform/api/api.ts'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { toast } from '#web/ui/states/toast.ts'

const followingQuery = (conversationId: number) =>
  queryOptions({
    queryKey: ['following', conversationId],
    queryFn: ({ signal }) => call(getFollowing, { params: { id: conversationId }, signal }),
  })

/** 'Seguir': being told of what happens in the conversation. */
export function FollowItem({ conversationId }: { conversationId: number }) {
  const client = useQueryClient()
  const { data } = useQuery(followingQuery(conversationId))
  // Until it is known it says 'Seguir', and does that.
  const isFollowed = data?.isFollowed ?? false
  return (
    <MenuItem
      icon={isFollowed ? BellOff : Bell}
      onSelect={() => void toggleFollowing(client, conversationId, isFollowed)}
    >
      {isFollowed ? 'Deixar de seguir' : 'Seguir'}
    </MenuItem>
  )
}

/**
 * Begins or ends to follow a conversation, and says which.
 * @param isFollowed as it was shown; absent: whatever it is now
 */
export async function toggleFollowing(
  client: QueryClient,
  conversationId: number,
  isFollowed?: boolean,
): Promise<void> {
  const params = { id: conversationId }
  try {
    // Not by the query, which ends with the menu that shows it.
    const was = isFollowed ?? (await call(getFollowing, { params })).isFollowed
    const now = await call(was ? unfollow : follow, { params })
    client.setQueryData(followingQuery(conversationId).queryKey, now)
    toast({
      title: now.isFollowed ? 'Você segue esta conversa' : 'Você não segue mais esta conversa',
      ...(now.isFollowed && { description: 'O que acontecer nela aparece no sino, em Avisos.' }),
    })
  } catch (error) {
    toastRefusal('Erro ao seguir a conversa', error as Error)
  }
}
