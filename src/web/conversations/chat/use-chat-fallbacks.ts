import { fetchedOnDemand } from '#web/ui/on-demand.tsx'

const useFetched = fetchedOnDemand(async () => (await import('./chat-fallbacks.ts')).chatFallbacks)
const stay = () => undefined

/** What a chat with a conversation does without. */
export const useChatFallbacks = (isWanted: boolean) => useFetched(isWanted, stay)
