import type { QueryClient } from '@tanstack/react-query'
import type { LiveEventOf } from '#shared/live-events.ts'
import { invalidateCached } from '#web/platform/patch-queries.ts'

const all = ['contacts'] as const

/** The parts of the keys of contacts, apart from their calls: every screen hears of changes. */
export const contactKeys = { all, one: (id: number) => [...all, 'one', id] as const }

/** Fetches a contact again that a colleague may have changed: a card has fewer fields. */
export function refetchContact({ data }: LiveEventOf<'conversation_updated'>, client: QueryClient): void {
  invalidateCached(client, contactKeys.one(data.conversation.contactId))
}
