import type { By } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'

/** Who acts on the messages of a chat, and the actions that continue in the composer. */
export interface MessageActions {
  by: By
  onReply: (message: ChatMessage) => void
  onEdit: (message: ChatMessage) => void
}

const editable = new Set<ChatMessage['kind']>(['text', 'image', 'video', 'document'])

/** The company's console and its own phone are one account. */
export function isOwnMessage({ from }: ChatMessage, by: By): boolean {
  return (from === 'phone') === (by === 'phone')
}

/** Only messages with text can be edited, and only one's own. */
export function canEdit(message: ChatMessage, by: By): boolean {
  return isOwnMessage(message, by) && !message.rich && editable.has(message.kind) && message.text !== ''
}
