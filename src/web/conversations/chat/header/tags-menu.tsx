import { Tag } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { TagBadges } from '#web/tags/tags.tsx'
import { cn } from '#web/ui/cn.ts'
import { useCan } from '#web/users/users.tsx'

const emptyLook =
  'inline-flex h-5 items-center gap-1 rounded-tag border border-dashed border-line-strong px-[7px] text-xs'

/** The tags of a conversation, which lead to the choice of others. */
export function TagsMenu({ conversation, onAsk }: { conversation: Conversation; onAsk: () => void }) {
  const mayTagOpen = useCan('viewConversations')
  const mayTagArchived = useCan('tagArchived')
  const mayTag = conversation.status === 'completed' ? mayTagArchived : mayTagOpen
  const { tagIds } = conversation
  if (!mayTag) return <TagBadges tagIds={tagIds} />
  return (
    <button
      type="button"
      onClick={onAsk}
      aria-keyshortcuts="Alt+E"
      // Without a tag only where there is room for it: the menu and the keys lead to it everywhere.
      className={cn(
        'target inline-flex flex-none items-center gap-1.5 rounded-tag hover:bg-hover',
        tagIds === undefined && '@max-[860px]:hidden',
      )}
    >
      <span className="sr-only">Mudar etiquetas: </span>
      <TagBadges tagIds={tagIds} />
      {tagIds === undefined && (
        <span className={emptyLook}>
          <Tag aria-hidden size={12} />
          Etiqueta
        </span>
      )}
    </button>
  )
}
