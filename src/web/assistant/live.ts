import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent, LiveEventOf } from '#shared/live-events.ts'
import { assistantKeys } from './keys.ts'

/**
 * Fetches again what the AI does in the conversations. Its form keeps what is typed: it is fetched when it is
 * opened.
 */
export function refetchAssistants(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({
    queryKey: assistantKeys.all,
    predicate: ({ queryKey }) => queryKey[1] === 'in',
  })
}

/** Fetches again what the AI does in a conversation, after a message that may have changed it. */
export function refetchAssistant({ data }: LiveEventOf<'new_message'>, client: QueryClient): void {
  const { conversationId, message } = data
  const isOfAssistant = message.metadata.event?.act.startsWith('assistant') ?? false
  // A person's message ends it.
  const { origin } = message.metadata
  const isOfPerson = message.senderId !== null || origin === 'phone' || origin === 'api'
  if (isOfAssistant || isOfPerson)
    void client.invalidateQueries({ queryKey: assistantKeys.inConversation(conversationId) })
}
