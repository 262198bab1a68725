import { field } from '#server/gateway/evolution/parse/values.ts'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'

export interface ArrivedWebhook {
  instanceId: number | null
  instanceName: string
  event: string
  dedupeKey: string
  lane: string
  payload: unknown
}

const largestPart = 50

/**
 * A body may speak of many chats: the past of a phone comes as thousands of messages in one. It is worked off in parts
 * of one lane each, so that no transaction is long, and none holds one chat while it waits for another. Each part has
 * its own key, so a body that was stored in part and is repeated adds only what is missing.
 */
export function partsOf(webhook: ArrivedWebhook): ArrivedWebhook[] {
  const data = field(webhook.payload, 'data')
  if (!Array.isArray(data) || data.length <= 1) return [webhook]
  const partWith = (items: unknown[]): ArrivedWebhook => {
    const payload = { ...(webhook.payload as object), data: items }
    const { dedupeKey, lane } = parseWebhook(payload)
    return { ...webhook, payload, dedupeKey, lane }
  }
  const laneOf = (item: unknown) => {
    const { events, lane } = parseWebhook({ ...(webhook.payload as object), data: [item] })
    return events.every((event) => event.kind === 'ignored') ? 'ignored' : lane
  }
  const parts = [...Map.groupBy(data as unknown[], laneOf).values()].flatMap(chunksOf)
  return parts.length === 1 ? [webhook] : parts.map(partWith)
}

function chunksOf<T>(items: T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / largestPart) }, (_, n) =>
    items.slice(n * largestPart, (n + 1) * largestPart),
  )
}
