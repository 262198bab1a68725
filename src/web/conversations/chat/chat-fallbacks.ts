import { ChatNotFound } from './chat-not-found.tsx'
import { CardPane } from './card-pane.tsx'
import { PendingChat } from './pending-chat.tsx'

/** What is shown in place of a conversation, now and then. */
export const chatFallbacks = { CardPane, ChatNotFound, PendingChat }
