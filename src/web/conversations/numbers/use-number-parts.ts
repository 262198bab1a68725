import { useNumbers } from '#web/numbers/numbers.tsx'
import { partInPlace } from '#web/platform/loading/in-place.tsx'

const useParts = partInPlace(async () => (await import('./parts.ts')).parts)

/** Loaded where there are several numbers, or one is off: whoever has one that is on loads none of it. */
export function useNumberParts() {
  const { living } = useNumbers()
  return useParts(living.length > 1 || living.some(({ isActive }) => !isActive))
}
