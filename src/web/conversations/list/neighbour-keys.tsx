import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { arrowStep } from './pane-rows.tsx'
import { useListedRows } from './use-inbox.ts'

/** Alt+↑ and Alt+↓ open the previous and the next conversation of the list, over its pages. */
export function NeighbourKeys({ openId }: { openId?: number }) {
  const rows = useListedRows()
  const [, navigate] = useLocation()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const step = arrowStep(event.key)
      // In a dialog they are keys of its fields, and what was written there would be gone.
      if (step === 0 || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      const here = rows.findIndex((row) => row.id === openId)
      const next = rows[here === -1 ? 0 : here + step]
      if (next) navigate(`/chat?conversation=${next.id}`)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [rows, openId, navigate])
  return null
}
