import { useNumbers } from '#web/numbers/numbers.tsx'

export const numberParam = 'numero'

/** The number to filter by, as in the URL. */
export function numberIn(params: URLSearchParams): number | undefined {
  const asked = params.get(numberParam)
  return asked !== null && /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : undefined
}

/** undefined for a number that the person has not got, or no longer, and for the only one. */
export function useOfferedNumber(asked: number | undefined): number | undefined {
  const { living, isKnown } = useNumbers()
  const isOffered = living.length > 1 && living.some(({ id }) => id === asked)
  return isKnown && !isOffered ? undefined : asked
}
