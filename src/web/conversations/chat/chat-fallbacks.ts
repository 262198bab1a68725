import { ChatNotFound } from './chat-not-found.tsx'
import { PendingChat } from './pending-chat.tsx'

/** What is shown in place of a conversation, now and then. */
export const chatFallbacks = { ChatNotFound, PendingChat }
