import { acknowledgeDelivery } from '#simulator/webhooks/acknowledge.ts'
import { announceChange, announceIncoming } from '#simulator/webhooks/announce.ts'
import type { By, CheckedPhoneMessage } from '#simulator/control-api.ts'
import { controlError } from '#simulator/control/control-errors.ts'
import { type Draft, draftOf } from './drafts.ts'
import { record } from '#simulator/world/oracle.ts'
import { addressOf } from '#simulator/webhooks/payloads.ts'
import { getMessage, getPhone } from './phones.ts'
import { newDbId, newOwnerMessageId, newPhoneMessageId } from '#simulator/random.ts'
import { type Instance, type Message, newMessageFields, type Phone } from '#simulator/world/state.ts'
import { instanceOf, updateMessage, type World } from '#simulator/world/world.ts'

/**
 * Messages written on phones. Every write has a WhatsApp id, given or generated; repeating it does nothing.
 * Message, oracle entry and webhooks are one line of the journal: all or nothing.
 */

function quoteFor(world: World, phoneId: string, quotedId: string | undefined): Message['quoted'] {
  if (quotedId === undefined) return null
  const quoted = getMessage(world, phoneId, quotedId)
  return { waId: quoted.waId, text: quoted.text, fromPhone: quoted.author === 'phone', kind: quoted.kind }
}

/**
 * The message that already has this id, when a caller retries. @throws 409 when it belongs to another phone.
 */
export function alreadySent(world: World, phoneId: string, id: string | undefined): Message | undefined {
  const known = id === undefined ? undefined : world.state.messages.get(id)
  if (known && known.phoneId !== phoneId)
    throw controlError(409, 'simulator.id_taken', 'Outra mensagem tem este id')
  return known
}

function messageOf(world: World, phone: Phone, author: By, draft: Draft): Message {
  const { id, at, instance, quotedId, base64: _, ...own } = draft
  return {
    ...newMessageFields,
    ...own,
    waId: id ?? (author === 'owner' ? newOwnerMessageId() : newPhoneMessageId()),
    dbId: newDbId(world.clock.now()),
    instance: instanceNamed(world, instance).name,
    phoneId: phone.id,
    author,
    at: at === undefined ? world.clock.now() : Date.parse(at),
    ...addressOf(phone, world.state.faults),
    quoted: quoteFor(world, phone.id, quotedId),
    isOnPhone: true,
  }
}

/** Creates the message, records it and passes it to the gateway, all or nothing. */
export function put(world: World, phone: Phone, author: By, draft: Draft): Message {
  const message = messageOf(world, phone, author, draft)
  const { base64 } = draft
  return world.batch(() => {
    if (base64) {
      const mimetype = draft.media?.mimetype ?? ''
      world.commit({ t: 'media', media: { waId: message.waId, mimetype, base64 } })
    }
    world.commit({ t: 'message', message })
    record(world, message, author === 'owner' ? 'received' : 'written')
    return receive(world, message)
  })
}

/** @throws 404 */
export function instanceNamed(world: World, name = world.instanceName): Instance {
  const instance = world.state.instances.get(name)
  if (!instance) throw controlError(404, 'simulator.instance_not_found', 'Instância não encontrada')
  return instance
}

/** Whether the gateway takes what comes from the instance's socket. */
export const isReading = (world: World, instance: string): boolean =>
  instanceOf(world, instance).state === 'open' && !world.hooks.isHolding(instance)

/** The gateway receives a message from the socket; while it is down, or not read, WhatsApp keeps it. */
export function receive(world: World, message: Message): Message {
  if (!isReading(world, message.instance)) return message
  announceIncoming(world, message)
  const received = updateMessage(world, message.waId, { isStored: true, ack: 'sent' })
  if (message.author === 'owner') acknowledgeDelivery(world, message.waId)
  return received
}

function isHeld(message: Message, instance: string): boolean {
  if (message.instance !== instance) return false
  const isComing = !message.isStored && message.author !== 'console'
  return message.toAnnounce !== null || (isComing && (message.isOnPhone || message.elsewhere !== undefined))
}

/** Receives what was written and changed while the socket was down, in order. */
export function receiveWaiting(world: World, instance: string): void {
  for (const message of world.state.messages.values()) {
    if (!isHeld(message, instance)) continue
    world.batch(() => {
      if (!message.isStored) receive(world, message)
      const now = world.state.messages.get(message.waId)
      if (now?.toAnnounce && isReading(world, instance)) announceChange(world, now)
    })
  }
}

/** Second tick: the console has accepted the webhook. */
export function markAccepted(world: World, waId: string): void {
  const message = world.state.messages.get(waId)
  if (message?.author === 'phone' && message.ack === 'sent') updateMessage(world, waId, { ack: 'delivered' })
}

/**
 * Sends a message from a client, or, as `owner`, from the company's own phone (messages.upsert with fromMe).
 */
export function sendFromPhone(
  world: World,
  phoneId: string,
  body: CheckedPhoneMessage,
  author: By = 'phone',
): Message {
  const phone = getPhone(world, phoneId)
  return alreadySent(world, phoneId, body.id) ?? put(world, phone, author, draftOf(body))
}
