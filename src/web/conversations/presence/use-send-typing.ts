import { type RefObject, useEffect, useRef } from 'react'
import { sayLive } from '#web/platform/live.ts'

const sayEveryMs = 3000
/** Who has not typed for so long has stopped. */
const pauseMs = 5000

/**
 * Tells colleagues, and through the gateway the client, that somebody types here: every three seconds, and once when he
 * stops, sends or empties it. What comes into the field by itself, as a draft does, is nobody's typing.
 */
export function useSayTyping(
  conversationId: number | undefined,
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
): void {
  const stop = useRef<() => void>(() => undefined)
  useEffect(() => {
    const element = field.current
    if (conversationId === undefined || !element) return
    let saidAtMs = -Infinity
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = (isTyping: boolean) => sayLive({ type: 'typing', data: { conversationId, isTyping } })
    const end = () => {
      clearTimeout(timer)
      if (saidAtMs > -Infinity) say(false)
      saidAtMs = -Infinity
    }
    const onInput = () => {
      if (element.value.trim() === '') return end()
      clearTimeout(timer)
      timer = setTimeout(end, pauseMs)
      const now = performance.now()
      if (now - saidAtMs < sayEveryMs) return
      saidAtMs = now
      say(true)
    }
    stop.current = end
    element.addEventListener('input', onInput)
    return () => {
      element.removeEventListener('input', onInput)
      end()
    }
  }, [conversationId, field])
  useEffect(() => {
    if (text === '') stop.current()
  }, [text])
}
