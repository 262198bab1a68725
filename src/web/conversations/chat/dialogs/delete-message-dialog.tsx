import { Trash2 } from 'lucide-react'
import type { Message } from '#shared/messages/messages.ts'
import { isAtWhatsApp } from '#shared/messages/message-changes.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'
import { useDeleteMessage } from '#web/conversations/mutations/message-mutations.ts'

/** Asks for confirmation before a message is deleted for everyone. */
export function DeleteMessageDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { mutate, isPending } = useDeleteMessage(message.conversationId)
  const remove = () =>
    mutate(message.id, {
      onSuccess: onClose,
      onError: (error) => {
        toastRefusal('Erro ao apagar mensagem', error)
        onClose()
      },
    })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Apagar para todos?"
      description={
        isAtWhatsApp(message)
          ? 'A mensagem some do WhatsApp do cliente, que vê que ela foi apagada. Não há como desfazer.'
          : 'A mensagem não chega ao cliente. Não há como desfazer.'
      }
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="dangerSolid"
            icon={Trash2}
            isBusy={isPending}
            busyLabel="Apagando..."
            onClick={remove}
          >
            Apagar para todos
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
        <MessagePreview message={message} />
      </blockquote>
    </Dialog>
  )
}
