import type { Message } from '#shared/messages/messages.ts'

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
