import { AppError } from '#shared/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { OutgoingHttp } from '#server/platform/outgoing-http.ts'
import { judgeFailure, judgeSend, readRefusal, reasonOf, type SendResult } from './evolution-answers.ts'
import { contentOf } from './evolution-content.ts'
import { fileInJson, jsonWithFile } from './evolution-media.ts'
import { type RecordedBody, bodiesOf } from './evolution-record.ts'
import { field, integer, text } from './evolution-values.ts'
import type { Content } from './gateway-events.ts'

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
}

const usualTimes: GatewayTimes = {
  /** Less than the outbox's lease, more than the gateway's own patience. */
  sendMs: 60_000,
  /** The gateway fetches it from WhatsApp meanwhile, in two tries. */
  mediaMs: 180_000,
}
const askTimeoutMs = 10_000
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
  'CONTACTS_UPSERT',
] as const
/** 2.2 refuses a list in which these stand. */
const webhookEvents = [...oldWebhookEvents, 'SEND_MESSAGE_UPDATE', 'STATUS_INSTANCE'] as const

export function createEvolutionClient(http: OutgoingHttp, times?: Partial<GatewayTimes>): EvolutionClient {
  const { sendMs, mediaMs } = { ...usualTimes, ...times }
  const ask = (
    instance: Instance,
    method: 'GET' | 'POST',
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
        throw new AppError('gateway.unreachable', 502, { values: { reason: reasonOf(status, body) } })
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
        throw new AppError('gateway.unreachable', 502, { values: { reason: reasonOf(status, body) } })
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
