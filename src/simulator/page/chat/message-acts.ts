import type { ChatMessage } from '#simulator/control-views.ts'

/** What a bubble lets one do that the composer or the phone takes further. */
export type MessageActs = {
  onReply: (message: ChatMessage) => void
  onEdit: (message: ChatMessage) => void
}
