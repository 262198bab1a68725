import type { ChatMessage } from '#simulator/control-views.ts'

/** The message the next text replies to or edits. */
export interface ComposerTask {
  kind: 'reply' | 'edit'
  message: ChatMessage
}
