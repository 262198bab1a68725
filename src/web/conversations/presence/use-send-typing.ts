import { type RefObject, useEffect, useRef } from 'react'
import { sendLive } from '#web/platform/live/live.ts'
import { repeated } from './repeated-frames.ts'

const sendEveryMs = 3000
/** Without input for this long, typing has stopped. */
const pauseMs = 5000

/**
 * Notifies colleagues, and the client through the gateway, that somebody is typing: every three seconds, once
 * on stopping, sending or clearing, and again after a reconnection. Text that was not typed, such as a
 * restored draft, does not count.
 */
export function useSendTyping(
  conversationId: number | undefined,
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
): void {
  const stop = useRef<() => void>(() => undefined)
  useEffect(() => {
    const element = field.current
    if (conversationId === undefined || !element) return
    let sentAtMs = -Infinity
    let timer: ReturnType<typeof setTimeout> | undefined
    const sendTyping = (isTyping: boolean) => sendLive({ type: 'typing', data: { conversationId, isTyping } })
    const end = () => {
      clearTimeout(timer)
      if (sentAtMs > -Infinity) sendTyping(false)
      sentAtMs = -Infinity
    }
    const onInput = () => {
      if (element.value.trim() === '') return end()
      clearTimeout(timer)
      timer = setTimeout(end, pauseMs)
      const now = performance.now()
      if (now - sentAtMs < sendEveryMs) return
      sentAtMs = now
      sendTyping(true)
    }
    stop.current = end
    repeated.typing = () => {
      if (sentAtMs > -Infinity) sendTyping(true)
    }
    element.addEventListener('input', onInput)
    return () => {
      repeated.typing = undefined
      element.removeEventListener('input', onInput)
      end()
    }
  }, [conversationId, field])
  useEffect(() => {
    if (text === '') stop.current()
  }, [text])
}
