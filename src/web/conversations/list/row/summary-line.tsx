import type { Conversation } from '#shared/conversations/conversations.ts'
import { isBackFor } from '#shared/conversations/list/list-view.ts'
import { useMe } from '#web/users/users.tsx'
import { LastMessageLine } from '#web/conversations/rows/last-message-line.tsx'
import { useDraftText } from '#web/conversations/drafts/use-draft.ts'

/** The state of a conversation on one line: why it is back from hold, a draft, or the last message. */
export function SummaryLine({
  conversation,
  isHere = false,
}: {
  conversation: Conversation
  /** The conversation is open, and its draft is in the composer. */
  isHere?: boolean
}) {
  const { id: userId } = useMe()
  const draft = useDraftText(userId, conversation.id)
  if (conversation.isCard)
    return <span className="min-w-0 flex-1 truncate text-left">Assuma para ver as mensagens</span>
  const { snoozeReason } = conversation
  if (isBackFor(conversation, userId) && snoozeReason !== undefined && !isHere)
    return (
      <span className="min-w-0 flex-1 truncate text-left font-medium text-ink" title={snoozeReason}>
        Lembrete: <span dir="auto">{snoozeReason}</span>
      </span>
    )
  if (draft === undefined || isHere) return <LastMessageLine message={conversation.lastMessage} />
  return (
    <span className="min-w-0 flex-1 truncate text-left" title={draft}>
      <span className="font-medium text-red-text">Rascunho:</span> <span dir="auto">{draft}</span>
    </span>
  )
}
