import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener)
  return () => removeEventListener('resize', listener)
}

/** Whether only one phone fits, and nothing beside it. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia('(max-width: 767.98px)').matches)
}

const [panelPx, phonePx, most] = [296, 286, 4]

/** How many phones fit beside the panel, at most four. */
export function useFitting(): number {
  const fitting = () => Math.floor((innerWidth - panelPx) / phonePx)
  return useSyncExternalStore(subscribe, () => Math.min(most, Math.max(1, fitting())))
}
