import { Trash2 } from 'lucide-react'
import type { Message } from '#shared/messages/messages.ts'
import { isAtWhatsApp } from '#shared/messages/message-changes.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'
import { useDeleteMessage } from '#web/conversations/mutations/message-mutations.ts'
import { useDeleteNote } from '#web/conversations/mutations/note-mutations.ts'

interface Words {
  title: string
  description: string
  act: string
  busy: string
  failed: string
}

const ofMessage: Omit<Words, 'description'> = {
  title: 'Apagar para todos?',
  act: 'Apagar para todos',
  busy: 'Apagando...',
  failed: 'Erro ao apagar mensagem',
}
const ofNote: Words = {
  title: 'Excluir nota?',
  description: 'O texto e o arquivo somem para toda a equipe. Não há como desfazer.',
  act: 'Excluir nota',
  busy: 'Excluindo...',
  failed: 'Erro ao excluir nota',
}

function wordsFor(message: Message): Words {
  if (message.messageType === 'note') return ofNote
  const description = isAtWhatsApp(message)
    ? 'A mensagem some do WhatsApp do cliente, que vê que ela foi apagada. Não há como desfazer.'
    : 'A mensagem não chega ao cliente. Não há como desfazer.'
  return { ...ofMessage, description }
}

/** Asks for confirmation before a message is deleted for everyone, or a note of the team. */
export function DeleteMessageDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const ofMessages = useDeleteMessage(message.conversationId)
  const ofNotes = useDeleteNote(message.conversationId)
  const { mutate, isPending } = message.messageType === 'note' ? ofNotes : ofMessages
  const { title, description, act, busy, failed } = wordsFor(message)
  const remove = () =>
    mutate(message.id, {
      onSuccess: onClose,
      onError: (error) => {
        toastRefusal(failed, error)
        onClose()
      },
    })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="dangerSolid" icon={Trash2} isBusy={isPending} busyLabel={busy} onClick={remove}>
            {act}
          </Button>
        </>
      }
    >
      <blockquote
        className={[
          'line-clamp-4 border-l-[3px] border-line-strong',
          'pl-2.5 text-sm [overflow-wrap:anywhere] text-ink-2',
        ].join(' ')}
        dir="auto"
      >
        <MessagePreview message={{ ...message, content: message.content || (message.fileName ?? '') }} />
      </blockquote>
    </Dialog>
  )
}
