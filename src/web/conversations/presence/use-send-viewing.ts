import { useEffect } from 'react'
import { sendLive } from '#web/platform/live/live.ts'

/** The conversation of the chat on the screen, if any. */
let shownId: number | undefined

function sendViewing(): void {
  if (shownId === undefined) return
  const conversationId = document.visibilityState === 'visible' ? shownId : null
  sendLive({ type: 'viewing', data: { conversationId } })
}

/** Tells colleagues after a reconnection which chat is open. */
export const repeatViewing = (): void => sendViewing()

/** Tells colleagues that this chat is open while the tab is visible. */
export function useSendViewing(conversationId: number): void {
  useEffect(() => {
    shownId = conversationId
    sendViewing()
    document.addEventListener('visibilitychange', sendViewing)
    return () => {
      document.removeEventListener('visibilitychange', sendViewing)
      shownId = undefined
      sendLive({ type: 'viewing', data: { conversationId: null } })
    }
  }, [conversationId])
}
