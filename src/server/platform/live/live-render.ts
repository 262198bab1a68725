import type { EventType } from '#server/schema/live.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { EventRow } from '#server/platform/database/events.ts'
import type { Delivery } from './live-delivery.ts'

/** Renders rows of the log in one batch: an entry for each row, in the order of the rows. */
export type RenderEvents = (db: Db, rows: EventRow[]) => Promise<Delivery[][]>

/** What a room exports for the types of events that it emits. */
export type EventRenderers<Types extends EventType = EventType> = { [Type in Types]: RenderEvents }

/**
 * One renderer made of those of all rooms; the compiler names the type of an event that no room renders.
 * Types that this version does not know, logged by a later one, are for nobody.
 */
export function createRenderEvents(renderers: EventRenderers): RenderEvents {
  return async (db, rows) => {
    const byRenderer = Map.groupBy(rows, ({ type }) => renderers[type] as RenderEvents | undefined)
    const rendered = new Map<EventRow, Delivery[]>()
    await Promise.all(
      [...byRenderer].map(async ([render, batch]) => {
        const deliveries = (await render?.(db, batch)) ?? []
        for (const [index, row] of batch.entries()) rendered.set(row, deliveries[index] ?? [])
      }),
    )
    return rows.map((row) => (rendered.get(row) ?? []).map((delivery) => forItsUser(row, delivery)))
  }
}

/** Of a row that names a user nobody else reads anything. */
function forItsUser({ userId }: EventRow, delivery: Delivery): Delivery {
  if (userId === null) return delivery
  return { ...delivery, mayRead: (who: Who) => who.id === userId && delivery.mayRead(who) }
}

/** For events that say no more than that something changed: whoever cares reads it again. */
export function renderChanged(type: 'settings_changed' | 'permissions_changed'): RenderEvents {
  return async (_db, rows) => rows.map(() => [{ event: { type, data: {} }, mayRead: () => true }])
}

/** For events that the server itself acts on, and no socket is told. */
export const renderNothing: RenderEvents = async (_db, rows) => rows.map(() => [])
