import { useState } from 'react'

/** Where a file is in its coming. A new try has a new number, so that the browser asks again. */
export interface Loading {
  state: 'loading' | 'here' | 'failed'
  /** The address to ask at. */
  src: string
  onHere: () => void
  onFailed: () => void
  retry: () => void
}

/**
 * Asks once, and again by hand. The address that was asked at first is kept while it works: the same file under a newer
 * address would be loaded a second time, and blink.
 */
export function useLoading(url: string): Loading {
  const [asked, setAsked] = useState({ url, tries: 0 })
  const [state, setState] = useState<Loading['state']>('loading')
  // What had failed at the gateway may lie here by now.
  if (state === 'failed' && asked.url !== url) {
    setAsked({ url, tries: 0 })
    setState('loading')
  }
  return {
    state,
    src: asked.tries === 0 ? asked.url : `${asked.url}?${new URLSearchParams({ t: String(asked.tries) })}`,
    onHere: () => setState('here'),
    onFailed: () => setState('failed'),
    retry: () => {
      setAsked({ url, tries: asked.tries + 1 })
      setState('loading')
    },
  }
}
