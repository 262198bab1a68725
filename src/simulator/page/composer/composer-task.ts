import type { ChatMessage } from '#simulator/control-views.ts'

/** What the next text is besides a new message. */
export interface ComposerTask {
  kind: 'reply' | 'edit'
  message: ChatMessage
}
