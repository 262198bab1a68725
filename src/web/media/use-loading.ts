import { useState } from 'react'

/** Loading state of a file. Each attempt has a new number, so that the browser requests it again. */
export interface Loading {
  state: 'loading' | 'here' | 'failed'
  /** The URL to request. */
  src: string
  onHere: () => void
  onFailed: () => void
  retry: () => void
}

/**
 * Loads a file once, and again on demand. The first URL is kept while it works: the same file under a newer
 * URL would be loaded again and flicker.
 */
export function useLoading(url: string): Loading {
  const [asked, setAsked] = useState({ url, tries: 0 })
  const [state, setState] = useState<Loading['state']>('loading')
  // A file that had failed at the gateway may be stored here by now.
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
