import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { ReasonOf, useReasonOf } from '#web/reasons/reasons.tsx'
import { TagField, useTagChoice } from '#web/tags/tags.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { toast } from '#web/ui/states/toast.ts'
import { openRow } from '#web/conversations/cache/queries.ts'
import { EndButtons, type Ending, GoOnHint } from '#web/conversations/hand-over/go-on.tsx'
import { isConflict, useFinalize } from '#web/conversations/mutations/conversation-mutations.ts'
import { NewerMessage, useSeenMessage } from './seen-message.tsx'
import { endToKeep, useToldEnd } from './told-end.ts'
import { useGoOn } from './use-go-on.ts'

/** Completes the conversation, with notes for the archive; the notification that says so undoes it. */
export function FinalizeDialog({
  conversation,
  onClose,
}: {
  conversation: Conversation
  onClose: () => void
}) {
  const client = useQueryClient()
  const [notes, setNotes] = useState(() => endToKeep(conversation.id).notes)
  const discard = useDiscard(notes !== endToKeep(conversation.id).notes, onClose)
  const reason = useReasonOf([conversation], endToKeep(conversation.id).reasonId)
  const tags = useTagChoice([conversation], endToKeep(conversation.id).tagIds)
  // As it was when the dialog covered it.
  const [holderId, setHolderId] = useState(conversation.assignedUserId)
  const seen = useSeenMessage(conversation)
  const [ending, setEnding] = useState<Ending>()
  const { mutateAsync } = useFinalize(conversation.id, { holderId, messageId: seen.id })
  const goOn = useGoOn(conversation.id)
  const tellEnd = useToldEnd(conversation, goOn)
  const isEnded = conversation.status === 'completed' && !ending
  // Awaits the promise rather than using callbacks: the push may arrive first and unmount this dialog.
  const finalize = (how: Ending) => {
    const areGiven = [reason.isGiven(), tags.isGiven()]
    if (areGiven.includes(false)) return
    setEnding(how)
    const end = { notes, reasonId: reason.id, tagIds: tags.ids }
    mutateAsync(end).then(
      ({ conversation: ended }) => {
        onClose()
        tellEnd(ended, { ...end, reasonPath: reason.path }, how === 'next')
      },
      async (error: Error) => {
        setEnding(undefined)
        if (reason.takeRefusal(error) || tags.takeRefusal(error) || (await seen.takeNewer(error))) return
        if (isConflict(error)) setHolderId((openRow(client, conversation.id) ?? conversation).assignedUserId)
        toast({ tone: 'error', title: `Erro ao finalizar conversa: ${error.message || 'Tente novamente'}` })
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title="Finalizar atendimento"
      description={conversation.contact.name}
      footer={
        <>
          <Button onClick={discard.close}>Cancelar</Button>
          <EndButtons
            verb="Finalizar"
            busyLabel="Finalizando..."
            goOn={goOn}
            isOff={discard.isAsked || isEnded}
            busy={ending}
            onEnd={finalize}
          />
        </>
      }
    >
      <ReasonOf reason={reason} conversation={conversation} />
      <TagField choice={tags} tagIds={conversation.tagIds} />
      <Field label="Notas do atendimento" hint="Ficam no arquivamento; o cliente não as vê.">
        {(control) => (
          <textarea
            {...control}
            rows={reason.ask === 'no' && tags.ask === 'no' ? 4 : 2}
            maxLength={10_000}
            value={notes}
            onChange={(event) => setNotes(event.target.value)}
            className={fieldLook('lines')}
          />
        )}
      </Field>
      {isEnded && (
        <p role="status" className="text-sm text-amber-text">
          A conversa já foi finalizada.
          {notes.trim() !== '' && ' O que você escreveu continua aqui para ser copiado.'}
        </p>
      )}
      <NewerMessage newer={seen.newer} />
      <GoOnHint verb="finaliza" goOn={goOn} />
      {discard.question}
    </Dialog>
  )
}
