import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff, BellRing } from 'lucide-react'
import { follow, getFollowing, unfollow } from '#shared/notifications/following.ts'
import { call } from '#web/platform/api/api.ts'
import { PanelSection } from '#web/contacts/contacts.tsx'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/users.tsx'
import { followingQuery } from './following-query.ts'

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

/** That one follows the conversation; it ends that. */
export function FollowMark({ conversationId }: { conversationId: number }) {
  const client = useQueryClient()
  return (
    <IconButton
      label="Você segue esta conversa"
      icon={BellRing}
      size="sm"
      className="max-md:-mx-1 max-md:w-7 max-md:bg-transparent"
      isOn
      onClick={() => void toggleFollowing(client, conversationId, true)}
    />
  )
}

/** The same in the panel. Of colleagues nobody is told whether they follow. */
export function FollowingSection({ conversationId }: { conversationId: number }) {
  const client = useQueryClient()
  const me = useMe()
  return (
    <PanelSection title="Seguindo">
      <div className="flex items-center gap-2 text-sm">
        <Avatar name={me.name} src={me.pictureUrl} size={24} />
        <span className="min-w-0 flex-1">Você</span>
        <Button variant="ghost" size="sm" onClick={() => void toggleFollowing(client, conversationId, true)}>
          Deixar de seguir
        </Button>
      </div>
    </PanelSection>
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
