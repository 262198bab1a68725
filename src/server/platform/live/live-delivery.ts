import { type LiveEvent, liveEvents } from '#shared/live-events.ts'
import type { Who } from '#server/platform/http/access.ts'
import { hidingOf, maskAll, type MaskOwn } from '#server/platform/phones/hidden-phones.ts'
import type { EventRow } from '#server/platform/database/events.ts'

/** A frame and the people who may read it; built once for all sockets. */
export interface Delivery {
  event: LiveEvent
  /** Masks the client's own number in what was told in it; without it every number there is masked. */
  maskOwn?: MaskOwn
  mayRead(who: Who): boolean
}

/** An event and its deliveries: each socket gets the first one that its person may read. */
export interface ShownEvent {
  seq: string
  deliveries: { delivery: Delivery; json: string; hiddenJson?: string }[]
}

export function showEvents(rows: EventRow[], rendered: Delivery[][]): ShownEvent[] {
  return rows.map(({ seq }, index) => ({
    seq,
    deliveries: (rendered[index] ?? []).map((delivery) => ({ delivery, json: '' })),
  }))
}

/**
 * Drops repeated events about the same object, since each shows its current state. The remaining one takes
 * the first position and the last number, so that a socket which knows an earlier one still gets it.
 */
export function withoutRepeats(rows: EventRow[]): EventRow[] {
  const byNews = new Map<string, EventRow>()
  for (const row of rows) {
    const { type, userId, conversationId, messageId, data } = row
    const news = data === null ? `${type} ${userId} ${conversationId} ${messageId}` : row.seq
    byNews.set(news, row)
  }
  return [...byNews.values()]
}

/** The frame for a person, or undefined. Its JSON is created for the first one who needs it. */
export function frameFor(event: ShownEvent, who: Who): { type: string; json: string } | undefined {
  const mine = event.deliveries.find(({ delivery }) => delivery.mayRead(who))
  if (!mine) return undefined
  const { event: shown, maskOwn } = mine.delivery
  const json = who.hidesPhones
    ? (mine.hiddenJson ||= JSON.stringify(hiddenData(shown, maskOwn)))
    : (mine.json ||= JSON.stringify(shown.data))
  return { type: shown.type, json }
}

/** The data of an event as somebody gets it from whom telephone numbers are hidden. */
export function hiddenData({ type, data }: LiveEvent, maskOwn: MaskOwn = maskAll): unknown {
  return hidingOf(liveEvents[type].data)?.(data, maskOwn) ?? data
}
