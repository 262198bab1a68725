import { createHash } from 'node:crypto'
import type { GatewayEvent } from './gateway-events.ts'
import { field, idOf } from './values.ts'

/** @see reliability §3.1 dedupe keys */
export function dedupeKeyOf(
  event: string,
  data: unknown,
  events: readonly GatewayEvent[],
  body: unknown,
): string {
  const [only] = events
  if (events.length === 1 && only) {
    const key = keyOf(event, data, only)
    if (key !== undefined) return key
  }
  return `body:${createHash('sha256').update(canonical(body, 0)).digest('base64url')}`
}

function keyOf(event: string, data: unknown, only: GatewayEvent): string | undefined {
  // A vote or a pin may arrive again with more information, so its key covers its content. A pin's key names
  // its fields, because the gateway's record and the webhook give it in different shapes.
  if (only.kind === 'pin' && only.sentAtMs > 0) return `pin:${only.waId}:${only.isPinned}:${only.sentAtMs}`
  if (only.kind === 'vote' || only.kind === 'pin') return undefined
  const ownId = idOf(field(field(data, 'key'), 'id'))
  if (event === 'messages.upsert' && ownId) return `upsert:${ownId}`
  if (event === 'send.message' && ownId) return `send:${ownId}`
  if (only.kind === 'delivery') return `update:${only.waId}:${only.status}`
  if (only.kind === 'edit' && only.editedAtMs > 0) return `edit:${only.waId}:${only.editedAtMs}`
  if (only.kind === 'delete') return `delete:${only.waId}`
  if (only.kind === 'call') return `call:${only.callId}:${only.outcome}`
  return undefined
}

/** JSON with sorted keys: equal content gives equal text. */
function canonical(value: unknown, depth: number): string {
  if (depth > 64) return '"…"'
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const from = value as Record<string, unknown>
    const parts = Object.keys(from)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(from[key], depth + 1)}`)
    return `{${parts.join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/**
 * Events that must be processed in order share a lane: one person's events, and the changes of one message
 * when its person is not given. A body without meaningful events has a lane of its own, so that nothing waits
 * for it: the gateway sends several with every message.
 */
export function laneOf(instance: string, events: readonly GatewayEvent[], dedupeKey: string): string {
  for (const event of events) {
    if ('peer' in event && event.peer) return `${instance}:${event.peer.phone ?? event.peer.lid}`
    if ('waId' in event) return `${instance}:message:${event.waId}`
  }
  const first = events.find((event) => event.kind !== 'ignored')
  return first ? `${instance}:${first.kind}` : `${instance}:ignored:${dedupeKey}`
}
