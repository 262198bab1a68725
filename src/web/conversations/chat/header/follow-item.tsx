import { Bell, BellOff } from 'lucide-react'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { useFollowing } from './following.ts'

/** 'Seguir': being told of what happens in the conversation. Until it is known whether it is followed, a blank. */
export function FollowItem({ conversationId }: { conversationId: number }) {
  const { isFollowed, toggle } = useFollowing(conversationId)
  return (
    <MenuItem icon={isFollowed ? BellOff : Bell} onSelect={toggle}>
      {isFollowed ? 'Deixar de seguir' : 'Seguir'}
    </MenuItem>
  )
}
