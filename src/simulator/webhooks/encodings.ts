import { type Encoding, encodings } from '#simulator/control-api.ts'
import { isLid, isPhoneJid } from '#simulator/world/jids.ts'
import { isJson, type Json } from './wire.ts'

/** Converts a webhook from the format of 2.3.7 into that of another release. Pure. */

export interface WebhookEvent {
  event: string
  data: unknown
  top?: Json
}

/** What the format of 2.3.7 lacks: the LID behind a phone's jid, and the chat of an edited message. */
export interface EncodingContext {
  lid?: string | undefined
  /** The message an edit or deletion refers to, as `messageData` builds it. */
  original?: Json | undefined
}

function isBefore(version: Encoding, other: Encoding) {
  return encodings.indexOf(version) < encodings.indexOf(other)
}

function isInt64(value: Json) {
  return typeof value['low'] === 'number' && typeof value['high'] === 'number' && 'unsigned' in value
}

function isBytes(value: Json) {
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key, index) => key === String(index) && Number.isInteger(value[key]))
}

function encodeInt64(value: Json, version: Encoding): unknown {
  const whole = Number(value['high']) * 2 ** 32 + (Number(value['low']) >>> 0)
  if (isBefore(version, '2.3.3')) return String(whole)
  return isBefore(version, '2.3.6') ? whole : value
}

/** Converts 64-bit integers and bytes, at any depth. */
function encodeValues(value: unknown, version: Encoding): unknown {
  if (Array.isArray(value)) return value.map((item) => encodeValues(item, version))
  if (!isJson(value)) return value
  if (isInt64(value)) return encodeInt64(value, version)
  if (isBytes(value))
    return isBefore(version, '2.3.3')
      ? Buffer.from(Object.values(value).map(Number)).toString('base64')
      : value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, encodeValues(inner, version)]))
}

function groupKey(key: Json, version: Encoding): Json {
  if (!isBefore(version, '2.3.5')) return key
  const { participantAlt, addressingMode: _, ...rest } = key
  // 1.8 predates LIDs.
  return version === '1.8' && participantAlt !== undefined ? { ...rest, participant: participantAlt } : rest
}

function lidKey(bare: Json, pn: string | undefined, lid: string, version: Encoding): Json {
  if (version === '1.8') return { ...bare, remoteJid: pn ?? lid }
  if (isBefore(version, '2.3.1')) return { ...bare, remoteJid: lid }
  if (isBefore(version, '2.3.5')) {
    if (pn === undefined) return { ...bare, remoteJid: lid, senderLid: lid }
    return { ...bare, remoteJid: pn, previousRemoteJid: lid, senderPn: pn, senderLid: lid }
  }
  if (pn === undefined) return { ...bare, remoteJid: lid, participant: '', addressingMode: 'lid' }
  if (version === '2.4')
    return { ...bare, remoteJid: pn, remoteJidAlt: lid, participant: '', addressingMode: 'pn' }
  return { ...bare, remoteJid: lid, remoteJidAlt: pn, participant: '', addressingMode: 'lid' }
}

/**
 * A message's key, with the two identities of a chat. Messages sent through the API have one and stay as they
 * are.
 */
export function encodeKey(key: Json, version: Encoding, lid: string | undefined): Json {
  const { remoteJid, remoteJidAlt, addressingMode, participant, ...bare } = key
  if (version === '2.3.7' || addressingMode === undefined) return key
  if (participant !== undefined && participant !== '') return groupKey(key, version)
  const jids = [remoteJid, remoteJidAlt].filter((jid) => typeof jid === 'string')
  const knownLid = jids.find(isLid) ?? lid
  if (addressingMode === 'lid' && knownLid !== undefined)
    return lidKey(bare, jids.find(isPhoneJid), knownLid, version)
  if (!isBefore(version, '2.3.5')) return key
  const hasLid = remoteJidAlt !== undefined && !isBefore(version, '2.3.1')
  return { ...bare, remoteJid, ...(hasLid ? { senderLid: remoteJidAlt } : {}) }
}

function encodeMessage(data: unknown, version: Encoding, lid: string | undefined): unknown {
  const values = encodeValues(data, version)
  if (!isJson(values) || !isJson(values['key'])) return values
  return { ...values, key: encodeKey(values['key'], version, lid) }
}

/** 1.8: an edit is a message of its own that contains the protocol message. */
function editAsMessage(
  edit: Json,
  version: Encoding,
  { original, lid }: EncodingContext,
): WebhookEvent | undefined {
  if (!original || !isJson(original['key'])) return undefined
  const at = Number(edit['timestampMs'])
  const id = `${String(original['key']['id']).slice(0, 20)}E${at.toString(16).toUpperCase()}`
  const { pushName, instanceId, source } = original
  const data = {
    key: { ...original['key'], id },
    pushName,
    message: { editedMessage: { message: { protocolMessage: edit } } },
    messageType: 'editedMessage',
    messageTimestamp: Math.floor(at / 1000),
    instanceId,
    source,
  }
  return { event: 'messages.upsert', data: encodeMessage(data, version, lid) }
}

function encodeEdited(
  event: WebhookEvent,
  version: Encoding,
  context: EncodingContext,
): WebhookEvent | undefined {
  if (version !== '1.8' || !isJson(event.data)) return event
  return event.data['type'] === 'MESSAGE_EDIT' ? editAsMessage(event.data, version, context) : undefined
}

/** A deletion on a phone. A deletion through the API contains the message and is the same in all releases. */
function encodeDelete(
  event: WebhookEvent,
  version: Encoding,
  { lid, original }: EncodingContext,
): WebhookEvent {
  if (!isJson(event.data) || isJson(event.data['key'])) return event
  const { status, ...bare } = event.data
  const key = encodeKey(bare, version, lid)
  if (version === '2.3.3') {
    const { id: keyId, remoteJid, fromMe } = key
    const { instanceId } = original ?? {}
    return { event: 'messages.update', data: { keyId, remoteJid, fromMe, status, instanceId } }
  }
  return { ...event, data: isBefore(version, '2.3.7') ? key : { ...key, status } }
}

const youngEvents: Record<string, Encoding> = {
  'send.message.update': '2.3.0',
  'instance.create': '2.3.0',
  'instance.delete': '2.3.0',
  'status.instance': '2.3.0',
}

/** Whether the release has the event at all. */
export function isKnownEvent(event: string, version: Encoding): boolean {
  const since = youngEvents[event]
  return since === undefined || !isBefore(version, since)
}

function isVote(data: unknown) {
  return isJson(data) && data['messageType'] === 'pollUpdateMessage'
}
function isEditStatus(data: unknown) {
  return isJson(data) && isJson(data['message'])
}

/** The event in the format of `version`; undefined when that release does not post it. */
export function encode(
  event: WebhookEvent,
  version: Encoding,
  context: EncodingContext = {},
): WebhookEvent | undefined {
  if (version === '2.3.7') return event
  const isOld = isBefore(version, '2.3.7')
  switch (event.event) {
    case 'messages.upsert':
    case 'send.message':
      if (isOld && isVote(event.data)) return undefined
      return { ...event, data: encodeMessage(event.data, version, context.lid) }
    case 'messages.set': {
      const data = Array.isArray(event.data)
        ? event.data.map((item) => encodeMessage(item, version, context.lid))
        : event.data
      return isOld ? { event: event.event, data } : { ...event, data }
    }
    case 'messages.update':
      return isOld && isEditStatus(event.data) ? undefined : event
    case 'messages.edited':
      return encodeEdited(event, version, context)
    case 'messages.delete':
      return encodeDelete(event, version, context)
    default:
      return event
  }
}
