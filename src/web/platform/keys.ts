import { useEffect } from 'react'
import { storedChoice } from './stored.ts'

/** Whether one key alone may do something; whoever speaks to the computer or trembles switches it off. @see WCAG 2.1.4 */
export const singleKeysChoice = storedChoice('single_keys', (stored) => stored !== 'false')

/** Whether what is typed now becomes text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'))
  )
}

/** Hears every key of the page that nobody nearer has taken. */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.defaultPrevented) onKey(event)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [onKey])
}
