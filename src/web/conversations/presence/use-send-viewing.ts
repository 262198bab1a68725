import { useEffect } from 'react'
import { onLiveEvent, sendLive } from '#web/platform/live.ts'

/** Tells colleagues that this chat is open while the tab is visible, and again after each reconnection. */
export function useSendViewing(conversationId: number): void {
  useEffect(() => {
    const say = (id: number | null) => sendLive({ type: 'viewing', data: { conversationId: id } })
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
