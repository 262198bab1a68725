import type { By } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'

/** Who handles the messages of a chat, and what the composer or the phone takes further. */
export type MessageActs = {
  by: By
  onReply: (message: ChatMessage) => void
  onEdit: (message: ChatMessage) => void
}

const editable = new Set<ChatMessage['kind']>(['text', 'image', 'video', 'document'])

/** The company's console and its own phone are one account. */
export const isOwnMessage = ({ from }: ChatMessage, by: By): boolean =>
  (from === 'phone') === (by === 'phone')

/** Only words can be edited, and only one's own. */
export const canEdit = (message: ChatMessage, by: By): boolean =>
  isOwnMessage(message, by) && !message.rich && editable.has(message.kind) && message.text !== ''
