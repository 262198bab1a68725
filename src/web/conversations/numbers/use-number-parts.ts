import { useNumbers } from '#web/numbers/numbers.tsx'
import { partInPlace } from '#web/platform/loading/in-place.tsx'

const useParts = partInPlace(async () => (await import('./parts.ts')).parts)

/** Loaded from the second number on: whoever has one loads none of it. */
export const useNumberParts = () => useParts(useNumbers().living.length > 1)
