import { useEffect } from 'react'
import { onLiveEvent, sendLive } from '#web/platform/live/live.ts'

/** Tells colleagues that this chat is open while the tab is visible, and again after each reconnection. */
export function useSendViewing(conversationId: number): void {
  useEffect(() => {
    const sendViewing = (id: number | null) => sendLive({ type: 'viewing', data: { conversationId: id } })
    const sendCurrent = () => sendViewing(document.visibilityState === 'visible' ? conversationId : null)
    sendCurrent()
    document.addEventListener('visibilitychange', sendCurrent)
    const off = onLiveEvent(({ type }) => type === 'hello' && sendCurrent())
    return () => {
      document.removeEventListener('visibilitychange', sendCurrent)
      off()
      sendViewing(null)
    }
  }, [conversationId])
}
