import type { Message } from '#shared/conversations.ts'
import type { PendingSend } from './timeline.ts'

/** What can be done with a row of the timeline. */
export interface MessageActions {
  /** Absent when nothing can be answered. */
  onQuote?: ((message: Message) => void) | undefined
  /** Absent when nothing can be answered. '' takes the reaction back. */
  onReact?: ((messageId: number, emoji: string) => void) | undefined
  /** Absent when nothing can be written. */
  onEdit?: ((message: Message) => void) | undefined
  /** Absent when nothing can be written. */
  onDelete?: ((message: Message) => void) | undefined
  onJump: (messageId: number) => void
  onRetry: (messageId: number) => void
  onResend: (send: PendingSend) => void
  onDiscard: (send: PendingSend) => void
}
