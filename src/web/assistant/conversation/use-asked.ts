import { useCallback, useEffect, useRef, useState } from 'react'

/** What was asked of the AI: it may take long, fail, and be cancelled. */
export interface Asked<Answer> {
  answer: Answer | undefined
  error: string | undefined
  isAsking: boolean
  /** Asks, or asks again; what was asked before is dropped. */
  ask: () => void
  cancel: () => void
}

/** @param startsAtOnce asks when it is first shown */
export function useAsked<Answer>(
  fetchAnswer: (signal: AbortSignal) => Promise<Answer>,
  startsAtOnce: boolean,
): Asked<Answer> {
  const [state, setState] = useState<{ answer?: Answer; error?: string; isAsking: boolean }>({
    isAsking: startsAtOnce,
  })
  const under = useRef<AbortController>(undefined)
  const fetching = useRef(fetchAnswer)
  useEffect(() => {
    fetching.current = fetchAnswer
  })
  const cancel = useCallback(() => {
    under.current?.abort()
    under.current = undefined
    setState(({ answer }) => ({ ...(answer !== undefined && { answer }), isAsking: false }))
  }, [])
  const start = useCallback(() => {
    under.current?.abort()
    const own = new AbortController()
    under.current = own
    fetching.current(own.signal).then(
      (answer) => {
        if (!own.signal.aborted) setState({ answer, isAsking: false })
      },
      (error: unknown) => {
        if (!own.signal.aborted) setState({ error: messageOf(error), isAsking: false })
      },
    )
  }, [])
  const ask = useCallback(() => {
    setState({ isAsking: true })
    start()
  }, [start])
  useEffect(() => {
    if (startsAtOnce) start()
    return () => under.current?.abort()
  }, [startsAtOnce, start])
  const { answer, error, isAsking } = state
  return { answer, error, isAsking, ask, cancel }
}

const messageOf = (error: unknown) =>
  error instanceof Error && error.message !== '' ? error.message : 'A IA não respondeu. Tente de novo.'
