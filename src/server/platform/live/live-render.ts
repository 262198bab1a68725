import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { LiveEvent, LiveEventType } from '#shared/live-events.ts'
import type { EventType } from '#server/schema/platform/live.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { EventRow } from '#server/platform/database/events.ts'
import { findOwnIn } from '#server/platform/phones/hide-answer.ts'
import { maskPhonesIn } from '#shared/contacts/masked-phone.ts'
import type { MaskOwn } from '#server/platform/phones/hidden-phones.ts'
import { type Delivery, hiddenData } from './live-delivery.ts'

/** Renders rows of the log in one batch. Returns one entry per row, in the same order. */
export type RenderEvents = (db: Db, rows: EventRow[]) => Promise<Delivery[][]>

/** The renderers that a room exports for the event types that it emits. */
export type EventRenderers<Types extends EventType = EventType> = { [Type in Types]: RenderEvents }

/**
 * Combines the renderers of all rooms; an event type without one is a compile error. Unknown types, logged by
 * a later version, are sent to nobody.
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
    const own = await ownIn(db, [...rendered.values()].flat())
    return rows.map((row) =>
      (rendered.get(row) ?? []).map((delivery) => ({ ...forItsUser(row, delivery), ...own })),
    )
  }
}

/** Looks up the clients' own numbers where something is told that may be one. */
async function ownIn(db: Db, deliveries: Delivery[]): Promise<Pick<Delivery, 'maskOwn'>> {
  const telling = new Set<number>()
  const note: MaskOwn = (id, text) => {
    if (maskPhonesIn(text) !== text) telling.add(id)
    return text
  }
  for (const { event } of deliveries) if (mayTell(event)) hiddenData(event, note)
  return telling.size === 0 ? {} : { maskOwn: await findOwnIn(db)([...telling]) }
}

/** Whether it shows a contact card, or what no person wrote: of the others no number is looked up. */
function mayTell({ data }: LiveEvent): boolean {
  const { message, conversation } = data as { message?: Message; conversation?: Conversation }
  const origins = [message?.metadata.origin, message?.quoted?.origin, conversation?.lastMessage?.origin]
  const kinds = [message?.messageType, message?.quoted?.messageType, conversation?.lastMessage?.messageType]
  return kinds.includes('contact') || origins.some((origin) => origin !== undefined)
}

/** A row with a user id is for that user only. */
function forItsUser({ userId }: EventRow, delivery: Delivery): Delivery {
  if (userId === null) return delivery
  return { ...delivery, mayRead: (who: Who) => who.id === userId && delivery.mayRead(who) }
}

type LiveData<Type extends LiveEventType> = Extract<LiveEvent, { type: Type }>['data']

/** The types of events that carry no data. */
type BareType = {
  [Type in EventType & LiveEventType]: Record<string, never> extends LiveData<Type> ? Type : never
}[EventType & LiveEventType]

/** Renders events that only say that something changed; clients fetch it again. */
export function renderChanged(type: BareType): RenderEvents {
  return async (_db, rows) => rows.map(() => [{ event: { type, data: {} }, mayRead: () => true }])
}

/** For events that the server itself handles. */
export const renderNothing: RenderEvents = async (_db, rows) => rows.map(() => [])
