import { field, text } from './evolution-values.ts'
import { parseWebhook } from './evolution-webhook.ts'
import type { ArrivedWebhook } from './inbox.ts'

const largestPart = 50

/**
 * The past of a phone comes as thousands of messages in one body. It is worked off in parts of one chat each, so that
 * no transaction is long and none holds the chats of others; each part has its own key, so a body that was stored in
 * part and is repeated adds only what is missing. Every other body is one part.
 */
export function partsOf(webhook: ArrivedWebhook): ArrivedWebhook[] {
  const data = field(webhook.payload, 'data')
  if (webhook.event !== 'messages.set' || !Array.isArray(data) || data.length <= 1) return [webhook]
  const chats = Map.groupBy(data as unknown[], (message) => text(field(field(message, 'key'), 'remoteJid')))
  return [...chats.values()].flatMap((messages) =>
    chunksOf(messages).map((part) => {
      const payload = { ...(webhook.payload as object), data: part }
      const { dedupeKey, lane } = parseWebhook(payload)
      return { ...webhook, payload, dedupeKey, lane }
    }),
  )
}

function chunksOf<T>(items: T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / largestPart) }, (_, n) =>
    items.slice(n * largestPart, (n + 1) * largestPart),
  )
}
