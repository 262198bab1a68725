import { Trash2 } from 'lucide-react'
import type { Message } from '#shared/messages/messages.ts'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { useDeleteNote } from '#web/conversations/mutations/note-mutations.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

/** Asks for confirmation before a note of the team is deleted. */
export function DeleteNoteDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { mutate, isPending } = useDeleteNote(message.conversationId)
  const remove = () =>
    mutate(message.id, {
      onSuccess: onClose,
      onError: (error) => {
        toastRefusal('Erro ao excluir nota', error)
        onClose()
      },
    })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Excluir nota?"
      description="O texto e o arquivo somem para toda a equipe. Não há como desfazer."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="dangerSolid"
            icon={Trash2}
            isBusy={isPending}
            busyLabel="Excluindo..."
            onClick={remove}
          >
            Excluir nota
          </Button>
        </>
      }
    >
      <blockquote
        className={[
          'line-clamp-4 border-l-[3px] border-amber',
          'pl-2.5 text-sm [overflow-wrap:anywhere] text-ink-2',
        ].join(' ')}
        dir="auto"
      >
        <MessagePreview message={{ ...message, content: message.content || (message.fileName ?? '') }} />
      </blockquote>
    </Dialog>
  )
}
