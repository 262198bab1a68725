import { ArrowDownLeft, ArrowUpRight, ChevronDown, ChevronUp, ListOrdered } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { categoryLabel, initiatedByLabels, priorityLabels } from '#shared/text/text.ts'
import { useSectorParts } from './use-sector-parts.ts'
import { useTagParts } from './use-tag-parts.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'

export type BadgePart = 'category' | 'sector' | 'queue' | 'priority' | 'origin' | 'tags'

/** The properties of a conversation as badges, in the given order. */
export function ConversationBadges({
  conversation,
  parts,
  isTight = false,
}: {
  conversation: Conversation
  parts: readonly BadgePart[]
  /** Where there is not enough room, the name of the category shrinks, and what is said twice is left out. */
  isTight?: boolean
}) {
  return parts.map((part) => <Part key={part} part={part} conversation={conversation} isTight={isTight} />)
}

function OfSector({ sectorId }: { sectorId: number | null }) {
  const parts = useSectorParts()
  return parts && <parts.SectorBadge sectorId={sectorId} />
}

function OfTags({ tagIds, isTight }: { tagIds: Conversation['tagIds']; isTight: boolean }) {
  const parts = useTagParts()
  return parts && <parts.TagBadges tagIds={tagIds} isTight={isTight} />
}

function QueueBadge({ sectorId, position }: { sectorId: number | null; position: number }) {
  const parts = useSectorParts()
  return (
    <Badge tone="orange" icon={ListOrdered}>
      {parts ? <parts.QueueText sectorId={sectorId} position={position} /> : `FILA #${position}`}
    </Badge>
  )
}

function Part({
  part,
  conversation,
  isTight,
}: {
  part: BadgePart
  conversation: Conversation
  isTight: boolean
}) {
  const { contact, queuePosition, priority, initiatedBy } = conversation
  switch (part) {
    case 'category':
      return (
        <CategoryBadge color={contact.categoryColor} className={isTight ? 'min-w-8 shrink' : 'max-w-48'}>
          {categoryLabel(contact.category)}
        </CategoryBadge>
      )
    case 'sector':
      // The place in its queue names it.
      return isTight && queuePosition > 0 ? null : <OfSector sectorId={conversation.sectorId} />
    case 'queue':
      return queuePosition > 0 && <QueueBadge sectorId={conversation.sectorId} position={queuePosition} />
    case 'priority':
      if (priority === 'normal') return null
      return (
        <Badge
          tone={priority === 'high' ? 'red' : 'neutral'}
          icon={priority === 'high' ? ChevronUp : ChevronDown}
        >
          {priorityLabels[priority]}
        </Badge>
      )
    case 'tags':
      return conversation.tagIds && <OfTags tagIds={conversation.tagIds} isTight={isTight} />
    case 'origin': {
      const isOfContact = initiatedBy === 'contact'
      const label = initiatedByLabels[initiatedBy]
      return (
        <Badge
          tone={isOfContact ? 'plain' : 'blue'}
          icon={isOfContact ? ArrowDownLeft : ArrowUpRight}
          title={label}
        >
          <span className={isTight ? '@max-[760px]:sr-only' : undefined}>{label}</span>
        </Badge>
      )
    }
  }
}
