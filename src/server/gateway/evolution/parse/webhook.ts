import { callOf, changeIn, deleteOf, editOf, ignored, profileOf, typingOf, updatesOf } from './changes.ts'
import { contentOf, quoteIn } from './content.ts'
import { dedupeKeyOf, laneOf } from './keys.ts'
import { peerOf } from './peers.ts'
import { cut, field, idOf, list, text, timeMs } from './values.ts'
import { unwrap } from './wrappers.ts'
import type { GatewayEvent, ParsedWebhook } from './gateway-events.ts'

/**
 * Turns any body that the gateway posts into events in our words. Pure, and the only door to the shapes of webhook
 * bodies, over all versions of the gateway: it never throws, and what it does not know becomes 'ignored' or an
 * unsupported message. The order of a body's fields has no say, since a database does not keep it.
 * @see gateway/evolution.md §7
 */
export function parseWebhook(body: unknown): ParsedWebhook {
  const event = cut((text(field(body, 'event')) ?? 'unknown').toLowerCase().replace(/_/g, '.'), 64)
  const instance = instanceIn(body)
  const data = field(body, 'data')
  const events = eventsOf(event, data, field(body, 'sender'))
  const dedupeKey = dedupeKeyOf(event, data, events, body)
  return { event, instance, dedupeKey, lane: laneOf(instance, events, dedupeKey), events }
}

/** The name of the number that a body speaks for; '' when it says none. */
export function instanceIn(body: unknown): string {
  return cut((text(field(body, 'instance')) ?? '').slice(0, 400).replaceAll('\0', ''), 200)
}

/** @param sender our own address, as the envelope tells it */
function eventsOf(event: string, data: unknown, sender: unknown): GatewayEvent[] {
  const each = (make: (item: unknown) => GatewayEvent) => list(data).map(make)
  switch (event) {
    case 'messages.upsert':
      return each((message) => messageOf(message, 'upsert', sender))
    case 'send.message':
      return each((message) => messageOf(message, 'send', sender))
    case 'messages.set':
      return each((message) => messageOf(message, 'history', sender))
    case 'messages.update':
      return list(data).flatMap(updatesOf)
    case 'messages.edited':
    case 'send.message.update':
      return each(editOf)
    case 'messages.delete':
      return each(deleteOf)
    case 'call':
      return each((call) => callOf(call, sender))
    case 'presence.update':
      return each(typingOf)
    case 'contacts.upsert':
    case 'contacts.update':
      return each(profileOf)
    case 'connection.update':
      return each(connectionOf)
    case 'logout.instance':
    case 'status.instance':
    case 'remove.instance':
      return [{ kind: 'connection', state: 'close', ownerJid: undefined, profileName: undefined }]
    default:
      return [ignored(event)]
  }
}

function messageOf(message: unknown, source: 'upsert' | 'send' | 'history', sender: unknown): GatewayEvent {
  const key = field(message, 'key')
  const waId = idOf(field(key, 'id'))
  const peer = peerOf(key, sender)
  if (!waId) return ignored('no id')
  if (!peer) return ignored('not a chat of two')
  const fromMe = field(key, 'fromMe') === true
  const sentAtMs = timeMs(field(message, 'messageTimestamp'), 1000)
  const inner = field(message, 'message')
  const { type, value } = unwrap(inner)
  const pollUpdates = field(message, 'pollUpdates')
  const change = changeIn(type, value, { fromMe, peer, sentAtMs, pollUpdates, sender })
  if (change) return change
  const contextInfo = field(message, 'contextInfo')
  const name = fromMe ? undefined : text(field(message, 'pushName'))?.trim()
  return {
    kind: 'message',
    waId,
    peer,
    origin: !fromMe ? 'contact' : source === 'send' ? 'api' : 'phone',
    name: name ? cut(name, 200) : undefined,
    sentAt: sentAtMs > 0 ? new Date(sentAtMs) : undefined,
    content: contentOf(inner, { contextInfo, key }),
    quoted: quoteIn(inner, contextInfo),
    isHistory: source === 'history',
  }
}

function connectionOf(data: unknown): GatewayEvent {
  const state = field(data, 'state')
  const [ownerJid, profileName] = [text(field(data, 'wuid')), text(field(data, 'profileName'))]
  return {
    kind: 'connection',
    state: state === 'open' || state === 'connecting' ? state : 'close',
    ownerJid: ownerJid && cut(ownerJid, 100),
    profileName: profileName && cut(profileName, 200),
  }
}
