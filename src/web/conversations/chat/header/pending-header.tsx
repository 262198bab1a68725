import type { ContactCard } from '#shared/contacts/contacts.ts'
import { categoryLabel } from '#shared/text/text.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { Facts, Head } from './chat-header.tsx'

/** The header of a chat that has no conversation yet. */
export function PendingHeader({
  contact,
  isPanelOpen,
  onTogglePanel,
}: {
  contact: ContactCard
  isPanelOpen: boolean
  onTogglePanel: () => void
}) {
  return (
    <header className="flex-none border-b border-line bg-surface">
      <Head contact={contact} line="sem conversa" isPanelOpen={isPanelOpen} onTogglePanel={onTogglePanel}>
        <Badge tone="blue">NOVA CONVERSA</Badge>
      </Head>
      <Facts contact={contact} isPanelOpen={isPanelOpen}>
        <CategoryBadge color={contact.categoryColor} className="max-w-48">
          {categoryLabel(contact.category)}
        </CategoryBadge>
      </Facts>
    </header>
  )
}
