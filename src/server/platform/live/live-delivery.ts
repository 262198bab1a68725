import type { LiveEvent } from '#shared/live-events.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { EventRow } from '#server/platform/database/events.ts'

/** One frame and who may read it; built once for all sockets. */
export interface Delivery {
  event: LiveEvent
  mayRead(who: Who): boolean
}

/** An event as sockets are told it: of its deliveries each gets the first that its person may read. */
export interface ShownEvent {
  seq: string
  deliveries: { delivery: Delivery; json: string }[]
}

export function showEvents(rows: EventRow[], rendered: Delivery[][]): ShownEvent[] {
  return rows.map(({ seq }, index) => ({
    seq,
    deliveries: (rendered[index] ?? []).map((delivery) => ({ delivery, json: '' })),
  }))
}

/**
 * The same news of the same thing is told once, in the place of the first: what is told shows the thing as it is now.
 * It bears the number of the last, so that who knows only of an earlier one is told.
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

/** The frame of that person: its type, and its data as text, made when the first one needs it. */
export function frameFor(event: ShownEvent, who: Who): { type: string; json: string } | undefined {
  const mine = event.deliveries.find(({ delivery }) => delivery.mayRead(who))
  if (!mine) return undefined
  mine.json ||= JSON.stringify(mine.delivery.event.data)
  return { type: mine.delivery.event.type, json: mine.json }
}
