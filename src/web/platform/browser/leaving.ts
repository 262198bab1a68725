import { useEffect, useState } from 'react'
import type { AroundNavHandler } from 'wouter'

/** Asks before the page is left; `leave` continues the navigation. */
type Guard = (leave: () => void) => void

let guard: Guard | undefined
/** The path that must not be left without asking. */
let guardedAddress = ''

/** Navigation within the console. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const leave = () => navigate(to, options)
  if (guard) guard(leave)
  else leave()
}

// The browser's back button is handled before the router sees it, and undone while the user is asked.
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

/** Closing the tab: the browser asks with its own text. */
function onUnload(event: BeforeUnloadEvent) {
  return event.preventDefault()
}

export interface Leaving {
  isAsked: boolean
  stay: () => void
  leave: () => void
}

/** While active, leaving the screen asks first; the result holds the question and its answers. */
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
