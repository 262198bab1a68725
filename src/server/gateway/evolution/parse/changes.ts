import type { DeliveryStatus } from '#shared/messages/delivery.ts'
import type { callOutcomes } from '#shared/messages/message-metadata.ts'
import type { Activity } from '#shared/live-events.ts'
import { contentOf } from './content.ts'
import { callerOf, isAddress, isAddressOf, isSameAddress, peerOf } from './peers.ts'
import { bag, cut, enumerated, field, idOf, items, natural, personName, text, timeMs } from './values.ts'
import type { GatewayEvent, Peer } from './gateway-events.ts'

export const ignored = (reason: string): GatewayEvent => ({ kind: 'ignored', reason: cut(reason, 64) })

const invitation = 'invitation'
/** Of an invitation that our number has sent: the link makes an account for anybody, so it is not kept. */
export const ofInvitation = (): GatewayEvent => ignored(invitation)
export const isInvitation = (event: GatewayEvent): boolean =>
  event.kind === 'ignored' && event.reason === invitation

/** Of a body that is kept for people to look at. */
export const setAside = (reason: string): GatewayEvent => ({ kind: 'ignored', reason, isAside: true })

type Side = 'contact' | 'user'
const sideOf = (fromMe: boolean): Side => (fromMe ? 'user' : 'contact')
const targetOf = (value: unknown, name = 'key') => idOf(field(field(value, name), 'id'))

/** A message that is no message of its own but a change of another one. */
export interface Carrier {
  fromMe: boolean
  peer: Peer
  sentAtMs: number
  pollUpdates: unknown
  /** Our own address, as the envelope gives it. */
  sender: unknown
}

/**
 * The change of another message that the content makes; undefined when the content is a message of its own.
 */
export function changeIn(type: string, value: unknown, carrier: Carrier): GatewayEvent | undefined {
  switch (type) {
    case 'reactionMessage':
      return reactionOf(value, carrier)
    case 'protocolMessage':
      return protocolOf(value)
    case 'pinInChatMessage':
      return pinOf(value, carrier)
    case 'pollUpdateMessage':
      return voteOf(value, carrier)
    case 'secretEncryptedMessage':
      return sealedOf(value, carrier)
    default:
      return noMessages.has(type) ? ignored(type) : undefined
  }
}

/** What the phones of WhatsApp say to each other: no person has written it, and nobody can be shown it. */
const noMessages = new Set([
  'keepInChatMessage',
  'encReactionMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'encEventUpdateMessage',
  'requestPhoneNumberMessage',
  'messageHistoryNotice',
  'messageHistoryBundle',
  'placeholderMessage',
  'stickerSyncRmrMessage',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
])

const sealedTypes = ['UNKNOWN', 'EVENT_EDIT', 'MESSAGE_EDIT']

/** Release 2.3.7 cannot read every edit: some arrive as they were encrypted. */
function sealedOf(value: unknown, { sentAtMs }: Carrier): GatewayEvent {
  const waId = targetOf(value, 'targetMessageKey')
  const isEdit = enumerated(field(value, 'secretEncType'), sealedTypes) === 'MESSAGE_EDIT'
  if (!waId || !isEdit) return ignored('secretEncryptedMessage')
  return { kind: 'edit', waId, content: '', editedAtMs: sentAtMs, isSealed: true }
}

/** Ids of messages that do not exist begin so: the removal of a reaction to one only comes back to us. */
export const echoIdStart = 'BALCAO0ECO'

/** The sender's clock distinguishes two changes within one second. */
const whenOf = (value: unknown, carrier: Carrier) =>
  timeMs(field(value, 'senderTimestampMs')) || carrier.sentAtMs

function reactionOf(value: unknown, carrier: Carrier): GatewayEvent {
  const waId = targetOf(value)
  if (!waId) return ignored('reaction without target')
  if (waId.startsWith(echoIdStart)) return ignored('echo')
  const emoji = cut(text(field(value, 'text')) ?? '', 32)
  return { kind: 'reaction', waId, emoji, from: sideOf(carrier.fromMe), sentAtMs: whenOf(value, carrier) }
}

function pinOf(value: unknown, carrier: Carrier): GatewayEvent {
  const waId = targetOf(value)
  const type = enumerated(field(value, 'type'), ['', 'PIN_FOR_ALL', 'UNPIN_FOR_ALL'])
  if (!waId || !type) return ignored('pin without target')
  return { kind: 'pin', waId, isPinned: type === 'PIN_FOR_ALL', sentAtMs: whenOf(value, carrier) }
}

const mostOptions = 100
const mostVoters = 1000

interface Choice {
  name: string
  voters: unknown[]
}

/** The votes as the gateway counted them; empty when it gives none. */
function choicesIn(pollUpdates: unknown): Choice[] {
  return items(pollUpdates, mostOptions).flatMap((option) => {
    const name = text(field(option, 'name'))
    const voters = items(field(option, 'voters'), mostVoters).filter((voter) => text(voter) !== undefined)
    return name === undefined ? [] : [{ name: cut(name, 1000), voters }]
  })
}

const chosen = (choices: Choice[], isHis: (voter: unknown) => boolean) =>
  choices.filter(({ voters }) => voters.some(isHis)).map(({ name }) => name)

/** Votes are encrypted: the choice is known only when the gateway has decrypted it. */
function voteOf(value: unknown, carrier: Carrier): GatewayEvent {
  const waId = targetOf(value, 'pollCreationMessageKey')
  const choices = choicesIn(carrier.pollUpdates)
  if (!waId || choices.length === 0) return ignored('vote that nobody opened')
  const isContact = (voter: unknown) => isAddressOf(carrier.peer, voter)
  const isUs = (voter: unknown) => voter === 'me' || isSameAddress(voter, carrier.sender)
  const isUnknown = (voter: unknown) => !isContact(voter) && !isUs(voter)
  const own = chosen(choices, carrier.fromMe ? isUs : isContact)
  // The voter's address may be one that the chat is not known by. Then the voter is the sender.
  const options = own.length > 0 ? own : chosen(choices, isUnknown)
  return { kind: 'vote', waId, options, from: sideOf(carrier.fromMe), sentAtMs: whenOf(value, carrier) }
}

/** Votes in an update of the poll, which does not name the sender: the voters' addresses decide. */
function votesIn(data: unknown, waId: string, peer: Peer | undefined): GatewayEvent[] {
  const choices = choicesIn(field(data, 'pollUpdates'))
  if (!peer) return []
  const isContact = (voter: unknown) => isAddressOf(peer, voter)
  const isUser = (voter: unknown) => !isContact(voter) && (voter === 'me' || isAddress(voter))
  const sides = [
    { from: 'contact' as const, options: chosen(choices, isContact) },
    { from: 'user' as const, options: chosen(choices, isUser) },
  ]
  const sentAtMs = timeMs(field(data, 'messageTimestamp'), 1000)
  return sides
    .filter(({ options }) => options.length > 0)
    .map(({ from, options }) => ({ kind: 'vote', waId, options, from, sentAtMs }))
}

const protocolTypes = new Map<unknown, 'revoke' | 'edit'>([
  ['REVOKE', 'revoke'],
  [0, 'revoke'],
  ['MESSAGE_EDIT', 'edit'],
  [14, 'edit'],
])

/** Of the protocol messages, only edits and revocations matter here. */
function protocolOf(value: unknown): GatewayEvent {
  const type = field(value, 'type')
  const waId = targetOf(value)
  if (!waId) return ignored('protocol message without target')
  const meaning = protocolTypes.get(type)
  if (meaning === 'revoke') return { kind: 'delete', waId }
  return meaning === 'edit' ? editOf(value) : ignored(`protocol ${text(type) ?? natural(type) ?? 'unknown'}`)
}

/**
 * The key is relative to the sender, so the message is found by its id alone. An edit from the gateway's
 * record has the time of reading only (`readAtMs`).
 */
export function editOf(data: unknown): GatewayEvent {
  const waId = targetOf(data)
  if (!waId || protocolTypes.get(field(data, 'type')) !== 'edit') return ignored('not an edit')
  const { messageType, content } = contentOf(field(data, 'editedMessage'))
  if (messageType === 'unsupported') return ignored('edit without text')
  const edit = { kind: 'edit', waId, content } as const
  const readAtMs = timeMs(field(data, 'readAtMs'))
  return readAtMs > 0
    ? { ...edit, editedAtMs: readAtMs, isUpperBound: true }
    : { ...edit, editedAtMs: timeMs(field(data, 'timestampMs')) }
}

const statusNames = ['ERROR', 'PENDING', 'SERVER_ACK', 'DELIVERY_ACK', 'READ', 'PLAYED']
const statuses = new Map<string | undefined, DeliveryStatus>([
  ['ERROR', 'failed'],
  ['SERVER_ACK', 'sent'],
  ['DELIVERY_ACK', 'delivered'],
  ['READ', 'read'],
  ['PLAYED', 'played'],
])

/**
 * An update of an existing message: a delivery status, a deletion, votes, or several of them.
 * @param postedAtMs when the gateway first posted it; 0: unknown
 */
export function updatesOf(data: unknown, postedAtMs: number): GatewayEvent[] {
  const waId = idOf(field(data, 'keyId')) ?? targetOf(data)
  if (!waId) return [ignored('no id')]
  const status = field(data, 'status')
  if (status === 'DELETED') return [{ kind: 'delete', waId }]
  const edit = editIn(data, waId, postedAtMs)
  // Its status is no news of the delivery.
  if (edit) return [edit]
  const peer = peerOf({ remoteJid: field(data, 'remoteJid') })
  const events = votesIn(data, waId, peer)
  const ours = statuses.get(enumerated(status, statusNames))
  // 'Delivered' for a contact's message means delivered to our own phone: no status of an outgoing message.
  if (ours && field(data, 'fromMe') !== false) events.push({ kind: 'delivery', waId, status: ours, peer })
  return events.length > 0 ? events : [ignored(`status ${text(status) ?? 'unknown'}`)]
}

/**
 * The edit that release 2.3.7 reports as an update with the new content, without the time. That of the report
 * orders two edits that come in the wrong order, as after an outage.
 */
function editIn(data: unknown, waId: string, editedAtMs: number): GatewayEvent | undefined {
  const edited = field(field(field(data, 'message'), 'editedMessage'), 'message')
  if (Object.keys(bag(edited)).length === 0) return undefined
  const { messageType, content } = contentOf(edited)
  return messageType === 'unsupported' ? undefined : { kind: 'edit', waId, content, editedAtMs }
}

export function deleteOf(data: unknown): GatewayEvent {
  const waId = targetOf(data) ?? idOf(field(data, 'id'))
  return waId ? { kind: 'delete', waId } : ignored('delete without id')
}

const outcomes = new Map<unknown, (typeof callOutcomes)[number]>([
  ['offer', 'ringing'],
  ['ringing', 'ringing'],
  ['accept', 'answered'],
  ['reject', 'missed'],
  ['timeout', 'missed'],
  ['terminate', 'missed'],
])

export function callOf(data: unknown, sender: unknown): GatewayEvent {
  const callId = idOf(field(data, 'id'))
  const outcome = outcomes.get(field(data, 'status'))
  const peer = field(data, 'isGroup') === true ? undefined : callerOf(data, sender)
  if (!callId || !outcome) return ignored('not news of a call')
  if (!peer) return ignored('not a call of two')
  const ms = callTimeMs(field(data, 'date'))
  const at = ms > 0 ? new Date(ms) : undefined
  return { kind: 'call', callId, peer, outcome, isVideo: field(data, 'isVideo') === true, at }
}

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
/** As seconds this is later than any call, as milliseconds earlier than any. */
const secondsBefore = 100_000_000_000

function callTimeMs(date: unknown): number {
  const said = text(date)
  if (said !== undefined && isoInstant.test(said)) return timeMs(Date.parse(said))
  const number = timeMs(date)
  return number < secondsBefore ? timeMs(number, 1000) : number
}

/** The gateway gives '' as the name of the recipient of our messages. */
export function profileOf(data: unknown): GatewayEvent {
  const peer = peerOf({ remoteJid: field(data, 'remoteJid') })
  const name = personName(field(data, 'pushName'))
  return peer && name ? { kind: 'profile', peer, name } : ignored('no name of a person')
}

const activities = new Map<unknown, Activity>([
  ['composing', 'composing'],
  ['recording', 'recording'],
  // WhatsApp also sends this state for 'paused'.
  ['available', 'paused'],
  ['paused', 'paused'],
  ['unavailable', 'paused'],
])

/** A chat of two has one presence, under the chat's own address or another one of the person. */
export function typingOf(data: unknown): GatewayEvent {
  const jid = field(data, 'id')
  const peer = peerOf({ remoteJid: jid })
  const all = bag(field(data, 'presences'))
  const doing = (presence: unknown) => activities.get(field(presence, 'lastKnownPresence'))
  const own = typeof jid === 'string' ? doing(field(all, jid)) : undefined
  const activity =
    own ??
    Object.values(all)
      .map(doing)
      .find((one) => one !== undefined)
  return peer && activity ? { kind: 'typing', peer, activity } : ignored('no presence of a person')
}
