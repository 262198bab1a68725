import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches, re-evaluated on change: '(min-width: 75rem)'. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** The list of conversations is beside the chat. */
export const hasPanes = '(min-width: 64rem)'

/** The contact panel has room beside the chat; elsewhere it covers it. */
export const hasPanelBeside = '(min-width: 75rem), (min-width: 48rem) and (max-width: 63.99rem)'
