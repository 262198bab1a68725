import type { Message } from '#shared/messages/messages.ts'
import type { PendingSend } from '#web/conversations/sends/sends.ts'

/** One message as a row of the timeline. */
export interface MessageItem {
  kind: 'message'
  /** The same from the first paint of a send until after its confirmation. */
  key: string
  message: Message
  /** The unconfirmed send behind the message; null once the server has confirmed it. */
  pending: PendingSend | null
  /** First and last of consecutive messages by the same author. */
  startsGroup: boolean
  endsGroup: boolean
}

/** What can be done with a row of the timeline; an absent action is not offered. */
export interface MessageActions {
  onQuote?: ((message: Message) => void) | undefined
  /** An empty `emoji` removes the reaction. */
  onReact?: ((messageId: number, emoji: string) => void) | undefined
  onEdit?: ((message: Message) => void) | undefined
  onDelete?: ((message: Message) => void) | undefined
  onForward?: ((message: Message) => void) | undefined
  onDetails?: ((message: Message) => void) | undefined
  /** Keeps its text as a quick reply. */
  onKeep?: ((message: Message) => void) | undefined
  onEditNote?: ((note: Message) => void) | undefined
  onDeleteNote?: ((note: Message) => void) | undefined
  /** For messages of the person that have not left yet. */
  onUndo?: ((message: Message) => void) | undefined
  onJump: (messageId: number) => void
  onRetry: (messageId: number) => void
  onResend: (send: PendingSend) => void
  onDiscard: (send: PendingSend) => void
}
