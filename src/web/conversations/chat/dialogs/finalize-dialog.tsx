import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { undoFinalizeMs } from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { toast } from '#web/ui/states/toast.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'
import { EndButtons, type Ending, GoOnHint } from '#web/conversations/hand-over/go-on.tsx'
import { useFinalize } from '#web/conversations/mutations/conversation-mutations.ts'
import { noteToKeep, useUndoFinalize } from './undo-finalize.ts'
import { useGoOn } from './use-go-on.ts'

/** Completes the conversation, with notes for the archive; the notification that says so undoes it. */
export function FinalizeDialog({
  conversation,
  onClose,
}: {
  conversation: Conversation
  onClose: () => void
}) {
  const [notes, setNotes] = useState(() => noteToKeep(conversation.id))
  // As it was when the dialog covered it: what comes meanwhile is not seen.
  const [seen, setSeen] = useState(conversation)
  const [isNewer, setNewer] = useState(false)
  const [ending, setEnding] = useState<Ending>()
  const { mutateAsync } = useFinalize({ ...conversation, lastMessage: seen.lastMessage })
  const client = useQueryClient()
  const goOn = useGoOn(conversation.id)
  const undo = useUndoFinalize(conversation.id)
  // Awaits the promise rather than using callbacks: the push may arrive first and unmount this dialog.
  const finalize = (how: Ending) => {
    setEnding(how)
    const isForNext = how === 'next'
    mutateAsync(notes).then(
      () => {
        onClose()
        const stay = goOn.leave(isForNext)
        toast({
          tone: 'success',
          title: 'Atendimento finalizado!',
          ...(isForNext && goOn.nextName !== undefined && { description: `Próxima: ${goOn.nextName}` }),
          action: {
            label: 'Desfazer',
            forMs: undoFinalizeMs,
            onClick: () => {
              stay()
              void undo(notes)
            },
          },
        })
      },
      async (error: Error) => {
        setEnding(undefined)
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
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Finalizar atendimento"
      description={conversation.contact.name}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <EndButtons
            verb="Finalizar"
            busyLabel="Finalizando..."
            goOn={goOn}
            busy={ending}
            onEnd={finalize}
          />
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
      <GoOnHint verb="finaliza" goOn={goOn} />
    </Dialog>
  )
}
