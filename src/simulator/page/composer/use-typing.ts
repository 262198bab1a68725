import { useEffect, useRef } from 'react'
import type { By } from '#simulator/control-api.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'

const repeatMs = 8000
const idleMs = 3000

/** Reports typing as WhatsApp does: at once, then periodically, and when it ends. */
export function useTyping(phoneId: string, by: By) {
  const saidAtMs = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function report(state: 'composing' | 'recording' | 'paused') {
    // A lost typing signal is not worth an error message.
    simulatorApi.typing(phoneId, state).catch(() => undefined)
  }
  function stop() {
    clearTimeout(timer.current)
    if (saidAtMs.current === 0) return
    saidAtMs.current = 0
    report('paused')
  }
  function type(state: 'composing' | 'recording' = 'composing') {
    // The gateway does not report what the company types on its own phone.
    if (by === 'owner') return
    clearTimeout(timer.current)
    const isNews = Date.now() - saidAtMs.current > repeatMs
    if (isNews) {
      saidAtMs.current = Date.now()
      report(state)
    }
    if (state === 'composing') timer.current = setTimeout(stop, idleMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return { type, stop }
}
