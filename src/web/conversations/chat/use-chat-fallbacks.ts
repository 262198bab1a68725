import { fetchedOnDemand } from '#web/ui/on-demand.tsx'

const useFetched = fetchedOnDemand(async () => (await import('./rare-parts.ts')).rareParts)
const stay = () => undefined

/** What a chat with a conversation does without. */
export const useRareParts = (isWanted: boolean) => useFetched(isWanted, stay)
