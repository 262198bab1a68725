import { useEffect, useRef } from 'react'
import type { By } from '#simulator/control-api.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'

const repeatMs = 8000
const idleMs = 3000

/** Tells the company that the client is typing, as WhatsApp does: at once, again from time to time, and when it ends. */
export function useTyping(phoneId: string, by: By) {
  const saidAtMs = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function say(state: 'composing' | 'recording' | 'paused') {
    // A sign of life that got lost is not worth a word to anybody.
    simulatorApi.typing(phoneId, state).catch(() => undefined)
  }
  function stop() {
    clearTimeout(timer.current)
    if (saidAtMs.current === 0) return
    saidAtMs.current = 0
    say('paused')
  }
  function type(state: 'composing' | 'recording' = 'composing') {
    // Of what the company does on its own phone the gateway tells nothing.
    if (by === 'owner') return
    clearTimeout(timer.current)
    const isNews = Date.now() - saidAtMs.current > repeatMs
    if (isNews) {
      saidAtMs.current = Date.now()
      say(state)
    }
    if (state === 'composing') timer.current = setTimeout(stop, idleMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return { type, stop }
}
