import type { Message } from '#shared/messages/messages.ts'
import { useNow } from '#web/platform/live/server-clock.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A phone that is on acknowledges within seconds. */
const flaggedAfterMs = 10 * minuteMs
/** Whoever's phone is off for longer is away, which says nothing about this message. */
const flaggedForMs = 24 * hourMs

/** How long ago a message was sent that no phone has acknowledged; undefined when that is no news. */
export function undeliveredFor({ metadata, sentAt }: Message, nowMs: number): string | undefined {
  const ageMs = nowMs - Date.parse(sentAt)
  if (metadata.origin === 'phone' || metadata.origin === 'api') return undefined
  if (!(ageMs >= flaggedAfterMs && ageMs < flaggedForMs)) return undefined
  return ageMs < hourMs ? `${Math.floor(ageMs / minuteMs)} min` : `${Math.floor(ageMs / hourMs)} h`
}

/** Below a bubble that WhatsApp has taken and no phone has acknowledged. */
export function UndeliveredLine({ message }: { message: Message }) {
  const time = undeliveredFor(message, useNow(minuteMs))
  if (time === undefined) return null
  return (
    <p
      title="O WhatsApp aceitou a mensagem, e o celular do contato ainda não a confirmou"
      className="mx-1 mt-1 text-xs text-amber-text"
    >
      não entregue há {time}
    </p>
  )
}
