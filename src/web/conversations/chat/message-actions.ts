import type { Message } from '#shared/conversations.ts'
import type { PendingSend } from './timeline.ts'

/** What can be done with a row of the timeline. */
export interface MessageActions {
  /** Absent when nothing can be answered. */
  onQuote?: ((message: Message) => void) | undefined
  onJump: (messageId: number) => void
  canJump: (messageId: number) => boolean
  onRetry: (messageId: number) => void
  onResend: (send: PendingSend) => void
  onDiscard: (send: PendingSend) => void
}
