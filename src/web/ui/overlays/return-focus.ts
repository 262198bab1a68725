import { useRef } from 'react'

/**
 * Returns the focus to the element that had it before a dialog: Radix does so only for its own trigger.
 * @returns props for the dialog's content
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = openerOf(document.activeElement)
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement) opener.current.focus()
    },
  }
}

/** A menu item is removed with its menu; the menu's button remains. */
export function openerOf(active: Element | null): Element | null {
  const buttonId = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return buttonId ? document.getElementById(buttonId) : active
}
