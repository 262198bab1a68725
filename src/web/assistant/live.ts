import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { assistantKeys } from './keys.ts'

/** What the AI does in a conversation is asked again after what may have changed it. */
export function applyAssistantEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type === 'settings_changed') {
    // The form keeps what is typed: it is asked for when it is opened.
    void client.invalidateQueries({
      queryKey: assistantKeys.all,
      predicate: ({ queryKey }) => queryKey[1] === 'in',
    })
  } else if (event.type === 'new_message') {
    const { conversationId, message } = event.data
    const isOfAssistant = message.metadata.event?.act.startsWith('assistant') ?? false
    // A person's message ends it.
    const { origin } = message.metadata
    const isOfPerson = message.senderId !== null || origin === 'phone' || origin === 'api'
    if (isOfAssistant || isOfPerson)
      void client.invalidateQueries({ queryKey: assistantKeys.inConversation(conversationId) })
  }
}
