import { type RefObject, useCallback, useRef, useState } from 'react'
import { useKeys } from '#web/platform/keys.ts'
import { openerOf } from '#web/ui/overlays/return-focus.ts'

/** The search of a chat while it is open. */
export interface OpenSearch {
  /** Changes when it is asked for again: the field then takes the focus. */
  asked: number
  onClose: () => void
}

/** Whether the chat is being searched: Ctrl+F opens the search, and closing it gives the focus back. */
export function useChatSearch(field: RefObject<HTMLTextAreaElement | null>) {
  const [asked, setAsked] = useState(0)
  const opener = useRef<Element>(null)
  const open = useCallback(() => {
    opener.current = openerOf(document.activeElement)
    setAsked((before) => before + 1)
  }, [])
  const onClose = useCallback(() => {
    setAsked(0)
    const to = opener.current === document.body ? field.current : opener.current
    if (to instanceof HTMLElement) to.focus()
  }, [field])
  useKeys(
    useCallback(
      (event) => {
        if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey)) return
        if (event.altKey || event.shiftKey || document.querySelector('[role="dialog"]')) return
        // Pressed once more, it is the browser's own search.
        if (event.target instanceof Element && event.target.closest('[role="search"]')) return
        event.preventDefault()
        open()
      },
      [open],
    ),
  )
  return { open, search: asked === 0 ? undefined : { asked, onClose } }
}
