import { useEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/**
 * The login above an application that stays mounted. A modal dialog in the browser's top layer: nothing below
 * it, including open dialogs and menus, can be seen or reached.
 */
export function LoginOverlay({ children }: { children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const element = dialog.current
    element?.showModal()
    // The browser would focus the first field, whose value is known.
    element?.querySelector<HTMLInputElement>('input[name="password"]')?.focus()
    // Dialogs and shortcuts below listen on the document and the window, which hear of keys pressed here.
    const keep = (event: KeyboardEvent) => event.stopImmediatePropagation()
    window.addEventListener('keydown', keep, true)
    return () => {
      window.removeEventListener('keydown', keep, true)
      element?.close()
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return createPortal(
    <dialog
      ref={dialog}
      aria-label="Sessão encerrada: entre novamente"
      onCancel={(event) => event.preventDefault()}
      className="pointer-events-auto m-0 size-full max-h-none max-w-none overflow-auto bg-canvas p-0 text-ink"
    >
      {children}
    </dialog>,
    document.body,
  )
}
