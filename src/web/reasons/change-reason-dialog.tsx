import { useMutation } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { changeConversationReason } from '#shared/reasons/conversation-reason.ts'
import { call, reasonOf } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { ReasonOf } from './reason-of.tsx'
import { useReasonOf } from './use-reason-of.ts'

/** Says afterwards why a conversation ended. */
export function ChangeReasonDialog({
  conversation,
  onChanged,
  onClose,
}: {
  conversation: Conversation
  onChanged: () => void
  onClose: () => void
}) {
  const { id, version, finishReasonId, contact } = conversation
  const reason = useReasonOf([conversation], finishReasonId, 'always')
  // The present one may be offered no longer: that is no choice of none.
  const [isTouched, setTouched] = useState(false)
  const choose = (next: number | undefined) => {
    setTouched(true)
    reason.choose(next)
  }
  const { mutate, isPending } = useMutation({
    mutationFn: (reasonId: number | null) =>
      call(changeConversationReason, { params: { id }, body: { reasonId, version } }),
    onSuccess: () => {
      onChanged()
      onClose()
      toast({ tone: 'success', title: 'Motivo alterado' })
    },
    onError: (error) => {
      onChanged()
      if (!reason.takeRefusal(error))
        toast({ tone: 'error', title: `O motivo não foi alterado: ${reasonOf(error)}` })
    },
  })
  const save = () => reason.isGiven() && mutate(reason.id ?? null)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Alterar motivo"
      description={contact.name}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            icon={Check}
            isBusy={isPending}
            busyLabel="Salvando..."
            disabled={!isTouched || (reason.id ?? undefined) === finishReasonId}
            onClick={save}
          >
            Salvar
          </Button>
        </>
      }
    >
      <ReasonOf reason={{ ...reason, choose }} conversation={conversation} />
    </Dialog>
  )
}
