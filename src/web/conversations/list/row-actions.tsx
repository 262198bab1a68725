import { ArrowRightLeft, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useCan, useMe } from '#web/users/users.tsx'
import { toastRefusal, useAssign } from '#web/conversations/mutations/conversation-mutations.ts'

const TransferDialog = onDemand(
  async () => (await import('#web/conversations/hand-over/transfer-dialog.tsx')).TransferDialog,
)

/** 'Assumir' and 'Transferir' without opening the chat, shown on hover and with the focus of a row. */
export function RowActions({
  conversation,
  tabIndex = 0,
  className,
}: {
  conversation: Conversation
  tabIndex?: number
  /** Where they are in the row, a positioned `group/row`. */
  className: string
}) {
  const { id: userId } = useMe()
  const { mutate, isPending } = useAssign(conversation)
  const [isTransferring, setTransferring] = useState(false)
  const mayTake = useCan('canEditConversations') && conversation.assignedUserId === null
  const mayTransfer = useCan('canTransferConversations')
  if (!mayTake && !mayTransfer) return null
  const take = () => mutate(userId, { onError: (error) => toastRefusal('Erro ao assumir conversa', error) })
  return (
    <span
      className={cn(
        'absolute flex rounded-control border border-line bg-surface opacity-0 focus-within:opacity-100',
        // A finger has no hover, and would press them by chance.
        'group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:hidden',
        (isPending || isTransferring) && 'opacity-100',
        className,
      )}
    >
      {mayTake && (
        <IconButton
          size="sm"
          label="Assumir"
          icon={UserRoundPlus}
          isBusy={isPending}
          tabIndex={tabIndex}
          onClick={take}
        />
      )}
      {mayTransfer && (
        <IconButton
          size="sm"
          label="Transferir"
          icon={ArrowRightLeft}
          tabIndex={tabIndex}
          onClick={() => setTransferring(true)}
        />
      )}
      {isTransferring && (
        <TransferDialog conversation={conversation} onClose={() => setTransferring(false)} />
      )}
    </span>
  )
}
