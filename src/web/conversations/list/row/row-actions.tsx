import { ArrowRightLeft, Tag, UserRoundPlus } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { toastRefusal, useAssign } from '#web/conversations/mutations/conversation-mutations.ts'

/** 'Assumir', 'Etiquetas' and 'Transferir' without opening the chat. */
export function RowActions({
  conversation,
  tabIndex,
  onAsk,
  className,
}: {
  conversation: Conversation
  tabIndex: number
  onAsk: (dialog: 'transfer' | 'tags') => void
  /** Where they are in the row, and their ground. */
  className: string
}) {
  const { id: userId, hasTags } = useMe()
  const { mutateAsync, isPending } = useAssign(conversation)
  const mayTake = useCan('take') && conversation.assignedUserId === null
  const mayTransfer = useCan('transfer')
  const mayTag = useCan('viewConversations') && hasTags && !conversation.isCard
  if (!mayTake && !mayTransfer && !mayTag) return null
  // Awaits the promise rather than using callbacks: the actions go with the pointer, before the answer.
  const take = () =>
    mutateAsync(userId).catch((error: Error) => toastRefusal('Erro ao assumir conversa', error))
  return (
    <span data-row-actions className={cn('absolute flex', className)}>
      {mayTake && (
        <IconButton
          size="sm"
          label="Assumir"
          icon={UserRoundPlus}
          isBusy={isPending}
          tabIndex={tabIndex}
          onClick={() => void take()}
        />
      )}
      {mayTag && (
        <IconButton
          size="sm"
          label="Etiquetas"
          icon={Tag}
          tabIndex={tabIndex}
          onClick={() => onAsk('tags')}
        />
      )}
      {mayTransfer && (
        <IconButton
          size="sm"
          label="Transferir"
          icon={ArrowRightLeft}
          tabIndex={tabIndex}
          onClick={() => onAsk('transfer')}
        />
      )}
    </span>
  )
}
