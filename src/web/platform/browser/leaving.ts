import { useEffect, useState } from 'react'
import type { AroundNavHandler } from 'wouter'

/** Asks before the page is left; `leave` continues the navigation. */
interface Guard {
  ask: (leave: () => void) => void
  /** Whether what would be lost is left by going from one address to another. */
  isLeftBy: (to: URL, from: URL) => boolean
}

let guard: Guard | undefined
/** The address that must not be left without asking. */
let guardedAddress = ''

const isLeftBy = (to: string) => guard?.isLeftBy(new URL(to, guardedAddress), new URL(guardedAddress))

/** Navigation within the console. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const leave = () => navigate(to, options)
  if (isLeftBy(to)) return guard?.ask(leave)
  leave()
  guardedAddress = location.href
}

// The browser's back button is handled before the router sees it, and undone while the user is asked.
window.addEventListener(
  'popstate',
  (event) => {
    if (!isLeftBy(location.href)) {
      guardedAddress = location.href
      return
    }
    event.stopImmediatePropagation()
    history.pushState(null, '', guardedAddress)
    guard?.ask(() => history.back())
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
  /** Does what leaves the guarded without another address; asks first while the guard is on. */
  pass: (leave: () => void) => void
}

const always = () => true

/**
 * While active, leaving the screen asks first; the result holds the question and its answers.
 * @param isLeftBy whether an address leads away; by default each does. The same function in all renders
 */
export function useLeaveGuard(isOn: boolean, isLeftBy: Guard['isLeftBy'] = always): Leaving {
  const [wanted, setWanted] = useState<{ leave: () => void; isWithin?: boolean }>()
  useEffect(() => {
    if (!isOn) return
    const own: Guard = { ask: (leave) => setWanted({ leave }), isLeftBy }
    guard = own
    guardedAddress = location.href
    window.addEventListener('beforeunload', onUnload)
    return () => {
      if (guard === own) guard = undefined
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isOn, isLeftBy])
  return {
    isAsked: wanted !== undefined,
    stay: () => setWanted(undefined),
    leave: () => {
      if (!wanted?.isWithin) guard = undefined
      setWanted(undefined)
      wanted?.leave()
    },
    pass: (leave) => (isOn ? setWanted({ leave, isWithin: true }) : leave()),
  }
}
