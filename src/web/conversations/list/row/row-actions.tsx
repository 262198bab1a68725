import { ArrowRightLeft, UserRoundPlus } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { toastRefusal, useAssign } from '#web/conversations/mutations/conversation-mutations.ts'

/** 'Assumir' and 'Transferir' without opening the chat. */
export function RowActions({
  conversation,
  tabIndex,
  onTransfer,
  className,
}: {
  conversation: Conversation
  tabIndex: number
  onTransfer: () => void
  /** Where they are in the row, and their ground. */
  className: string
}) {
  const { id: userId } = useMe()
  const { mutateAsync, isPending } = useAssign(conversation)
  const mayTake = useCan('take') && conversation.assignedUserId === null
  const mayTransfer = useCan('transfer')
  if (!mayTake && !mayTransfer) return null
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
      {mayTransfer && (
        <IconButton
          size="sm"
          label="Transferir"
          icon={ArrowRightLeft}
          tabIndex={tabIndex}
          onClick={onTransfer}
        />
      )}
    </span>
  )
}
