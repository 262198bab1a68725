import { createHash } from 'node:crypto'
import { dataOf } from '#simulator/webhooks/announce.ts'
import { chatOf } from '#simulator/control/chat-view.ts'
import {
  blockSchema,
  findChatsSchema,
  findContactsSchema,
  findStatusSchema,
  profileSchema,
} from './chat-schemas.ts'
import type {
  BlockBody,
  FindChatsBody,
  FindContactsBody,
  FindStatusBody,
  NumberBody,
} from './chat-schemas.ts'
import { encodings } from '#simulator/control-api.ts'
import { gatewayError } from '#simulator/gateway/gateway-errors.ts'
import type { Answer, Call, Routes } from '#simulator/gateway/gateway-server.ts'
import { createJid, isLid, phoneJid } from '#simulator/world/jids.ts'
import { findPhone } from '#simulator/gateway/messages/send.ts'
import { storedKeyOf } from '#simulator/webhooks/payloads.ts'
import { pictureOf } from '#simulator/gateway/media/profile-pictures.ts'
import type { Instance, Message, Phone } from '#simulator/world/state.ts'
import { validate } from '#simulator/gateway/validation.ts'
import { phoneOf } from '#simulator/world/world.ts'
import type { World } from '#simulator/world/world.ts'

/** The calls about contacts and chats. */

function iso(ms: number) {
  return new Date(ms).toISOString()
}

/** A stable row id. */
function rowId(text: string) {
  return `cm${createHash('sha256').update(text).digest('hex').slice(0, 23)}`
}

function ownJid({ ownerNumber }: Instance) {
  return phoneJid(ownerNumber ?? '')
}

function profilePicture(world: World, { instance, body }: Call): Answer {
  validate(body, profileSchema)
  const { number } = body as Partial<NumberBody>
  const phone = number === undefined ? undefined : findPhone(world, number)
  const wuid = number === undefined ? ownJid(instance) : createJid(number)
  const profilePictureUrl = phone && instance.state === 'open' ? pictureOf(world, phone) : null
  return { status: 200, body: { wuid, profilePictureUrl } }
}

function profile(world: World, { instance, body }: Call): Answer {
  validate(body, profileSchema)
  const { number } = body as Partial<NumberBody>
  if (number === undefined) {
    const own = { wuid: ownJid(instance), name: instance.ownerName, numberExists: true, picture: null }
    return { status: 200, body: { ...own, status: null, isBusiness: true } }
  }
  const phone = findPhone(world, number)
  if (!phone) throw gatewayError(400, [{ jid: createJid(number), exists: false, number }])
  const jid = isLid(number) ? number : phoneJid(phone.number)
  const shown = { wuid: jid, name: phone.name, numberExists: true, picture: pictureOf(world, phone) }
  return { status: 200, body: { ...shown, status: { status: '', setAt: null }, isBusiness: false } }
}

interface KnownChat {
  phone: Phone
  remoteJid: string
  messages: Message[]
}

function jidOf(world: World, message: Message) {
  return String(storedKeyOf(message, phoneOf(world, message))['remoteJid'])
}

/** One per jid: a person may have one by phone number and one by LID. */
function knownChats(world: World, instance: Instance): KnownChat[] {
  const chats = new Map<string, KnownChat>()
  for (const phone of world.state.phones.values())
    for (const message of chatOf(world, phone.id)) {
      if (!message.isStored || message.instance !== instance.name) continue
      const remoteJid = jidOf(world, message)
      const chat = chats.get(remoteJid) ?? { phone, remoteJid, messages: [] }
      chat.messages.push(message)
      chats.set(remoteJid, chat)
    }
  return [...chats.values()]
}

function page<Row>(rows: Row[], skip: number, take: number | undefined) {
  return rows.slice(skip, take === undefined ? undefined : skip + take)
}

function findContacts(world: World, { instance, body }: Call): Answer {
  validate(body, findContactsSchema)
  const { where = {}, page: number = 1, offset } = body as FindContactsBody
  // Up to 2.3.6 only the jid is a filter.
  const isOld = encodings.indexOf(world.state.version) < encodings.indexOf('2.3.7')
  const asked = isOld ? { remoteJid: where.remoteJid } : where
  const rows = knownChats(world, instance).map(({ phone, remoteJid, messages }) => ({
    id: rowId(`contact|${instance.id}|${remoteJid}`),
    remoteJid,
    pushName: phone.name,
    profilePicUrl: pictureOf(world, phone),
    createdAt: iso(messages[0]?.at ?? 0),
    updatedAt: iso(messages.at(-1)?.at ?? 0),
    instanceId: instance.id,
    isGroup: false,
    isSaved: true,
    type: 'contact',
  }))
  const found = rows.filter((row) =>
    (['id', 'remoteJid', 'pushName'] as const).every((name) => !asked[name] || asked[name] === row[name]),
  )
  return { status: 200, body: page(found, offset ? offset * (number - 1) : 0, offset) }
}

function findStatuses(world: World, { instance, body }: Call): Answer {
  validate(body, findStatusSchema)
  const { where = {}, page: number = 1, offset = 50 } = body as FindStatusBody
  const rows = [...world.state.messages.values()]
    .filter((message) => message.instance === instance.name && message.isStored)
    .filter(
      ({ waId, remoteJid }) => (where.id ?? waId) === waId && (where.remoteJid ?? remoteJid) === remoteJid,
    )
    .flatMap((message) =>
      message.statuses.map((status) => ({
        id: rowId(`status|${message.waId}|${status}`),
        keyId: message.waId,
        remoteJid: message.remoteJid,
        fromMe: message.author !== 'phone',
        participant: null,
        pollUpdates: null,
        status,
        instanceId: instance.id,
        messageId: message.dbId,
      })),
    )
  return { status: 200, body: page(rows, offset * (number - 1), offset) }
}

function findChats(world: World, { instance, body }: Call): Answer {
  validate(body, findChatsSchema)
  const { where = {}, take, skip = 0 } = body as FindChatsBody
  const dayMs = 86_400_000
  const rows = knownChats(world, instance)
    .filter(({ remoteJid }) => !where.remoteJid || where.remoteJid === remoteJid)
    .map(({ phone, remoteJid, messages }) => {
      const last = messages.toSorted((a, b) => a.at - b.at).at(-1)
      const unread = messages.filter(({ author, ack }) => author === 'phone' && ack !== 'read')
      const lastAt = last?.at ?? 0
      return {
        id: rowId(`chat|${instance.id}|${remoteJid}`),
        remoteJid,
        pushName: phone.name,
        profilePicUrl: pictureOf(world, phone),
        updatedAt: iso(lastAt),
        windowStart: iso(lastAt),
        windowExpires: iso(lastAt + dayMs),
        windowActive: world.clock.now() < lastAt + dayMs,
        lastMessage: last && { id: last.dbId, ...dataOf(world, last) },
        unreadCount: unread.length,
        isSaved: true,
      }
    })
    .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  return { status: 200, body: page(rows, skip, take) }
}

function block(world: World, { instance, body }: Call): Answer {
  validate(body, blockSchema)
  const { number, status } = body as BlockBody
  if (instance.state !== 'open') throw gatewayError(500, ['Error blocking user', 'Error: Connection Closed'])
  if (!findPhone(world, number)) throw gatewayError(400, [{ jid: createJid(number), exists: false, number }])
  return { status: 201, body: { block: 'success' }, detail: `${status} ${number}` }
}

export function contactRoutes(routes: Routes, world: World): void {
  routes.onInstance('POST', '/chat/fetchProfilePictureUrl', (call) => profilePicture(world, call))
  routes.onInstance('POST', '/chat/fetchProfile', (call) => profile(world, call))
  routes.onInstance('POST', '/chat/findContacts', (call) => findContacts(world, call))
  routes.onInstance('POST', '/chat/findStatusMessage', (call) => findStatuses(world, call))
  routes.onInstance('POST', '/chat/findChats', (call) => findChats(world, call))
  routes.onInstance('POST', '/chat/updateBlockStatus', (call) => block(world, call))
  // Neither validates its body, and an unknown chat gets the same answer.
  routes.onInstance('POST', '/chat/archiveChat', ({ body }) => {
    const { chat, archive } = body as { chat?: string; archive?: boolean }
    return { status: 201, body: { chatId: chat, archived: archive !== false } }
  })
  routes.onInstance('POST', '/chat/markChatUnread', ({ body }) => {
    const { chat } = body as { chat?: string }
    return { status: 201, body: { chatId: chat, markedChatUnread: true } }
  })
}
