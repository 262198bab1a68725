import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useLeaveChat, useTransfer } from '#web/conversations/mutations/conversation-mutations.ts'
import { Receivers } from '#web/conversations/hand-over/receivers.tsx'
import { TeamNote } from '#web/conversations/hand-over/team-note.tsx'

/** Transfers the conversation to a colleague, with a note that only the team sees. */
export function TransferDialog({
  conversation,
  onClose,
}: {
  conversation: Conversation
  onClose: () => void
}) {
  const [receiver, setReceiver] = useState<string>()
  const [note, setNote] = useState('')
  const { mutate, isPending } = useTransfer(conversation)
  const leave = useLeaveChat(conversation.id)
  const transfer = () => {
    if (receiver === undefined) return
    mutate(
      { newOperatorId: Number(receiver), note },
      {
        onSuccess: () => {
          toast({ tone: 'success', title: 'Conversa transferida!' })
          onClose()
          leave()
        },
        onError: ({ message }) =>
          toast({ tone: 'error', title: `Erro ao transferir conversa: ${message || 'Tente novamente'}` }),
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Transferir conversa"
      description={conversation.contact.name}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            icon={ArrowRightLeft}
            disabled={receiver === undefined}
            isBusy={isPending}
            busyLabel="Transferindo..."
            onClick={transfer}
          >
            Transferir
          </Button>
        </>
      }
    >
      <Receivers holderId={conversation.assignedUserId} chosen={receiver} onChoose={setReceiver} />
      <TeamNote value={note} onChange={setNote} hint="O cliente não vê a nota." />
    </Dialog>
  )
}
