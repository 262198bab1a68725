import { useNumbers } from '#web/numbers/numbers.tsx'

/** undefined for a number that the person has not got, or no longer, and for the only one. */
export function useOfferedNumber(asked: number | undefined): number | undefined {
  const { living, isKnown } = useNumbers()
  const isOffered = living.length > 1 && living.some(({ id }) => id === asked)
  return isKnown && !isOffered ? undefined : asked
}
