import { describeCompanyMessage } from '#simulator/control/describe.ts'
import { findMessages } from './find-messages.ts'
import { gatewayError, refuse } from '#simulator/gateway/gateway-errors.ts'
import type { Answer, Call, Routes } from '#simulator/gateway/gateway-server.ts'
import {
  type DeleteBody,
  deleteSchema,
  type EditBody,
  editMessageSchema,
  type FindBody,
  findSchema,
  type PresenceBody,
  presenceSchema,
  type ReadBody,
  readSchema,
} from './chat-schemas.ts'
import { rank } from '#simulator/webhooks/acknowledge.ts'
import { dataOf } from '#simulator/webhooks/announce.ts'
import { createJid, isLid, isPhoneJid, phoneJid } from '#simulator/world/jids.ts'
import { mediaBase64 } from '#simulator/gateway/media/media-download.ts'
import { record } from '#simulator/world/oracle.ts'
import { findPhone, showPresence } from '#simulator/gateway/messages/send.ts'
import { keyOf } from '#simulator/webhooks/payloads.ts'
import { seconds } from '#simulator/webhooks/wire.ts'
import { newConsoleMessageId } from '#simulator/random.ts'
import type { Message } from '#simulator/world/state.ts'
import { phoneOf, updateMessage, type World } from '#simulator/world/world.ts'
import { validate } from '#simulator/gateway/validation.ts'

function markRead(world: World, { instance, body }: Call): Answer {
  validate(body, readSchema)
  if (instance.state !== 'open') throw gatewayError(500, ['Read messages fail', 'Error: Connection Closed'])
  for (const { remoteJid, id } of (body as ReadBody).readMessages) {
    // 2.3.x passes only phone numbers to the socket: a LID chat never gets blue ticks.
    if (!isPhoneJid(remoteJid)) continue
    const message = world.state.messages.get(id)
    const phone = message && phoneOf(world, message)
    // A receipt to another number, such as one with a 9 too many, reaches nobody.
    if (phone && phoneJid(phone.number) !== remoteJid) continue
    if (message?.author === 'phone' && message.isStored && rank(message.ack) < rank('read'))
      updateMessage(world, id, { ack: 'read' })
  }
  return { status: 201, body: { message: 'Read messages', read: 'success' }, detail: 'mensagens lidas' }
}

async function sendPresence(world: World, { instance, body }: Call): Promise<Answer> {
  validate(body, presenceSchema)
  const { number, presence, delay } = body as PresenceBody
  if (instance.state !== 'open') throw refuse(400, 'Error: Connection Closed')
  const phone = findPhone(world, number)
  if (!phone && !isLid(number)) throw gatewayError(400, [{ jid: createJid(number), exists: false, number }])
  if (phone) showPresence(world, phone, presence === 'paused' ? 'available' : presence)
  await world.timers.sleep(delay)
  // After the delay the socket sends 'paused' by itself.
  const isTyping = presence === 'composing' || presence === 'recording'
  if (phone && isTyping) showPresence(world, phone, 'available')
  return { status: 201, body: { presence }, detail: `${phone?.name ?? number}: ${presence}` }
}

/** The WAMessage that the edit and delete calls answer, with a string for the time. */
function protocolAnswer(world: World, remoteJid: string, protocolMessage: object) {
  return {
    key: { remoteJid, fromMe: true, id: newConsoleMessageId() },
    message: { protocolMessage },
    messageTimestamp: String(seconds(world.clock.now())),
    status: 'PENDING',
  }
}

function announceDeletion(world: World, { instance }: Call, message: Message) {
  const data = {
    ...dataOf(world, message),
    id: message.dbId,
    key: { ...keyOf(message), deleted: true },
    status: 'DELETED',
  }
  const detail = describeCompanyMessage(instance.ownerName, phoneOf(world, message), message)
  const lane = message.phoneId ?? message.remoteJid
  void world.hooks.emit(instance, { event: 'messages.delete', data, lane, detail })
}

function deleteForEveryone(world: World, call: Call): Answer {
  validate(call.body, deleteSchema)
  if (call.instance.state !== 'open')
    throw gatewayError(500, ['Error while deleting message for everyone', 'Error: Connection Closed'])
  const { id, remoteJid, fromMe } = call.body as DeleteBody
  const message = world.state.messages.get(id)
  // An unknown id gets the same answer.
  if (message && message.author !== 'phone' && message.deletedAt === null)
    world.batch(() => {
      const deleted = updateMessage(world, id, { deletedAt: world.clock.now() })
      if (deleted.isOnPhone) record(world, deleted, 'received', 'delete')
      if (deleted.isStored) announceDeletion(world, call, deleted)
    })
  const body = protocolAnswer(world, remoteJid, { key: { remoteJid, fromMe, id }, type: 'REVOKE' })
  return { status: 201, body, detail: `apagar ${id}` }
}

function checkEdit(world: World, body: EditBody): { message: Message; text: string } {
  const { key, text = '' } = body
  const message = world.state.messages.get(key?.id ?? '')
  if (!message?.isStored) throw refuse(400, 'Message not found')
  if (createJid(body.number ?? '') !== message.remoteJid) throw refuse(400, 'RemoteJid does not match')
  const hasWords = ['text', 'image', 'video'].includes(message.kind) && !message.rich && !message.round
  if (!hasWords) throw refuse(400, 'Message not compatible')
  return { message, text }
}

function editMessage(world: World, { instance, body }: Call): Answer {
  validate(body, editMessageSchema)
  const { message, text } = checkEdit(world, body as EditBody)
  if (instance.state !== 'open') throw gatewayError(500, 'Connection Closed')
  const { remoteJid, waId: id } = message
  const key = { id, remoteJid, fromMe: true }
  const editedAt = world.clock.now()
  const editedMessage =
    message.kind === 'text'
      ? { extendedTextMessage: { text } }
      : { [`${message.kind}Message`]: { caption: text } }
  const detail = world.batch(() => {
    const edited = updateMessage(world, id, { text, editedAt })
    if (edited.isOnPhone) record(world, edited, 'received', 'edit')
    const words = describeCompanyMessage(instance.ownerName, phoneOf(world, edited), edited)
    const data = { key, editedMessage, timestampMs: editedAt, type: 14 }
    const lane = message.phoneId ?? remoteJid
    void world.hooks.emit(instance, { event: 'send.message.update', data, lane, detail: words })
    return words
  })
  const protocol = { key, type: 'MESSAGE_EDIT', editedMessage, timestampMs: String(editedAt) }
  return { status: 200, body: protocolAnswer(world, remoteJid, protocol), detail }
}

/** The calls about chats and existing messages. */
export function chatRoutes(routes: Routes, world: World): void {
  routes.onInstance('POST', '/chat/findMessages', ({ instance, body }) => {
    validate(body, findSchema)
    const answer = findMessages(world, instance, body as FindBody)
    return { status: 200, body: answer, detail: `${answer.messages.total} mensagens` }
  })
  routes.onInstance('POST', '/chat/markMessageAsRead', (call) => markRead(world, call))
  routes.onInstance('POST', '/chat/sendPresence', (call) => sendPresence(world, call))
  routes.onInstance('POST', '/chat/getBase64FromMediaMessage', (call) => mediaBase64(world, call))
  routes.onInstance('DELETE', '/chat/deleteMessageForEveryone', (call) => deleteForEveryone(world, call))
  routes.onInstance('POST', '/chat/updateMessage', (call) => editMessage(world, call))
}
