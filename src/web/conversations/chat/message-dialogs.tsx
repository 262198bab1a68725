import { useMemo, useState } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { ReplyDialog } from '#web/settings/settings.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'

const DeleteMessageDialog = onDemand(
  async () => (await import('#web/conversations/chat/dialogs/delete-message-dialog.tsx')).DeleteMessageDialog,
)
const ForwardDialog = onDemand(
  async () => (await import('#web/conversations/chat/dialogs/forward-dialog.tsx')).ForwardDialog,
)
const MessageDetailsDialog = onDemand(
  async () =>
    (await import('#web/conversations/chat/message/message-details-dialog.tsx')).MessageDetailsDialog,
)

interface Asked {
  what: 'delete' | 'forward' | 'details' | 'keep'
  message: Message
}

/** The dialog that a message's menu has asked for, and the actions that ask. */
export function useMessageDialogs(contactName: string) {
  const [asked, setAsked] = useState<Asked>()
  const actions = useMemo(() => {
    const ask = (what: Asked['what']) => (message: Message) => setAsked({ what, message })
    return {
      onDelete: ask('delete'),
      onForward: ask('forward'),
      onDetails: ask('details'),
      onKeep: ask('keep'),
    }
  }, [])
  const props = asked && { message: asked.message, onClose: () => setAsked(undefined) }
  const dialog = props && (
    <>
      {asked.what === 'delete' && <DeleteMessageDialog {...props} />}
      {asked.what === 'forward' && <ForwardDialog {...props} />}
      {asked.what === 'keep' && (
        <ReplyDialog from={{ ...asked.message, contactName }} onClose={props.onClose} />
      )}
      {asked.what === 'details' && <MessageDetailsDialog {...props} contactName={contactName} />}
    </>
  )
  return { ...actions, dialog }
}
