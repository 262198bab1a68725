import { type RefObject, useEffect } from 'react'
import type { IndexEntry } from './settings-index.ts'

/** How long a part may take to load before a setting in it is no longer looked for. */
const patienceMs = 5000

type Asked = Pick<IndexEntry, 'section' | 'label' | 'behind'>

/**
 * Brings a setting of the shown part into view once it is there, and puts the focus on its control.
 * @param asked undefined: none. The same object as long as the same is asked for.
 */
export function useReveal(panel: RefObject<HTMLElement | null>, asked: Asked | undefined): void {
  useEffect(() => {
    const place = panel.current
    if (!place || !asked) return
    const look = () => reveal(place, asked)
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
  }, [panel, asked])
}

/** @returns whether it is there, or what hides it */
export function reveal(place: HTMLElement, { section, label, behind }: Asked): boolean {
  const part = [...place.querySelectorAll('section')].find(
    (one) => one.getAttribute('aria-label') === section,
  )
  if (!part) return false
  if (label === undefined) {
    part.scrollIntoView({ block: 'start' })
    return true
  }
  const labels = [...part.querySelectorAll('label')]
  const named = (name: string) => labels.find((one) => isNamed(one, name))
  const found = named(label) ?? (behind !== undefined && named(behind))
  if (!found) return false
  found.scrollIntoView({ block: 'center' })
  found.control?.focus({ preventScroll: true })
  return true
}

/** A badge may stand behind the text of a label, but 'Perguntar' is not 'Pergunta'. */
function isNamed({ textContent }: HTMLLabelElement, name: string): boolean {
  const text = textContent.trim()
  return text.startsWith(name) && !/^[\p{Ll} ]/u.test(text.slice(name.length))
}
