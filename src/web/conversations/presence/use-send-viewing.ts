import { useEffect } from 'react'
import { onLiveEvent, sayLive } from '#web/platform/live.ts'

/** Tells colleagues that this chat is open here, while the tab is seen; again on every new connection. */
export function useSayViewing(conversationId: number): void {
  useEffect(() => {
    const say = (id: number | null) => sayLive({ type: 'viewing', data: { conversationId: id } })
    const sayHow = () => say(document.visibilityState === 'visible' ? conversationId : null)
    sayHow()
    document.addEventListener('visibilitychange', sayHow)
    const off = onLiveEvent(({ type }) => type === 'hello' && sayHow())
    return () => {
      document.removeEventListener('visibilitychange', sayHow)
      off()
      say(null)
    }
  }, [conversationId])
}
