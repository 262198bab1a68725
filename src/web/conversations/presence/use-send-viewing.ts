import { useEffect } from 'react'
import { sendLive } from '#web/platform/live/live.ts'
import { repeated } from './repeated-frames.ts'

/** Notifies colleagues that this chat is open while the tab is visible, and again after each reconnection. */
export function useSendViewing(conversationId: number): void {
  useEffect(() => {
    const sendViewing = (id: number | null) => sendLive({ type: 'viewing', data: { conversationId: id } })
    const sendCurrent = () => sendViewing(document.visibilityState === 'visible' ? conversationId : null)
    sendCurrent()
    document.addEventListener('visibilitychange', sendCurrent)
    repeated.viewing = sendCurrent
    return () => {
      document.removeEventListener('visibilitychange', sendCurrent)
      repeated.viewing = undefined
      sendViewing(null)
    }
  }, [conversationId])
}
