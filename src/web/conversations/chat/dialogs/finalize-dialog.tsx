import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { toast } from '#web/ui/states/toast.ts'
import { conversationQueries, openRow } from '#web/conversations/cache/queries.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'
import { EndButtons, type Ending, GoOnHint } from '#web/conversations/hand-over/go-on.tsx'
import { isConflict, useFinalize } from '#web/conversations/mutations/conversation-mutations.ts'
import { noteToKeep, useToldEnd } from './told-end.ts'
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
  const [notes, setNotes] = useState(() => noteToKeep(conversation.id))
  // As it was when the dialog covered it: what comes meanwhile is not seen.
  const [seen, setSeen] = useState(() => ({
    holderId: conversation.assignedUserId,
    messageId: newestShown(client, conversation),
  }))
  /** What the client wrote meanwhile, once it is shown here. */
  const [newer, setNewer] = useState<{ message: Conversation['lastMessage'] }>()
  const [ending, setEnding] = useState<Ending>()
  const { mutateAsync } = useFinalize(conversation.id, seen)
  const goOn = useGoOn(conversation.id)
  const tellEnd = useToldEnd(conversation, goOn)
  // Awaits the promise rather than using callbacks: the push may arrive first and unmount this dialog.
  const finalize = (how: Ending) => {
    setEnding(how)
    mutateAsync(notes).then(
      ({ conversation: ended }) => {
        onClose()
        tellEnd(ended, notes, how === 'next')
      },
      async (error: Error) => {
        setEnding(undefined)
        if (error instanceof ApiError && error.code === 'conversations.client_wrote') {
          const now =
            (await client
              .fetchQuery({ ...conversationQueries.one(conversation.id), staleTime: 0 })
              .catch(() => undefined)) ?? conversation
          setSeen({ ...seen, messageId: newest(seen.messageId, now.lastMessage?.id) })
          setNewer({ message: now.lastMessage })
          return
        }
        if (isConflict(error))
          setSeen({ ...seen, holderId: (openRow(client, conversation.id) ?? conversation).assignedUserId })
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
      {newer && (
        <div role="alert" className="rounded-control border border-amber-line bg-amber-soft p-2.5 text-sm">
          <p className="font-medium text-amber-text">O cliente acabou de escrever</p>
          {newer.message && <MessagePreview message={newer.message} />}
        </div>
      )}
      <GoOnHint verb="finaliza" goOn={goOn} />
    </Dialog>
  )
}

/**
 * The newest message that the chat shows, by arrival: one that was late stands above the last one, and the
 * server would take it for unseen.
 */
function newestShown(client: QueryClient, { id, lastMessage }: Conversation): number | undefined {
  const { pages = [] } = client.getQueryData(conversationQueries.messages(id).queryKey) ?? {}
  return pages.flat().reduce<number | undefined>((last, message) => newest(last, message.id), lastMessage?.id)
}

function newest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a
}
