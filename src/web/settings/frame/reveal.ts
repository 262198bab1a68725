import { type RefObject, useEffect } from 'react'

/** How long a part may take to load before a setting in it is no longer looked for. */
const patienceMs = 5000

/**
 * Brings a setting of the shown part into view once it is there, and puts the focus on its control.
 * @param asked the section and, unless the whole of it is meant, the label of the field
 */
export function useReveal(
  panel: RefObject<HTMLElement | null>,
  { section, label }: { section: string | null; label: string | null },
): void {
  useEffect(() => {
    const place = panel.current
    if (!place || section === null) return
    const look = () => reveal(place, section, label)
    if (look()) return
    const changes = new MutationObserver(() => {
      if (look()) stop()
    })
    const limit = setTimeout(stop, patienceMs)
    changes.observe(place, { childList: true, subtree: true })
    function stop() {
      changes.disconnect()
      clearTimeout(limit)
    }
    return stop
  }, [panel, section, label])
}

/** @returns whether it is there */
export function reveal(place: HTMLElement, section: string, label: string | null): boolean {
  const part = [...place.querySelectorAll('section')].find(
    (one) => one.getAttribute('aria-label') === section,
  )
  if (!part) return false
  if (label === null) {
    part.scrollIntoView({ block: 'start' })
    return true
  }
  // A badge may stand behind the text of a label.
  const found = [...part.querySelectorAll('label')].find((one) => one.textContent.trim().startsWith(label))
  if (!found) return false
  found.scrollIntoView({ block: 'center' })
  found.control?.focus({ preventScroll: true })
  return true
}
