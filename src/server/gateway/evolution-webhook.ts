import { createHash } from 'node:crypto'
import type { DeliveryStatus } from '#shared/conversations.ts'
import { normalizePhone } from '#shared/phone.ts'
import { contentOf, quoteOf } from './evolution-content.ts'
import { bag, cut, field, text, timeMs, unwrap } from './evolution-values.ts'
import type { GatewayEvent, ParsedWebhook, Peer } from './gateway-events.ts'

const statuses = new Map<string, DeliveryStatus>([
  ['ERROR', 'failed'],
  ['SERVER_ACK', 'sent'],
  ['DELIVERY_ACK', 'delivered'],
  ['READ', 'read'],
  ['PLAYED', 'played'],
])

/**
 * Turns any body that the gateway posts into events in our words. Pure, and the only file that knows the shapes of
 * webhook bodies: it never throws, and what it does not know becomes 'ignored' or an unsupported message.
 * @see gateway/evolution.md §7
 */
export function parseWebhook(body: unknown): ParsedWebhook {
  const event = (text(field(body, 'event')) ?? 'unknown').toLowerCase().replace(/_/g, '.').slice(0, 64)
  const instance = (text(field(body, 'instance')) ?? '').slice(0, 200)
  const data = field(body, 'data')
  const events = eventsOf(event, data)
  return {
    event,
    instance,
    dedupeKey: dedupeKeyOf(event, data, events, body),
    lane: laneOf(instance, events),
    events,
  }
}

function eventsOf(event: string, data: unknown): GatewayEvent[] {
  switch (event) {
    case 'messages.upsert':
      return list(data).map((message) => messageOf(message, 'upsert'))
    case 'send.message':
      return list(data).map((message) => messageOf(message, 'send'))
    case 'messages.set':
      return list(data).map((message) => messageOf(message, 'history'))
    case 'messages.update':
      return list(data).map(updateOf)
    case 'messages.edited':
    case 'send.message.update':
      return list(data).map(editOf)
    case 'messages.delete':
      return list(data).map(deleteOf)
    case 'connection.update':
      return [connectionOf(data)]
    case 'logout.instance':
    case 'status.instance':
    case 'remove.instance':
      return [{ kind: 'connection', state: 'close', ownerJid: undefined, profileName: undefined }]
    default:
      return [ignored(event)]
  }
}

const list = (data: unknown): unknown[] => (Array.isArray(data) ? data : [data])
const ignored = (reason: string): GatewayEvent => ({ kind: 'ignored', reason })

function messageOf(message: unknown, source: 'upsert' | 'send' | 'history'): GatewayEvent {
  const key = field(message, 'key')
  const waId = idOf(field(key, 'id'))
  const peer = peerOf(key)
  if (!waId) return ignored('no id')
  if (!peer) return ignored('not a chat of two')
  const fromMe = field(key, 'fromMe') === true
  const sentAtMs = timeMs(field(message, 'messageTimestamp'), 1000)
  const { type, value } = unwrap(field(message, 'message'))
  if (type === 'reactionMessage') return reactionOf(value, fromMe, sentAtMs)
  if (type === 'protocolMessage') return protocolOf(value)
  if (['pollUpdateMessage', 'pinInChatMessage', 'keepInChatMessage'].includes(type)) return ignored(type)
  const context = bag(field(message, 'contextInfo') ?? field(value, 'contextInfo'))
  const quotedId = idOf(context['stanzaId'])
  return {
    kind: 'message',
    waId,
    peer,
    origin: !fromMe ? 'contact' : source === 'send' ? 'api' : 'phone',
    name: fromMe ? undefined : text(field(message, 'pushName'))?.trim().slice(0, 200) || undefined,
    sentAt: sentAtMs > 0 ? new Date(sentAtMs) : undefined,
    content: contentOf(field(message, 'message')),
    quoted: quotedId ? { waId: quotedId, content: quoteOf(context['quotedMessage']) } : undefined,
    isHistory: source === 'history',
  }
}

function reactionOf(value: unknown, fromMe: boolean, sentAtMs: number): GatewayEvent {
  const waId = idOf(field(field(value, 'key'), 'id'))
  if (!waId) return ignored('reaction without target')
  const emoji = cut(text(field(value, 'text')) ?? '', 32)
  return { kind: 'reaction', waId, emoji, from: fromMe ? 'user' : 'contact', sentAtMs }
}

/** Protocol messages: only an edit and a revocation mean something to us. */
function protocolOf(value: unknown): GatewayEvent {
  const type = field(value, 'type')
  const waId = idOf(field(field(value, 'key'), 'id'))
  if (!waId) return ignored('protocol message without target')
  if (type === 'REVOKE' || type === 0) return { kind: 'delete', waId }
  if (type === 'MESSAGE_EDIT' || type === 14) return editOf(value)
  return ignored(`protocol ${String(type)}`.slice(0, 64))
}

/** The key is in the sender's view, so the message is found by its id alone. */
function editOf(data: unknown): GatewayEvent {
  const type = field(data, 'type')
  const waId = idOf(field(field(data, 'key'), 'id'))
  const edited = field(data, 'editedMessage')
  if (!waId || (type !== 'MESSAGE_EDIT' && type !== 14) || edited === undefined) return ignored('not an edit')
  const { content } = contentOf(edited)
  return { kind: 'edit', waId, content, editedAtMs: timeMs(field(data, 'timestampMs')) }
}

function updateOf(data: unknown): GatewayEvent {
  const waId = idOf(field(data, 'keyId')) ?? idOf(field(field(data, 'key'), 'id'))
  const status = text(field(data, 'status'))
  if (!waId || !status) return ignored('no status')
  if (status === 'DELETED') return { kind: 'delete', waId }
  const ours = statuses.get(status)
  // A contact's message that reaches our phone is 'delivered' to us: nobody's tick.
  if (!ours || field(data, 'fromMe') === false) return ignored(`status ${status}`.slice(0, 64))
  return { kind: 'delivery', waId, status: ours, peer: peerOf({ remoteJid: field(data, 'remoteJid') }) }
}

function deleteOf(data: unknown): GatewayEvent {
  const waId = idOf(field(field(data, 'key'), 'id')) ?? idOf(field(data, 'id'))
  return waId ? { kind: 'delete', waId } : ignored('delete without id')
}

function connectionOf(data: unknown): GatewayEvent {
  const state = field(data, 'state')
  return {
    kind: 'connection',
    state: state === 'open' || state === 'connecting' ? state : 'close',
    ownerJid: text(field(data, 'wuid'))?.slice(0, 100),
    profileName: text(field(data, 'profileName'))?.slice(0, 200),
  }
}

function idOf(value: unknown): string | undefined {
  const id = text(value)
  return id && id.length <= 128 ? id : undefined
}

/** Every address of the other side that a key may hold, over all versions; undefined for groups, status and channels. */
function peerOf(key: unknown): Peer | undefined {
  const names = ['remoteJid', 'remoteJidAlt', 'senderPn', 'senderLid', 'previousRemoteJid']
  const jids = names
    .map((name) => text(field(key, name))?.replace(/:\d+@/, '@'))
    .filter((jid) => jid !== undefined)
  const jid = jids[0]
  if (!jid || !/@(s\.whatsapp\.net|lid|c\.us)$/.test(jid)) return undefined
  const phone = jids.map((one) => /^(\d+)@(?:s\.whatsapp\.net|c\.us)$/.exec(one)?.[1]).find(Boolean)
  const lid = jids.map((one) => /^(\d{1,32})@lid$/.exec(one)?.[1]).find(Boolean)
  const normal = phone && normalizePhone(`+${phone}`)
  return normal || lid ? { phone: normal || undefined, lid, jid } : undefined
}

/** @see reliability §3.1 dedupe keys */
function dedupeKeyOf(event: string, data: unknown, events: GatewayEvent[], body: unknown): string {
  const [only] = events
  if (events.length === 1 && only) {
    const ownId = idOf(field(field(data, 'key'), 'id'))
    if (event === 'messages.upsert' && ownId) return `upsert:${ownId}`
    if (event === 'send.message' && ownId) return `send:${ownId}`
    if (only.kind === 'delivery') return `update:${only.waId}:${only.status}`
    if (only.kind === 'edit' && only.editedAtMs > 0) return `edit:${only.waId}:${only.editedAtMs}`
    if (only.kind === 'delete') return `delete:${only.waId}`
  }
  return `body:${createHash('sha256').update(canonical(body, 0)).digest('base64url')}`
}

/** JSON with sorted keys: the same content gives the same text. */
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

function laneOf(instance: string, events: GatewayEvent[]): string {
  for (const event of events) {
    if ((event.kind === 'message' || event.kind === 'delivery') && event.peer)
      return `${instance}:${event.peer.phone ?? event.peer.lid}`
    if ('waId' in event) return `${instance}:message:${event.waId}`
  }
  return `${instance}:${events[0]?.kind ?? 'nothing'}`
}
