import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'
import { dedupeKeyOf, laneOf } from '#server/gateway/evolution/parse/keys.ts'
import { field } from '#server/gateway/evolution/parse/values.ts'
import { instanceIn } from '#server/gateway/evolution/parse/webhook.ts'

export interface InboxRow {
  instanceId: number | null
  instanceName: string
  event: string
  dedupeKey: string
  lane: string
  payload: unknown
}

export interface ArrivedWebhook extends InboxRow {
  /** As `parseWebhook` found them in the payload. */
  eventsByItem: readonly (readonly GatewayEvent[])[]
}

const maxPartItems = 50

/**
 * Splits a body that covers many chats: the history of a phone arrives as thousands of messages in one. Each
 * part has items of one lane only, so that no transaction is long and none locks one chat while it waits for
 * another. Each part has its own key, so repeating a partly stored body adds only what is missing.
 */
export function splitWebhook({ eventsByItem, ...row }: ArrivedWebhook): InboxRow[] {
  const data = field(row.payload, 'data')
  if (!Array.isArray(data) || data.length <= 1) return [row]
  const instance = instanceIn(row.payload)
  const items = data.map((item: unknown, n) => ({ item, events: eventsByItem[n] ?? [] }))
  const itemsByLane = Map.groupBy(items, ({ events }) =>
    events.every((event) => event.kind === 'ignored') ? 'ignored' : laneOf(instance, events, ''),
  )
  const parts = [...itemsByLane.values()].flatMap((lane) => chunk(lane, maxPartItems))
  if (parts.length === 1) return [row]
  return parts.map((part) => {
    const partData = part.map(({ item }) => item)
    const payload = { ...(row.payload as object), data: partData }
    const events = part.flatMap((one) => one.events)
    const dedupeKey = dedupeKeyOf(row.event, partData, events, payload)
    return { ...row, payload, dedupeKey, lane: laneOf(instance, events, dedupeKey) }
  })
}

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  )
}
