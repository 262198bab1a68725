import { useEffect, useState } from 'react'
import type { AroundNavHandler } from 'wouter'

/** Is asked before the page is left; the page goes when `leave` is called. */
type Guard = (leave: () => void) => void

let guard: Guard | undefined
/** Where the person is who must not lose anything. */
let guardedAddress = ''

/** Every way through the console itself. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const leave = () => navigate(to, options)
  if (guard) guard(leave)
  else leave()
}

// The browser's own way back is heard before the routes hear it, and taken back while the person is asked.
window.addEventListener(
  'popstate',
  (event) => {
    if (!guard) return
    event.stopImmediatePropagation()
    history.pushState(null, '', guardedAddress)
    guard(() => history.back())
  },
  { capture: true },
)

/** Whoever closes the tab is asked by the browser, in its own words. */
function onUnload(event: BeforeUnloadEvent) {
  return event.preventDefault()
}

export interface Leaving {
  isAsked: boolean
  stay: () => void
  leave: () => void
}

/** While it is on, nobody leaves the screen without being asked; what is asked and answered stands in the result. */
export function useLeaveGuard(isOn: boolean): Leaving {
  const [wanted, setWanted] = useState<{ leave: () => void }>()
  useEffect(() => {
    if (!isOn) return
    const own: Guard = (leave) => setWanted({ leave })
    guard = own
    guardedAddress = location.href
    window.addEventListener('beforeunload', onUnload)
    return () => {
      if (guard === own) guard = undefined
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isOn])
  return {
    isAsked: wanted !== undefined,
    stay: () => setWanted(undefined),
    leave: () => {
      guard = undefined
      setWanted(undefined)
      wanted?.leave()
    },
  }
}
