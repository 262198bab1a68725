import { AppError } from '#shared/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import {
  type ChangeResult,
  judgeChange,
  judgeFailure,
  judgeSend,
  readRefusal,
  reasonOf,
  type SendResult,
} from './answers.ts'
import { contentOf } from '#server/gateway/evolution/parse/content.ts'
import { fileInJson, jsonWithFile } from './media.ts'
import { type RecordedBody, bodiesOf } from './record.ts'
import { field, integer, items, text } from '#server/gateway/evolution/parse/values.ts'
import type { Content } from '#server/gateway/evolution/parse/gateway-events.ts'

/** One number at a gateway, with its key in clear: held only while a call is made. */
export interface Instance {
  baseUrl: string
  instanceName: string
  apiKey: string
}

export interface OutgoingText {
  /** Digits or a whole jid. */
  to: string
  text: string
  quoted: { waId: string; content: string; fromMe: boolean; jid: string } | undefined
}

export interface OutgoingMedia extends OutgoingText {
  /** The caption. */
  text: string
  kind: 'image' | 'video' | 'audio' | 'document'
  /** Recorded by the operator: heard on the phone as a voice message, and without a caption. */
  isVoice: boolean
  /** With an extension, by which the gateway goes. */
  fileName: string
  mimeType: string
  sizeBytes: number
  bytes: AsyncIterable<Uint8Array>
}

export interface OutgoingReaction {
  /** Digits or a whole jid: whose chat it is. */
  to: string
  waId: string
  /** Whether the message is ours. */
  fromMe: boolean
  /** One, or '' to take it back. */
  emoji: string
}

/** What a client wrote and somebody has read here. */
export interface ReadMessages {
  /** A whole jid: whose chat it is. */
  to: string
  waIds: readonly string[]
}

export interface OutgoingTyping {
  /** Digits or a whole jid. */
  to: string
  isTyping: boolean
  delayMs: number
}

/** A message of ours that is at WhatsApp. */
export interface SentMessage {
  /** A whole jid: whose chat it is. */
  to: string
  waId: string
}

/** A message of the gateway's own record. */
export interface RecordedMessage {
  waId: string
  said: Content
  sentAt: Date
}

export interface EvolutionClient {
  sendText(instance: Instance, message: OutgoingText): Promise<SendResult>
  sendMedia(instance: Instance, message: OutgoingMedia): Promise<SendResult>
  sendReaction(instance: Instance, reaction: OutgoingReaction): Promise<SendResult>
  /** Shows the client that he was read; keys of a LID are dropped by some releases. @throws when it cannot be told */
  markRead(instance: Instance, read: ReadMessages): Promise<void>
  /**
   * Shows 'digitando…' on the client's phone, or ends it. The gateway answers after `delayMs`, when it ends by itself; from
   * then on the gateway tells us what the client does, too.
   * @throws when it cannot be asked
   */
  sendTyping(instance: Instance, typing: OutgoingTyping): Promise<void>
  /** Repeated, it is the same edit. `to` must be the address that the gateway itself has it under: see `findAddress`. */
  editMessage(instance: Instance, message: SentMessage & { text: string }): Promise<ChangeResult>
  /** Deletes it for everyone; repeated, it is deleted already. */
  deleteMessage(instance: Instance, message: SentMessage): Promise<ChangeResult>
  /** The chat in which the gateway's record has a message; undefined when it has none. @throws when it cannot be asked */
  findAddress(instance: Instance, waId: string): Promise<string | undefined>
  /**
   * The file of a message, as the gateway gets it from WhatsApp, given to `take` as it comes.
   * @throws when it cannot be had, or breaks off
   */
  fetchMedia<T>(
    instance: Instance,
    waId: string,
    take: (bytes: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<{ taken: T; fileName: string | undefined }>
  connectionState(
    instance: Instance,
  ): Promise<'open' | 'connecting' | 'close' | 'unreachable' | 'unauthorized'>
  /** Names of all instances that the key may see, and the token of the named one. */
  fetchInstances(instance: Instance): Promise<InstanceInfo[]>
  setWebhook(instance: Instance, webhook: { url: string; secret: string }): Promise<void>
  /** What we sent to any of these addresses in the window, newest first, by the gateway's record. @throws when it cannot be asked */
  findSent(instance: Instance, query: { jids: string[]; from: Date; to: Date }): Promise<RecordedMessage[]>
  /** What the gateway holds of a stretch of time, newest first, in pages from 1 on. @throws when it cannot be asked */
  listRecorded(instance: Instance, query: { from: Date; to: Date; page: number }): Promise<RecordedPage>
}

export interface RecordedPage {
  /** Of the whole stretch. */
  total: number
  pages: number
  /** As webhooks would have told them. */
  bodies: RecordedBody[]
}

export interface InstanceInfo {
  name: string
  connectionStatus: string
  ownerJid: string | null
  number: string | null
  profileName: string | null
  token: string | null
}

/** How long an answer is waited for, in milliseconds. */
export interface GatewayTimes {
  sendMs: number
  mediaMs: number
  /** Of an edit or a deletion: a person waits for it. */
  changeMs: number
}

const usualTimes: GatewayTimes = {
  /** Less than the outbox's lease, more than the gateway's own patience. */
  sendMs: 60_000,
  /** The gateway fetches it from WhatsApp meanwhile, in two tries. */
  mediaMs: 180_000,
  changeMs: 20_000,
}
const askTimeoutMs = 10_000
/** An address that is looked up before something else is asked. */
const addressTimeoutMs = 5000
/** Fifty messages with their thumbnails, on a machine that has just come back. */
const recordTimeoutMs = 30_000
const oneMegabyte = 1_048_576
/** A file may take so much longer than a text: half a megabyte a second. */
export const slowestBytesPerMs = 500
/** More is no chat between people, and would keep other doubts waiting. */
const mostPages = 20

/** What every release can tell. */
const oldWebhookEvents = [
  'CONNECTION_UPDATE',
  'LOGOUT_INSTANCE',
  'MESSAGES_UPSERT',
  'MESSAGES_EDITED',
  'MESSAGES_UPDATE',
  'MESSAGES_DELETE',
  'SEND_MESSAGE',
  'MESSAGES_SET',
  'CALL',
  'PRESENCE_UPDATE',
  'CONTACTS_UPSERT',
] as const
/** 2.2 refuses a list in which these stand. */
const webhookEvents = [...oldWebhookEvents, 'SEND_MESSAGE_UPDATE', 'STATUS_INSTANCE'] as const

export function createEvolutionClient(http: OutgoingHttp, times?: Partial<GatewayTimes>): EvolutionClient {
  const { sendMs, mediaMs, changeMs } = { ...usualTimes, ...times }
  const ask = (
    instance: Instance,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    timeoutMs = askTimeoutMs,
    maxBytes = oneMegabyte,
  ) =>
    http.fetchJson({
      method,
      url: urlOf(instance, path),
      headers: { apikey: instance.apiKey },
      ...(body !== undefined && { body }),
      timeoutMs,
      maxBytes,
    })
  const at = (action: string, instance: Instance) => `${action}/${encodeURIComponent(instance.instanceName)}`

  const urlOf = ({ baseUrl }: Instance, path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`

  return {
    async sendText(instance, message) {
      try {
        await failpoint('outbox.asking')
        const answer = await ask(
          instance,
          'POST',
          at('/message/sendText', instance),
          { number: message.to, text: message.text, ...quoteOf(message) },
          sendMs,
        )
        return judgeSend(answer.status, answer.body)
      } catch (error) {
        return judgeFailure(error)
      }
    },

    async sendMedia(instance, { bytes, sizeBytes, ...message }) {
      const { kind: mediatype, isVoice, fileName, mimeType: mimetype, text: caption } = message
      const file = { bytes, sizeBytes }
      const common = { number: message.to, ...quoteOf(message) }
      const streamed = isVoice
        ? jsonWithFile({ ...common, encoding: true }, 'audio', file)
        : jsonWithFile({ ...common, mediatype, mimetype, fileName, caption }, 'media', file)
      try {
        await failpoint('outbox.asking')
        const answer = await http.fetchJson({
          method: 'POST',
          url: urlOf(instance, at(isVoice ? '/message/sendWhatsAppAudio' : '/message/sendMedia', instance)),
          headers: { apikey: instance.apiKey },
          streamed,
          timeoutMs: sendMs + Math.ceil(sizeBytes / slowestBytesPerMs),
          maxBytes: oneMegabyte,
        })
        return judgeSend(answer.status, answer.body)
      } catch (error) {
        return judgeFailure(error)
      }
    },

    async sendReaction(instance, { to, waId, fromMe, emoji }) {
      try {
        const { status, body } = await ask(instance, 'POST', at('/message/sendReaction', instance), {
          key: { remoteJid: to, fromMe, id: waId },
          reaction: emoji,
        })
        return judgeSend(status, body)
      } catch (error) {
        return judgeFailure(error)
      }
    },

    async markRead(instance, { to, waIds }) {
      const readMessages = waIds.map((id) => ({ remoteJid: to, fromMe: false, id }))
      const { status, body } = await ask(instance, 'POST', at('/chat/markMessageAsRead', instance), {
        readMessages,
      })
      if (status >= 400) throw new Error(`markMessageAsRead answered ${reasonOf(status, body)}`)
    },

    async sendTyping(instance, { to, isTyping, delayMs }) {
      const { status } = await ask(
        instance,
        'POST',
        at('/chat/sendPresence', instance),
        { number: to, presence: isTyping ? 'composing' : 'paused', delay: delayMs },
        askTimeoutMs + delayMs,
      )
      if (status >= 400) throw new Error(`sendPresence answered ${status}`)
    },

    async editMessage(instance, { to, waId, text: words }) {
      const key = { id: waId, remoteJid: to, fromMe: true }
      const body = { number: to, key, text: words }
      return judgeChange(() => ask(instance, 'POST', at('/chat/updateMessage', instance), body, changeMs))
    },

    async deleteMessage(instance, { to, waId }) {
      const body = { id: waId, remoteJid: to, fromMe: true }
      return judgeChange(() =>
        ask(instance, 'DELETE', at('/chat/deleteMessageForEveryone', instance), body, changeMs),
      )
    },

    async findAddress(instance, waId) {
      const query = { where: { key: { id: waId } }, page: 1, offset: 1 }
      const { status, body } = await ask(
        instance,
        'POST',
        at('/chat/findMessages', instance),
        query,
        Math.min(addressTimeoutMs, changeMs),
      )
      if (status >= 400) throw new Error(`findMessages answered ${status}`)
      const [record] = items(field(field(body, 'messages'), 'records'), 1)
      return text(field(field(record, 'key'), 'remoteJid'))
    },

    async fetchMedia(instance, waId, take) {
      const { status, body } = await http.fetchStream({
        method: 'POST',
        url: urlOf(instance, at('/chat/getBase64FromMediaMessage', instance)),
        headers: { apikey: instance.apiKey },
        body: { message: { key: { id: waId } } },
        timeoutMs: mediaMs,
      })
      if (status >= 400) {
        const said = await readRefusal(body)
        throw new Error(`getBase64FromMediaMessage answered ${reasonOf(status, said)}`)
      }
      const file = fileInJson(body, 'base64')
      const taken = await take(file.bytes)
      return { taken, fileName: text(field(file.rest(), 'fileName')) }
    },

    async connectionState(instance) {
      try {
        const { status, body } = await ask(instance, 'GET', at('/instance/connectionState', instance))
        if (status === 401 || status === 403) return 'unauthorized'
        const state = field(field(body, 'instance'), 'state')
        return state === 'open' || state === 'connecting' ? state : 'close'
      } catch {
        // Any failure to ask is the answer: the gateway cannot be reached.
        return 'unreachable'
      }
    },

    async fetchInstances(instance) {
      const { status, body } = await ask(instance, 'GET', '/instance/fetchInstances')
      if (status >= 400)
        throw new AppError('gateway.unreachable', { values: { reason: reasonOf(status, body) } })
      return (Array.isArray(body) ? body : []).map(instanceInfoOf)
    },

    async setWebhook(instance, { url, secret }) {
      const headers = { authorization: `Bearer ${secret}` }
      const set = (events: readonly string[]) => {
        const webhook = { enabled: true, url, byEvents: false, base64: false, headers, events }
        return ask(instance, 'POST', at('/webhook/set', instance), { webhook })
      }
      const newest = await set(webhookEvents)
      const { status, body } = newest.status === 400 ? await set(oldWebhookEvents) : newest
      if (status >= 400)
        throw new AppError('gateway.unreachable', { values: { reason: reasonOf(status, body) } })
    },

    async findSent(instance, { jids, from, to }) {
      const messageTimestamp = { gte: from.toISOString(), lte: to.toISOString() }
      const found = new Map<string, RecordedMessage>()
      for (const jid of jids) {
        const where = { key: { remoteJid: jid, fromMe: true }, messageTimestamp }
        for (let page = 1, pages = 1; page <= Math.min(pages, mostPages); page++) {
          const { status, body } = await ask(
            instance,
            'POST',
            at('/chat/findMessages', instance),
            { where, page, offset: 50 },
            askTimeoutMs,
            16 * oneMegabyte,
          )
          if (status >= 400) throw new Error(`findMessages answered ${status}`)
          for (const record of recordsOf(body)) found.set(record.waId, record)
          pages = integer(field(field(body, 'messages'), 'pages')) ?? 1
        }
      }
      return [...found.values()].toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
    },

    async listRecorded(instance, { from, to, page }) {
      const messageTimestamp = { gte: from.toISOString(), lte: to.toISOString() }
      const { status, body } = await ask(
        instance,
        'POST',
        at('/chat/findMessages', instance),
        { where: { messageTimestamp }, page, offset: 50 },
        recordTimeoutMs,
        64 * oneMegabyte,
      )
      if (status >= 400) throw new Error(`findMessages answered ${status}`)
      const messages = field(body, 'messages')
      const [total, pages] = [integer(field(messages, 'total')), integer(field(messages, 'pages'))]
      if (total === undefined || pages === undefined) throw new Error('findMessages answered another shape')
      return { total, pages, bodies: bodiesOf(instance.instanceName, field(messages, 'records')) }
    },
  }
}

function quoteOf({ quoted }: OutgoingText): { quoted?: unknown } {
  if (!quoted) return {}
  const key = { remoteJid: quoted.jid, fromMe: quoted.fromMe, id: quoted.waId }
  return { quoted: { key, message: { conversation: quoted.content } } }
}

function instanceInfoOf(row: unknown): InstanceInfo {
  const orNull = (key: string) => text(field(row, key)) ?? null
  return {
    name: text(field(row, 'name')) ?? '',
    connectionStatus: text(field(row, 'connectionStatus')) ?? '',
    ownerJid: orNull('ownerJid'),
    number: orNull('number'),
    profileName: orNull('profileName'),
    token: orNull('token'),
  }
}

function recordsOf(body: unknown): RecordedMessage[] {
  const records = field(field(body, 'messages'), 'records')
  if (!Array.isArray(records)) throw new Error('findMessages answered another shape')
  return records.flatMap((record) => {
    const waId = text(field(field(record, 'key'), 'id'))
    const seconds = integer(field(record, 'messageTimestamp'))
    if (!waId || seconds === undefined || field(field(record, 'key'), 'fromMe') !== true) return []
    return [{ waId, said: contentOf(field(record, 'message')), sentAt: new Date(seconds * 1000) }]
  })
}
