import type { By } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'

/** Who handles the messages of a chat, and what the composer or the phone takes further. */
export interface MessageActs {
  by: By
  onReply: (message: ChatMessage) => void
  onEdit: (message: ChatMessage) => void
}

const editable = new Set<ChatMessage['kind']>(['text', 'image', 'video', 'document'])

/** The company's console and its own phone are one account. */
export function isOwnMessage({ from }: ChatMessage, by: By): boolean {
  return (from === 'phone') === (by === 'phone')
}

/** Only words can be edited, and only one's own. */
export function canEdit(message: ChatMessage, by: By): boolean {
  return isOwnMessage(message, by) && !message.rich && editable.has(message.kind) && message.text !== ''
}
