import { useNumbers } from '#web/numbers/numbers.tsx'
import { fetchedOnDemand } from '#web/ui/on-demand.tsx'

const useParts = fetchedOnDemand(async () => (await import('./parts.ts')).parts)
const stay = () => undefined

/** Loaded from the second number on: whoever has one loads none of it. */
export const useNumberParts = () => useParts(useNumbers().living.length > 1, stay)
