import { type RefObject, useCallback, useEffect } from 'react'

/**
 * A chat starts with the focus in the composer, and Escape returns it there unless a dialog or a menu handles
 * it.
 * @returns moves the focus there too, where no keyboard comes up with it
 */
export function useEscapeToComposer(field: RefObject<HTMLTextAreaElement | null>): () => void {
  const focus = useCallback(() => {
    // On a phone the focus would raise the keyboard over the messages.
    if (window.matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
  }, [field])
  useEffect(() => {
    focus()
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return
      field.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [field, focus])
  return focus
}
