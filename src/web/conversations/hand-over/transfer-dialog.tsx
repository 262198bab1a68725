import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { SummaryForNote, useAssistantIn } from '#web/assistant/assistant.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useTransfer } from '#web/conversations/mutations/conversation-mutations.ts'
import { GoNext, useGoNext } from './go-next.tsx'
import { Receivers } from './receivers.tsx'
import { TeamNote } from './team-note.tsx'

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
  const { mutateAsync, isPending } = useTransfer(conversation)
  const { canSummarize } = useAssistantIn(conversation.id)
  const goNext = useGoNext(conversation.id)
  // Awaits the promise rather than using callbacks: the push may arrive first, and remove the row with its
  // dialog.
  const transfer = (newOperatorId: number) =>
    mutateAsync({ newOperatorId, note }).then(
      () => {
        toast({ tone: 'success', title: 'Conversa transferida!' })
        onClose()
        goNext.leave()
      },
      ({ message }: Error) =>
        toast({ tone: 'error', title: `Erro ao transferir conversa: ${message || 'Tente novamente'}` }),
    )
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
            onClick={() => void transfer(Number(receiver))}
          >
            {goNext.isOn ? 'Transferir e ir para a próxima' : 'Transferir'}
          </Button>
        </>
      }
    >
      <Receivers
        takesFocus
        holderId={conversation.assignedUserId}
        instanceIds={[conversation.instanceId]}
        chosen={receiver}
        onChoose={setReceiver}
      />
      <TeamNote value={note} onChange={setNote} hint="O cliente não vê a nota." />
      {canSummarize && (
        <SummaryForNote
          conversationId={conversation.id}
          onText={(text) => setNote((now) => `${now.trim()}\n${text}`.trim().slice(0, 2000))}
        />
      )}
      <GoNext goNext={goNext} />
    </Dialog>
  )
}
