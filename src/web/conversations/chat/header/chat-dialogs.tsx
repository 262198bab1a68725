import type { Conversation } from '#shared/conversations/conversations.ts'
import { DeleteConversationDialog } from '#web/conversations/chat/dialogs/delete-conversation-dialog.tsx'
import { FinalizeDialog } from '#web/conversations/chat/dialogs/finalize-dialog.tsx'
import { useGoOn } from '#web/conversations/chat/dialogs/use-go-on.ts'
import { TransferDialog } from '#web/conversations/hand-over/transfer-dialog.tsx'
import { SnoozeDialog } from '#web/conversations/chat/dialogs/snooze-dialog.tsx'
import { TagOne } from '#web/conversations/selection/tag-one.tsx'
import type { ChatDialog } from './chat-commands.ts'

interface Asked {
  conversation: Conversation
  onClose: () => void
}

/**
 * What the actions of a chat ask with. It stays when the conversation ends, which takes the actions away:
 * what is written in it must not go with them.
 */
export function ChatDialogs({ asked, ...props }: Asked & { asked: ChatDialog }) {
  if (asked === 'tags') return <TagOne {...props} />
  if (asked === 'transfer') return <TransferHere {...props} />
  if (asked === 'snooze') return <SnoozeDialog {...props} />
  return asked === 'finalize' ? <FinalizeDialog {...props} /> : <DeleteConversationDialog {...props} />
}

/** The transfer leads from the chat to the list, or to the next conversation. */
function TransferHere(props: Asked) {
  return <TransferDialog {...props} goOn={useGoOn(props.conversation.id)} />
}
