import { useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { toast } from '#web/ui/states/toast.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'
import { GoNext, useGoNext } from '#web/conversations/hand-over/go-next.tsx'
import { useFinalize } from '#web/conversations/mutations/conversation-mutations.ts'

/** Completes the conversation, with notes for the archive. */
export function FinalizeDialog({
  conversation,
  onClose,
}: {
  conversation: Conversation
  onClose: () => void
}) {
  const [notes, setNotes] = useState('')
  // As it was when the dialog covered it: what comes meanwhile is not seen.
  const [seen, setSeen] = useState(conversation)
  const [isNewer, setNewer] = useState(false)
  const { mutateAsync, isPending } = useFinalize({ ...conversation, lastMessage: seen.lastMessage })
  const client = useQueryClient()
  const goNext = useGoNext(conversation.id)
  // Awaits the promise rather than using callbacks: the push may arrive first and unmount this dialog.
  const finalize = () =>
    mutateAsync(notes).then(
      () => {
        toast({ tone: 'success', title: 'Atendimento finalizado!' })
        onClose()
        goNext.leave()
      },
      async (error: Error) => {
        if (error instanceof ApiError && error.code === 'conversations.client_wrote') {
          const now = await client
            .fetchQuery({ ...conversationQueries.one(conversation.id), staleTime: 0 })
            .catch(() => undefined)
          setSeen(now ?? conversation)
          setNewer(true)
        } else
          toast({ tone: 'error', title: `Erro ao finalizar conversa: ${error.message || 'Tente novamente'}` })
      },
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Finalizar atendimento"
      description={conversation.contact.name}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            icon={Check}
            isBusy={isPending}
            busyLabel="Finalizando..."
            onClick={() => void finalize()}
          >
            {goNext.isOn ? 'Finalizar e ir para a próxima' : 'Finalizar'}
          </Button>
        </>
      }
    >
      <Field label="Notas do atendimento" hint="Ficam no arquivamento; o cliente não as vê.">
        {(control) => (
          <textarea
            {...control}
            rows={4}
            maxLength={10_000}
            value={notes}
            onChange={(event) => setNotes(event.target.value)}
            className={fieldLook('lines')}
          />
        )}
      </Field>
      {isNewer && (
        <div role="alert" className="rounded-control border border-amber-line bg-amber-soft p-2.5 text-sm">
          <p className="font-medium text-amber-text">O cliente acabou de escrever</p>
          {seen.lastMessage && <MessagePreview message={seen.lastMessage} />}
        </div>
      )}
      <GoNext goNext={goNext} />
    </Dialog>
  )
}
