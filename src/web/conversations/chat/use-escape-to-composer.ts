import { type RefObject, useEffect } from 'react'

/**
 * A chat starts with the focus in the composer, and Escape returns it there unless a dialog or a menu handles
 * it.
 */
export function useEscapeToComposer(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    // On a phone the focus would raise the keyboard over the messages.
    if (window.matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return
      field.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [field])
}
