import { dataOf } from '#simulator/webhooks/announce.ts'
import type { FindBody } from './chat-schemas.ts'
import { messageType } from '#simulator/webhooks/content.ts'
import { storedKeyOf } from '#simulator/webhooks/payloads.ts'
import type { Instance, Message } from '#simulator/world/state.ts'
import { type Json, seconds } from '#simulator/webhooks/wire.ts'
import { phoneOf, type World } from '#simulator/world/world.ts'

/** A row of the gateway's message table as findMessages returns it. */
function rowOf(world: World, message: Message): Json {
  const { pushName, messageType: type, message: content, ...rest } = dataOf(world, message)
  const { deletedAt, editedAt, toAnnounce } = message
  // Of a change on a phone that it has not heard of yet the gateway records nothing.
  const isDeleted = deletedAt !== null && toAnnounce !== 'delete'
  const isEdited = editedAt !== null && toAnnounce !== 'edit'
  return {
    id: message.dbId,
    key: storedKeyOf(message, phoneOf(world, message)),
    pushName,
    messageType: type,
    message: isDeleted ? null : content,
    messageTimestamp: rest['messageTimestamp'],
    instanceId: rest['instanceId'],
    source: rest['source'],
    contextInfo: rest['contextInfo'] ?? null,
    MessageUpdate: [...message.statuses, ...(isEdited ? ['EDITED'] : [])].map((status) => ({ status })),
  }
}

const sources = { phone: 'android', owner: 'ios', console: 'web' } as const

function matcher(
  world: World,
  instance: Instance,
  where: NonNullable<FindBody['where']>,
): (message: Message) => boolean {
  const { key = {}, messageType: type, source, messageTimestamp: time } = where
  // A single bound is ignored.
  const gte = time?.gte && time.lte ? seconds(Date.parse(time.gte)) : -Infinity
  const lte = time?.gte && time.lte ? seconds(Date.parse(time.lte)) : Infinity
  return (message) => {
    const own = storedKeyOf(message, phoneOf(world, message))
    const isAsked = (name: 'remoteJid' | 'remoteJidAlt' | 'id' | 'participant') =>
      !key[name] || own[name] === key[name]
    const at = seconds(message.at)
    return (
      isAsked('remoteJid') &&
      isAsked('remoteJidAlt') &&
      isAsked('id') &&
      isAsked('participant') &&
      // `fromMe: false` is ignored too.
      (key.fromMe !== true || message.author !== 'phone') &&
      (!type || messageType(message, instance) === type) &&
      (!source || sources[message.author] === source) &&
      at >= gte &&
      at <= lte
    )
  }
}

/**
 * chat/findMessages with its quirks: `offset` is the page size (50), newest first, single bounds and `fromMe:
 * false` are ignored.
 */
export function findMessages(
  world: World,
  instance: Instance,
  { where = {}, page = 1, offset = 50 }: FindBody,
) {
  const isMatch = matcher(world, instance, where)
  const byId = where.key?.id ? world.state.messages.get(where.key.id) : undefined
  const pool = where.key?.id ? (byId ? [byId] : []) : [...world.state.messages.values()]
  const found = pool
    .filter((message) => message.isStored && message.instance === instance.name && isMatch(message))
    .toReversed()
    .toSorted((a, b) => seconds(b.at) - seconds(a.at))
  const start = offset * (Math.max(1, page) - 1)
  return {
    messages: {
      total: found.length,
      pages: Math.ceil(found.length / offset),
      currentPage: page,
      records: found.slice(start, start + offset).map((message) => rowOf(world, message)),
    },
  }
}
