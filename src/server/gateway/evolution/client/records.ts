import { contentOf } from '#server/gateway/evolution/parse/content.ts'
import type { Content } from '#server/gateway/evolution/parse/gateway-events.ts'
import { peerOf } from '#server/gateway/evolution/parse/peers.ts'
import { bag, field, integer, list, text, timeMs } from '#server/gateway/evolution/parse/values.ts'
import { type ClientContext, type Instance, oneMegabyte, request } from './request.ts'

/** An outgoing message in the gateway's record. */
export interface RecordedMessage {
  waId: string
  said: Content
  sentAt: Date
}

/** A message in the gateway's record, converted to the bodies of webhooks. */
export interface RecordedBody {
  waId: string
  /** The message as a `messages.upsert`. */
  message: unknown
  /** For an outgoing message, a `messages.update` for each acknowledgement in the record. */
  updates: unknown[]
  /** Both addresses of the client who wrote it, where the record has them. */
  pair: { phone: string; lid: string } | undefined
  /** When the message was edited or deleted, a `messages.edited` or `messages.delete`. */
  change: unknown
}

export interface RecordedPage {
  /** Number of messages in the whole period. */
  total: number
  pages: number
  bodies: RecordedBody[]
}

const pageSize = 50
/** More pages than a chat between people has: they would hold up the check of other sends. */
const maxPages = 20
/** By how much later than a message its row may be written. */
const mostLateMs = 30 * 86_400_000
/** A page with thumbnails, from a machine that has just come back. */
const recordTimeoutMs = 30_000

export async function findSent(
  context: ClientContext,
  instance: Instance,
  { jids, from, to }: { jids: string[]; from: Date; to: Date },
): Promise<RecordedMessage[]> {
  const messageTimestamp = { gte: from.toISOString(), lte: to.toISOString() }
  const found = new Map<string, RecordedMessage>()
  for (const jid of jids) {
    const where = { key: { remoteJid: jid, fromMe: true }, messageTimestamp }
    for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page++) {
      const { status, body } = await request(context, instance, {
        endpoint: '/chat/findMessages',
        body: { where, page, offset: pageSize },
        maxBytes: 16 * oneMegabyte,
      })
      if (status >= 400) throw new Error(`findMessages answered ${status}`)
      for (const record of sentMessagesOf(body)) found.set(record.waId, record)
      pages = integer(field(field(body, 'messages'), 'pages')) ?? 1
    }
  }
  return [...found.values()].toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
}

export async function findSentById(
  context: ClientContext,
  instance: Instance,
  waId: string,
): Promise<RecordedMessage | undefined> {
  const { status, body } = await request(context, instance, {
    endpoint: '/chat/findMessages',
    body: { where: { key: { id: waId } }, page: 1, offset: 1 },
  })
  if (status >= 400) throw new Error(`findMessages answered ${status}`)
  return sentMessagesOf(body).find((record) => record.waId === waId)
}

function sentMessagesOf(body: unknown): RecordedMessage[] {
  const records = field(field(body, 'messages'), 'records')
  if (!Array.isArray(records)) throw new Error('findMessages answered another shape')
  return records.flatMap((record) => {
    const waId = text(field(field(record, 'key'), 'id'))
    const seconds = integer(field(record, 'messageTimestamp'))
    if (!waId || seconds === undefined || field(field(record, 'key'), 'fromMe') !== true) return []
    return [{ waId, said: contentOf(field(record, 'message')), sentAt: new Date(seconds * 1000) }]
  })
}

export async function listRecorded(
  context: ClientContext,
  instance: Instance,
  { from, to, page, readAt }: { from: Date; to: Date; page: number; readAt: Date },
): Promise<RecordedPage> {
  const messageTimestamp = { gte: from.toISOString(), lte: to.toISOString() }
  const { status, body } = await request(context, instance, {
    endpoint: '/chat/findMessages',
    body: { where: { messageTimestamp }, page, offset: pageSize },
    timeoutMs: recordTimeoutMs,
    maxBytes: 64 * oneMegabyte,
  })
  if (status >= 400) throw new Error(`findMessages answered ${status}`)
  const messages = field(body, 'messages')
  const [total, pages] = [integer(field(messages, 'total')), integer(field(messages, 'pages'))]
  if (total === undefined || pages === undefined) throw new Error('findMessages answered another shape')
  return { total, pages, bodies: bodiesOf(instance.instanceName, field(messages, 'records'), readAt) }
}

/** @param readAt not after the time of reading. @see gateway/evolution.md §4 findMessages */
function bodiesOf(instance: string, records: unknown, readAt: Date): RecordedBody[] {
  return list(records).flatMap((record): RecordedBody[] => {
    const key = field(record, 'key')
    const waId = text(field(key, 'id'))
    if (!waId) return []
    const remoteJid = field(key, 'remoteJid')
    const part = (name: string) => ({ [name]: field(record, name) })
    const data = {
      key,
      ...part('pushName'),
      ...part('message'),
      ...part('messageType'),
      ...part('messageTimestamp'),
      ...part('contextInfo'),
      ...part('source'),
      recordedAtMs: recordedMs(record),
      // It says itself that it is from the record: an hour later the body alone is left.
      isSwept: true,
    }
    const statuses = field(key, 'fromMe') === true ? list(field(record, 'MessageUpdate') ?? []) : []
    const updates = statuses.map((update) => ({
      event: 'messages.update',
      instance,
      data: { keyId: waId, remoteJid, fromMe: true, status: field(update, 'status') },
    }))
    const change = changeOf(instance, record, readAt)
    return [
      { waId, message: { event: 'messages.upsert', instance, data }, updates, pair: pairOf(key), change },
    ]
  })
}

function pairOf(key: unknown): RecordedBody['pair'] {
  // Of a message of ours one of the addresses may be our own, which only the envelope of a webhook tells.
  const { phone, lid } = (field(key, 'fromMe') !== true && peerOf(key)) || {}
  return phone !== undefined && lid !== undefined ? { phone, lid } : undefined
}

/**
 * When the gateway wrote a row, in milliseconds since 1970, which its id begins with: a cuid. It does so as
 * it posts the message. 0 for an id of another kind, which does not give a time after the message's.
 */
function recordedMs(record: unknown): number {
  const digits = /^c([0-9a-z]{8})[0-9a-z]{16}$/.exec(text(field(record, 'id')) ?? '')?.[1]
  const atMs = digits === undefined ? 0 : Number.parseInt(digits, 36)
  const sentAtMs = timeMs(field(record, 'messageTimestamp'), 1000)
  return sentAtMs > 0 && atMs >= sentAtMs && atMs <= sentAtMs + mostLateMs ? atMs : 0
}

/** The record of a deleted message has no content; that of an edited one has the last, without its time. */
function changeOf(instance: string, record: unknown, readAt: Date): unknown {
  const key = field(record, 'key')
  const content = field(record, 'message')
  if (content === null)
    return { event: 'messages.delete', instance, data: { ...bag(key), status: 'DELETED' } }
  const isEdited = list(field(record, 'MessageUpdate') ?? []).some(
    (update) => field(update, 'status') === 'EDITED',
  )
  if (!isEdited) return undefined
  const data = { key, type: 'MESSAGE_EDIT', editedMessage: content, readAtMs: readAt.getTime() }
  return { event: 'messages.edited', instance, data }
}
