import { acknowledgeDelivery } from './acknowledge.ts'
import { announceChange, announceIncoming } from './announce.ts'
import type { MessageKind, PhoneMessage, Reaction } from './control-api.ts'
import { controlError } from './control-errors.ts'
import { record } from './oracle.ts'
import { addressOf } from './payloads.ts'
import { getMessage, getPhone } from './phones.ts'
import { newDbId, newOwnerMessageId, newPhoneMessageId } from './random.ts'
import type { Message, Phone } from './state.ts'
import { instanceOf, updateMessage } from './world.ts'
import type { World } from './world.ts'

/**
 * What people write on their phones. Every write names its WhatsApp id beforehand or is given one; a known id adds nothing.
 * Each is one line of the journal: the message, the oracle's note and the webhooks, or none of them.
 */

type Draft = {
  id?: string | undefined
  kind: MessageKind
  text: string
  at?: string | undefined
  instance?: string | undefined
  quotedId?: string | undefined
  targetId?: string
  location?: Message['location']
  media?: Message['media']
  base64?: string
}

const quoteFor = (world: World, phoneId: string, quotedId: string | undefined): Message['quoted'] => {
  if (quotedId === undefined) return null
  const quoted = getMessage(world, phoneId, quotedId)
  return { waId: quoted.waId, text: quoted.text, fromPhone: quoted.author === 'phone' }
}

/** The message that already has this id, when a caller tries again. @throws 409 when it belongs elsewhere. */
const alreadySent = (world: World, phoneId: string, id: string | undefined): Message | undefined => {
  const known = id === undefined ? undefined : world.state.messages.get(id)
  if (known && known.phoneId !== phoneId)
    throw controlError(409, 'simulator.id_taken', 'Outra mensagem tem este id')
  return known
}

const put = (world: World, phone: Phone, author: 'phone' | 'owner', draft: Draft): Message => {
  const instance = world.state.instances.get(draft.instance ?? world.instanceName)
  if (!instance) throw controlError(404, 'simulator.instance_not_found', 'Instância não encontrada')
  const isOwner = author === 'owner'
  const message: Message = {
    waId: draft.id ?? (isOwner ? newOwnerMessageId() : newPhoneMessageId()),
    dbId: newDbId(),
    instance: instance.name,
    phoneId: phone.id,
    author,
    kind: draft.kind,
    text: draft.text,
    at: draft.at === undefined ? world.clock.now() : Date.parse(draft.at),
    ack: 'pending',
    reachedAck: 'pending',
    ...addressOf(phone, world.state.faults),
    quoted: quoteFor(world, phone.id, draft.quotedId),
    targetId: draft.targetId ?? null,
    media: draft.media ?? null,
    location: draft.location ?? null,
    editedAt: null,
    deletedAt: null,
    toAnnounce: null,
    isStored: false,
    isOnPhone: true,
    statuses: [],
  }
  const mimetype = draft.media?.mimetype ?? ''
  return world.batch(() => {
    if (draft.base64)
      world.commit({ t: 'media', media: { waId: message.waId, mimetype, base64: draft.base64 } })
    world.commit({ t: 'message', message })
    record(world, message, isOwner ? 'received' : 'written')
    return receive(world, message)
  })
}

/** The gateway takes a message off the socket; while it is down WhatsApp keeps it. */
const receive = (world: World, message: Message): Message => {
  if (instanceOf(world, message.instance).state !== 'open') return message
  announceIncoming(world, message)
  const told = updateMessage(world, message.waId, { isStored: true, ack: 'sent' })
  if (message.author === 'owner') acknowledgeDelivery(world, message.waId)
  return told
}

/** What was written and changed while the socket was down, in order. */
export const receiveWaiting = (world: World, instance: string): void => {
  for (const message of world.state.messages.values()) {
    if (message.instance !== instance || message.author === 'console' || !message.isOnPhone) continue
    world.batch(() => {
      if (!message.isStored) receive(world, message)
      const now = world.state.messages.get(message.waId)
      if (now?.toAnnounce) announceChange(world, now)
    })
  }
}

/** The console's webhook took it: the second tick. */
export const markAccepted = (world: World, waId: string): void => {
  const message = world.state.messages.get(waId)
  if (message?.author === 'phone' && message.ack === 'sent') updateMessage(world, waId, { ack: 'delivered' })
}

const defaultMimetype = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg; codecs=opus',
  document: 'application/pdf',
  sticker: 'image/webp',
} as const

const draftOf = (body: PhoneMessage): Draft => {
  const { id, at, instance, quotedId, kind } = body
  const same = { id, at, instance, quotedId, kind }
  if (kind === 'text') return { ...same, text: body.text }
  if (kind === 'location') {
    const { latitude, longitude, name = '', address = '' } = body
    return { ...same, text: name, location: { latitude, longitude, name, address } }
  }
  const media = {
    mimetype: body.mimetype ?? defaultMimetype[kind],
    fileName: 'fileName' in body ? (body.fileName ?? null) : null,
    seconds: 'seconds' in body ? (body.seconds ?? null) : null,
    sizeBytes: Buffer.byteLength(body.base64, 'base64'),
    width: 'width' in body ? (body.width ?? null) : null,
    height: 'height' in body ? (body.height ?? null) : null,
  }
  const text = 'caption' in body ? (body.caption ?? '') : ''
  return { ...same, text, media, base64: body.base64 }
}

/** A client writes, or, as `owner`, somebody on the company's own phone does (messages.upsert with fromMe). */
export const sendFromPhone = (
  world: World,
  phoneId: string,
  body: PhoneMessage,
  author: 'phone' | 'owner' = 'phone',
): Message => {
  const phone = getPhone(world, phoneId)
  return alreadySent(world, phoneId, body.id) ?? put(world, phone, author, draftOf(body))
}

/** A reaction is a message of its own that points at another; an empty emoji takes it back. */
export const reactFromPhone = (
  world: World,
  phoneId: string,
  { messageId, emoji, id }: Reaction,
): Message => {
  const phone = getPhone(world, phoneId)
  const known = alreadySent(world, phoneId, id)
  if (known) return known
  const target = getMessage(world, phoneId, messageId)
  const draft = { id, kind: 'reaction' as const, text: emoji, targetId: messageId, instance: target.instance }
  return put(world, phone, 'phone', draft)
}

const ownMessage = (world: World, phoneId: string, waId: string): Message => {
  const message = getMessage(world, phoneId, waId)
  if (message.author !== 'phone')
    throw controlError(409, 'simulator.not_own_message', 'Só a própria mensagem pode ser alterada')
  return message
}

const tellChange = (world: World, message: Message): Message => {
  // Otherwise it is told when the socket opens, after the message itself.
  if (message.isStored && instanceOf(world, message.instance).state === 'open') announceChange(world, message)
  return world.state.messages.get(message.waId) ?? message
}

/** Editing to the same text changes nothing. @throws 409 for somebody else's or a deleted message. */
export const editFromPhone = (world: World, phoneId: string, waId: string, text: string): Message => {
  const before = ownMessage(world, phoneId, waId)
  if (before.deletedAt !== null) throw controlError(409, 'simulator.deleted', 'A mensagem foi apagada')
  if (before.text === text) return before
  const editedAt = world.clock.now()
  return world.batch(() => {
    const message = updateMessage(world, waId, { text, editedAt, toAnnounce: 'edit' })
    record(world, message, 'written', 'edit')
    return tellChange(world, message)
  })
}

/** Deletes for everyone; twice is once. */
export const deleteFromPhone = (world: World, phoneId: string, waId: string): Message => {
  const before = ownMessage(world, phoneId, waId)
  if (before.deletedAt !== null) return before
  const deletedAt = world.clock.now()
  return world.batch(() => {
    const message = updateMessage(world, waId, { deletedAt, toAnnounce: 'delete' })
    record(world, message, 'written', 'delete')
    return tellChange(world, message)
  })
}
