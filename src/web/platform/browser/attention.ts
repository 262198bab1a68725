import { useSyncExternalStore } from 'react'

const signs = [
  [document, 'visibilitychange'],
  [window, 'focus'],
  [window, 'blur'],
] as const

function subscribe(listener: () => void): () => void {
  for (const [target, sign] of signs) target.addEventListener(sign, listener)
  return () => {
    for (const [target, sign] of signs) target.removeEventListener(sign, listener)
  }
}

function isAttended() {
  return document.visibilityState === 'visible' && document.hasFocus()
}

/** Whether the user is looking at this tab: it is visible and its window has the focus. */
export function useAttention(): boolean {
  return useSyncExternalStore(subscribe, isAttended)
}
