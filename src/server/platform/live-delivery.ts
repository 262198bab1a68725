import type { LiveEvent } from '#shared/live-events.ts'
import type { Who } from './access.ts'
import type { EventRow } from './events.ts'

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

/** The frame of that person: its type, and its data as text, made when the first one needs it. */
export function frameFor(event: ShownEvent, who: Who): { type: string; json: string } | undefined {
  const mine = event.deliveries.find(({ delivery }) => delivery.mayRead(who))
  if (!mine) return undefined
  mine.json ||= JSON.stringify(mine.delivery.event.data)
  return { type: mine.delivery.event.type, json: mine.json }
}
