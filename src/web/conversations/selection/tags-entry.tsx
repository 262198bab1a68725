import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { TagBadges } from '#web/tags/tags.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useCan } from '#web/users/users.tsx'

const TagOne = onDemand(async () => (await import('./tag-one.tsx')).TagOne)

/** The tags of a completed conversation, with a way to change them for those who may. */
export function TagsEntry({
  conversation,
  onChanged,
}: {
  conversation: Conversation
  onChanged: () => void
}) {
  const mayTag = useCan('tagArchived')
  const [isAsked, setAsked] = useState(false)
  const { tagIds } = conversation
  return (
    <span className="flex min-w-0 items-start gap-1">
      <span className="flex min-w-0 flex-1 flex-wrap gap-1">
        {tagIds ? <TagBadges tagIds={tagIds} most={20} /> : <span className="text-ink-3">Nenhuma</span>}
      </span>
      {mayTag && (
        <IconButton
          icon={Pencil}
          size="sm"
          label="Alterar etiquetas"
          onClick={() => setAsked(true)}
          className="-my-1 max-md:size-11"
        />
      )}
      {isAsked && <TagOne conversation={conversation} onTagged={onChanged} onClose={() => setAsked(false)} />}
    </span>
  )
}
