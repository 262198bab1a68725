import { useEffect } from 'react'
import { storedChoice } from '#web/platform/browser/stored.ts'

/**
 * Whether single-key shortcuts are on; users of speech input or with a tremor switch them off. @see WCAG
 * 2.1.4
 */
export const singleKeysChoice = storedChoice('single_keys', (stored) => stored !== 'false')

/** Whether the focus is in a text field. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'))
  )
}

/** Handles every key press that no other element has handled. */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.defaultPrevented) onKey(event)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [onKey])
}
