import { partInPlace } from '#web/platform/loading/in-place.tsx'

/** What a chat with a conversation does without. */
export const useChatFallbacks = partInPlace(async () => (await import('./chat-fallbacks.ts')).chatFallbacks)
