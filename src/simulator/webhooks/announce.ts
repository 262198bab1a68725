import { describeCompanyMessage, describePhoneMessage, shortId } from '#simulator/control/describe.ts'
import { encode, encodeKey } from './encodings.ts'
import { lidJid } from '#simulator/world/jids.ts'
import { addressOf, keyOf, messageData, type PayloadContext, protocolData, statusData } from './payloads.ts'
import { pictureOf } from '#simulator/gateway/media/profile-pictures.ts'
import { pollUpdatesOf } from '#simulator/phones/polls.ts'
import type { Instance, Message, Phone } from '#simulator/world/state.ts'
import { type Json, seconds } from './wire.ts'
import { instanceOf, phoneOf, updateMessage, type World } from '#simulator/world/world.ts'

/** The webhooks the gateway posts for changes of messages. */

function laneOf(message: Message) {
  return message.phoneId ?? message.remoteJid
}

/** What a message's payload depends on; the bytes only when the webhook includes them. */
function payloadContext(world: World, message: Message): PayloadContext {
  const instance = instanceOf(world, message.instance)
  const isCarried = instance.sendsBase64 && message.media !== null
  const target = message.targetId === null ? undefined : world.state.messages.get(message.targetId)
  return {
    instance,
    phone: phoneOf(world, message),
    target,
    base64: isCarried ? world.state.media.get(message.waId)?.base64 : undefined,
    ...(message.act?.kind === 'vote' && target ? { pollUpdates: pollUpdatesOf(world, target, message) } : {}),
  }
}

function rawDataOf(world: World, message: Message) {
  return messageData(message, payloadContext(world, message))
}

function encodingContext(world: World, message: Message) {
  const phone = phoneOf(world, message)
  return { lid: phone && lidJid(phone.lid) }
}

/** The message in the format of the gateway's release. */
export function dataOf(world: World, message: Message): Json {
  const data = rawDataOf(world, message)
  const version = message.encoding ?? world.state.version
  const encoded = encode({ event: 'send.message', data }, version, encodingContext(world, message))
  return (encoded?.data ?? data) as Json
}

interface MessageEvent {
  event: string
  data: unknown
  detail: string
  waId?: string
  delayMs?: number
}

/** Emits an event about a message in the format of the gateway's release, or of the message's own. */
function emitFor(world: World, message: Message, { event, data, ...rest }: MessageEvent): Promise<void> {
  const version = message.encoding ?? world.state.version
  const isChange = event === 'messages.edited' || event === 'messages.delete'
  const original = isChange ? rawDataOf(world, message) : undefined
  const encoded = encode({ event, data }, version, { ...encodingContext(world, message), original })
  if (!encoded) return Promise.resolve()
  return world.hooks.emit(instanceOf(world, message.instance), { ...encoded, lane: laneOf(message), ...rest })
}

function describe(world: World, message: Message): string {
  const phone = phoneOf(world, message)
  if (message.author === 'phone') return describePhoneMessage(phone, message)
  return describeCompanyMessage(instanceOf(world, message.instance).ownerName, phone, message)
}

function isFirstContact(world: World, message: Message) {
  return (
    message.phoneId !== null &&
    !(world.state.chats.get(message.phoneId) ?? []).some((waId) => {
      const other = world.state.messages.get(waId)
      return other?.waId !== message.waId && other?.isStored === true && other.instance === message.instance
    })
  )
}

function announceChat(world: World, instance: Instance, message: Message) {
  const isNew = isFirstContact(world, message)
  const phone = phoneOf(world, message)
  // The chat uses the same jid as the message.
  const { remoteJid } = (dataOf(world, message)['key'] ?? message) as { remoteJid: string }
  // The name is empty for the company's own messages.
  const pushName = message.author === 'phone' ? (phone?.name ?? '') : ''
  const profilePicUrl = phone ? pictureOf(world, phone) : null
  const contact = { remoteJid, pushName, profilePicUrl, instanceId: instance.id }
  const event = isNew ? 'contacts.upsert' : 'contacts.update'
  const detail = phone?.name ?? remoteJid
  void emitFor(world, message, { event, data: contact, detail })
  const chat = { remoteJid, instanceId: instance.id }
  const data = isNew ? [{ ...chat, name: pushName, unreadMessages: 1 }] : [chat]
  void emitFor(world, message, { event: isNew ? 'chats.upsert' : 'chats.update', data, detail })
}

/** messages.upsert for a message from a phone or the company's own, with the chat events around it. */
export function announceIncoming(world: World, message: Message): void {
  const instance = instanceOf(world, message.instance)
  const data = rawDataOf(world, message)
  const { waId } = message
  void emitFor(world, message, { event: 'messages.upsert', data, detail: describe(world, message), waId })
  if (!message.elsewhere) announceChat(world, instance, message)
}

/** The echo of an API send. Resolves after the first attempt. */
export function announceSent(world: World, message: Message, delayMs: number): Promise<void> {
  const data = rawDataOf(world, message)
  const { waId } = message
  return emitFor(world, message, {
    event: 'send.message',
    data,
    detail: describe(world, message),
    waId,
    delayMs,
  })
}

/** messages.update, and the chats.upsert that follows every status. */
export function announceStatus(world: World, message: Message, status: string, note: string): void {
  const instance = instanceOf(world, message.instance)
  const detail = `${status} ${shortId(message.waId)}${note}`
  void emitFor(world, message, {
    event: 'messages.update',
    data: statusData(message, instance, status),
    detail,
  })
  const chat = [{ remoteJid: message.remoteJid, instanceId: instance.id, unreadMessages: 0 }]
  void emitFor(world, message, { event: 'chats.upsert', data: chat, detail: shortId(message.waId) })
}

/** Announces an edit or deletion made on a phone, and clears its pending mark. */
export function announceChange(world: World, message: Message): void {
  const instance = instanceOf(world, message.instance)
  const detail = describe(world, message)
  const data = protocolData(message, instance)
  void emitFor(world, message, { event: 'messages.edited', data, detail })
  if (message.toAnnounce === 'edit') {
    // 2.3.7 also posts a status with the new content; its SERVER_ACK must not move the ticks.
    const content = { editedMessage: { message: data['editedMessage'] } }
    const update = { ...statusData(message, instance, 'SERVER_ACK'), message: content }
    void emitFor(world, message, { event: 'messages.update', data: update, detail })
  } else {
    const { remoteJidAlt: _, ...key } = keyOf(message)
    void emitFor(world, message, { event: 'messages.delete', data: { ...key, status: 'DELETED' }, detail })
  }
  updateMessage(world, message.waId, { toAnnounce: null })
}

/** A chat's history in one body: messages.set. */
export function announceMessagesSet(
  world: World,
  phoneId: string,
  messages: Message[],
  top: { isLatest: boolean; progress: number },
): void {
  const phone = world.state.phones.get(phoneId)
  const data = messages.map((message) => rawDataOf(world, message))
  const context = { lid: phone && lidJid(phone.lid) }
  const encoded = encode({ event: 'messages.set', data, top }, world.state.version, context)
  const detail = `${phone?.name ?? phoneId}: histórico de ${messages.length} mensagens`
  const instance = instanceOf(world, world.instanceName)
  if (encoded) void world.hooks.emit(instance, { ...encoded, lane: phoneId, detail })
}

/** The jid of a phone's chat in the format of the gateway's release. */
export function chatJid(world: World, phone: Phone): string {
  const { remoteJid, remoteJidAlt, addressingMode } = addressOf(phone, world.state.faults)
  const key = { remoteJid, ...(remoteJidAlt === null ? {} : { remoteJidAlt }), addressingMode }
  return String(encodeKey(key, world.state.version, lidJid(phone.lid))['remoteJid'])
}

/** Typing state; 'paused' is posted as available. */
export function announcePresence(
  world: World,
  instance: Instance,
  jid: string,
  lane: string,
  state: string,
): void {
  const lastKnownPresence = state === 'paused' ? 'available' : state
  const lastSeen = state === 'unavailable' ? { lastSeen: seconds(world.clock.now()) } : {}
  const data = { id: jid, presences: { [jid]: { lastKnownPresence, ...lastSeen } } }
  void world.hooks.emit(instance, { event: 'presence.update', data, lane, detail: lastKnownPresence })
}
