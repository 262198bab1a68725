import { hasInvitationLink } from '#shared/text/invitation-link.ts'
import {
  callOf,
  changeIn,
  deleteOf,
  editOf,
  ignored,
  ofInvitation,
  profileOf,
  setAside,
  typingOf,
  updatesOf,
} from './changes.ts'
import { contentOf } from './content.ts'
import { dedupeKeyOf, laneOf } from './keys.ts'
import { closedReasonOf } from './linking.ts'
import { isUnknownChat, peerOf } from './peers.ts'
import { quoteIn } from './quotes.ts'
import { cut, field, idOf, list, personName, text, timeMs } from './values.ts'
import { isKnownKind, unwrap } from './wrappers.ts'
import type { GatewayEvent, ParsedWebhook } from './gateway-events.ts'

/**
 * Turns any body that the gateway posts into events. Pure. Only this parser knows the shapes of webhook
 * bodies, in all versions of the gateway. It never throws: unknown bodies become 'ignored' or an unsupported
 * message. The order of a body's fields has no influence, since a database does not keep it.
 * @param receivedAtMs when the body came, in milliseconds since 1970: it dates what has no time of its own
 * @see gateway/evolution.md §7
 */
export function parseWebhook(body: unknown, receivedAtMs?: number): ParsedWebhook {
  const event = cut((text(field(body, 'event')) ?? 'unknown').toLowerCase().replace(/_/g, '.'), 64)
  const instance = instanceIn(body)
  const data = field(body, 'data')
  const saidMs = timeMs(Date.parse(text(field(body, 'date_time')) ?? ''))
  const postedAtMs = receivedAtMs === undefined ? 0 : postTimeMs(saidMs, receivedAtMs)
  const envelope = { sender: field(body, 'sender'), saidMs, postedAtMs }
  const { events, eventsByItem } = eventsOf(event, data, envelope)
  const dedupeKey = dedupeKeyOf(event, data, events, body)
  return { event, instance, dedupeKey, lane: laneOf(instance, events, dedupeKey), events, eventsByItem }
}

/** The name of the instance that a body is about; '' when there is none. */
export function instanceIn(body: unknown): string {
  return cut((text(field(body, 'instance')) ?? '').slice(0, 400).replaceAll('\0', ''), 200)
}

interface Envelope {
  /** Our own address. */
  sender: unknown
  /** When the gateway first posted the body, by its local clock as if that were UTC; 0: it does not say. */
  saidMs: number
  /** When the gateway first posted the body, in milliseconds since 1970; 0 when that is not known. */
  postedAtMs: number
}

const hourMs = 3_600_000
/** By how much the gateway's clock may be ahead of ours. */
const clockSlackMs = 120_000

/**
 * When the gateway first posted a body. It says so by its local clock, as if that were UTC, and a body that
 * is posted again says the same: so the zone is the whole hours between that and its arrival.
 */
function postTimeMs(saidMs: number, receivedAtMs: number): number {
  if (saidMs === 0) return 0
  return saidMs + Math.floor((receivedAtMs - saidMs + clockSlackMs) / hourMs) * hourMs
}

/**
 * How long after a message was sent the gateway had it, but for the whole hours of its zone. By two clocks
 * that are not ours: it may be less than 0.
 */
function delayOf(saidMs: number, sentAtMs: number): number {
  const delay = saidMs - sentAtMs + clockSlackMs
  return delay - Math.floor(delay / hourMs) * hourMs - clockSlackMs
}

type ItemParser = (item: unknown, envelope: Envelope) => GatewayEvent[]

/** By the name of the webhook event. */
const itemParsers = new Map<string, ItemParser>([
  ['messages.upsert', (item, envelope) => [messageOf(item, 'upsert', envelope)]],
  ['send.message', (item, envelope) => [messageOf(item, 'send', envelope)]],
  ['messages.set', (item, envelope) => [messageOf(item, 'history', envelope)]],
  ['messages.update', (item, { postedAtMs }) => updatesOf(item, postedAtMs)],
  ['messages.edited', (item) => [editOf(item)]],
  ['send.message.update', (item) => [editOf(item)]],
  ['messages.delete', (item) => [deleteOf(item)]],
  ['call', (item, { sender }) => [callOf(item, sender)]],
  ['presence.update', (item) => [typingOf(item)]],
  ['contacts.upsert', (item) => [profileOf(item)]],
  ['contacts.update', (item) => [profileOf(item)]],
  ['connection.update', (item) => [connectionOf(item)]],
])

const closingEvents = new Set(['logout.instance', 'status.instance', 'remove.instance'])

function eventsOf(
  event: string,
  data: unknown,
  envelope: Envelope,
): Pick<ParsedWebhook, 'events' | 'eventsByItem'> {
  const parseItem = itemParsers.get(event)
  if (parseItem) {
    const eventsByItem = list(data).map((item) => parseItem(item, envelope))
    return { events: eventsByItem.flat(), eventsByItem }
  }
  const events: GatewayEvent[] = closingEvents.has(event) ? [closingOf(data)] : [ignored(event)]
  return { events, eventsByItem: list(data).map(() => events) }
}

function messageOf(
  message: unknown,
  source: 'upsert' | 'send' | 'history',
  { sender, saidMs }: Envelope,
): GatewayEvent {
  const key = field(message, 'key')
  const waId = idOf(field(key, 'id'))
  const peer = peerOf(key, sender)
  if (!waId) return ignored('no id')
  if (!peer && isUnknownChat(key)) return setAside('unknown address')
  if (!peer) return ignored('not a chat of two')
  const fromMe = field(key, 'fromMe') === true
  const sentAtMs = timeMs(field(message, 'messageTimestamp'), 1000)
  const inner = field(message, 'message')
  const { type, value } = unwrap(inner)
  const pollUpdates = field(message, 'pollUpdates')
  const change = changeIn(type, value, { fromMe, peer, sentAtMs, pollUpdates, sender })
  if (change) return change
  const contextInfo = field(message, 'contextInfo')
  const content = contentOf(inner, { contextInfo, key })
  if (fromMe && hasInvitationLink(content.content)) return ofInvitation()
  const sentAt = sentAtMs > 0 ? new Date(sentAtMs) : undefined
  const isHistory = source === 'history'
  const { gatewayType = type, isViewOnce } = content.metadata
  if (content.messageType === 'unsupported' && !isViewOnce && !isKnownKind(type))
    return { kind: 'unreadable', waId, peer, fromMe, sentAt, gatewayType, isHistory }
  // A sync posts what is years old.
  const hadMs = isHistory ? 0 : timeMs(field(message, 'recordedAtMs')) || saidMs
  return {
    kind: 'message',
    waId,
    peer,
    origin: !fromMe ? 'contact' : source === 'send' ? 'api' : 'phone',
    name: fromMe ? undefined : personName(field(message, 'pushName')),
    sentAt,
    ...(hadMs > 0 && sentAtMs > 0 && { postedMs: delayOf(hadMs, sentAtMs) }),
    content,
    quoted: quoteIn(inner, contextInfo, { peer, sender, fromMe }),
    isHistory,
    ...(field(message, 'isSwept') === true && { isSwept: true }),
  }
}

function closingOf(data: unknown): GatewayEvent {
  const reason = closedReasonOf(field(data, 'disconnectionReasonCode'))
  return { kind: 'connection', state: 'close', ownerJid: undefined, profileName: undefined, reason }
}

function connectionOf(data: unknown): GatewayEvent {
  const state = field(data, 'state')
  const isOpen = state === 'open'
  const reason = closedReasonOf(field(data, 'statusReason'))
  // Of a connection that goes on, only that another program had taken it over is reported.
  const isOver = state !== 'connecting' || reason === 'replaced'
  const [ownerJid, profileName] = [text(field(data, 'wuid')), text(field(data, 'profileName'))]
  return {
    kind: 'connection',
    state: isOpen || state === 'connecting' ? state : 'close',
    ownerJid: ownerJid && cut(ownerJid, 100),
    profileName: profileName && cut(profileName, 200),
    // 'refused' is the gateway's own end of linking, after the last of its codes.
    reason: state === 'refused' ? 'codes' : !isOpen && isOver ? reason : undefined,
  }
}
