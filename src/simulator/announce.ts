import { companySays, phoneSays, shortId } from './describe.ts'
import { messageData, protocolData, seconds, statusData } from './payloads.ts'
import type { MessageSurroundings } from './payloads.ts'
import type { Instance, Message } from './state.ts'
import { instanceOf, phoneOf, updateMessage } from './world.ts'
import type { World } from './world.ts'

/** Which webhooks the gateway makes of what happens to a message. */

const laneOf = (message: Message) => message.phoneId ?? message.remoteJid

/** Who and what a message's body is built with; the bytes only when the webhook carries them. */
const surroundings = (world: World, message: Message): MessageSurroundings => {
  const instance = instanceOf(world, message.instance)
  const isCarried = instance.sendsBase64 && message.media !== null
  return {
    instance,
    phone: phoneOf(world, message),
    target: message.targetId === null ? undefined : world.state.messages.get(message.targetId),
    base64: isCarried ? world.state.media.get(message.waId)?.base64 : undefined,
  }
}

export const dataOf = (world: World, message: Message) => messageData(message, surroundings(world, message))

const isFirstContact = (world: World, message: Message) =>
  message.phoneId !== null &&
  !(world.state.chats.get(message.phoneId) ?? []).some((waId) => {
    const other = world.state.messages.get(waId)
    return other?.waId !== message.waId && other?.isStored === true && other.instance === message.instance
  })

const announceChat = (world: World, instance: Instance, message: Message) => {
  const isNew = isFirstContact(world, message)
  const phone = phoneOf(world, message)
  const lane = laneOf(message)
  const { remoteJid } = message
  // The name is empty when the message was ours.
  const pushName = message.author === 'phone' ? (phone?.name ?? '') : ''
  const contact = { remoteJid, pushName, profilePicUrl: null, instanceId: instance.id }
  const event = isNew ? 'contacts.upsert' : 'contacts.update'
  void world.hooks.emit(instance, { event, data: contact, lane, detail: phone?.name ?? remoteJid })
  const chat = { remoteJid, instanceId: instance.id }
  const data = isNew ? [{ ...chat, name: pushName, unreadMessages: 1 }] : [chat]
  const chatEvent = isNew ? 'chats.upsert' : 'chats.update'
  void world.hooks.emit(instance, { event: chatEvent, data, lane, detail: phone?.name ?? remoteJid })
}

/** A message came in from a phone, or was written on the company's own: messages.upsert and the chat events around it. */
export const announceIncoming = (world: World, message: Message): void => {
  const instance = instanceOf(world, message.instance)
  const phone = phoneOf(world, message)
  const detail =
    message.author === 'phone' ? phoneSays(phone, message) : companySays(instance.ownerName, phone, message)
  const data = dataOf(world, message)
  void world.hooks.emit(instance, {
    event: 'messages.upsert',
    data,
    lane: laneOf(message),
    detail,
    waId: message.waId,
  })
  announceChat(world, instance, message)
}

/** The echo of an API send. The promise settles when it was tried once. */
export const announceSent = (world: World, message: Message, delayMs: number): Promise<void> => {
  const instance = instanceOf(world, message.instance)
  const detail = companySays(instance.ownerName, phoneOf(world, message), message)
  const data = dataOf(world, message)
  const lane = laneOf(message)
  return world.hooks.emit(instance, {
    event: 'send.message',
    data,
    lane,
    detail,
    waId: message.waId,
    delayMs,
  })
}

/** messages.update, and the chats.upsert that follows every status. */
export const announceStatus = (world: World, message: Message, status: string, note: string): void => {
  const instance = instanceOf(world, message.instance)
  const lane = laneOf(message)
  const detail = `${status} ${shortId(message.waId)}${note}`
  void world.hooks.emit(instance, {
    event: 'messages.update',
    data: statusData(message, instance, status),
    lane,
    detail,
  })
  const chat = [{ remoteJid: message.remoteJid, instanceId: instance.id, unreadMessages: 0 }]
  void world.hooks.emit(instance, { event: 'chats.upsert', data: chat, lane, detail: shortId(message.waId) })
}

/** Tells an edit or deletion made on a phone, and clears the mark that it is still to be told. */
export const announceChange = (world: World, message: Message): void => {
  const instance = instanceOf(world, message.instance)
  const lane = laneOf(message)
  const detail = phoneSays(phoneOf(world, message), message)
  const data = protocolData(message, instance)
  void world.hooks.emit(instance, { event: 'messages.edited', data, lane, detail })
  const { remoteJid, author, waId: id } = message
  if (message.toAnnounce === 'edit') {
    // 2.3.7 also tells a status with the new content; its SERVER_ACK must not move the ticks.
    const content = { editedMessage: { message: data['editedMessage'] } }
    const update = { ...statusData(message, instance, 'SERVER_ACK'), message: content }
    void world.hooks.emit(instance, { event: 'messages.update', data: update, lane, detail })
  } else {
    const key = {
      remoteJid,
      fromMe: author !== 'phone',
      id,
      participant: '',
      addressingMode: message.addressingMode,
    }
    void world.hooks.emit(instance, {
      event: 'messages.delete',
      data: { ...key, status: 'DELETED' },
      lane,
      detail,
    })
  }
  updateMessage(world, message.waId, { toAnnounce: null })
}

/** Somebody types, or stops: 'paused' goes out as available. */
export const announcePresence = (
  world: World,
  instance: Instance,
  jid: string,
  lane: string,
  state: string,
): void => {
  const lastKnownPresence = state === 'paused' ? 'available' : state
  const lastSeen = state === 'unavailable' ? { lastSeen: seconds(world.clock.now()) } : {}
  const data = { id: jid, presences: { [jid]: { lastKnownPresence, ...lastSeen } } }
  void world.hooks.emit(instance, { event: 'presence.update', data, lane, detail: lastKnownPresence })
}
