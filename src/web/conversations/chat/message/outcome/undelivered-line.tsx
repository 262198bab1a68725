import type { Message } from '#shared/messages/messages.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { undeliveredFor } from './undelivered-for.ts'

/** Below a bubble that WhatsApp has taken and no phone has acknowledged. */
export function UndeliveredLine({ message }: { message: Message }) {
  const time = undeliveredFor(message, useNow(60_000))
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
