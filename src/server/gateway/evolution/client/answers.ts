import { AppError } from '#shared/errors.ts'
import type { FailureReason } from '#shared/text/text.ts'
import { bag, errorCode, field, text, timeMs } from '#server/gateway/evolution/parse/values.ts'
import { UnreadFile } from './file-json.ts'

/** What the answer to a send proves. Only a proven refusal is 'refused'; everything else is 'unknown'. */
export type SendResult =
  | {
      kind: 'sent'
      waId: string
      /** The address of the chat, as the gateway gives it. */
      jid: string | undefined
      /** When WhatsApp had it, by its own clock. */
      acceptedAt: Date | undefined
    }
  | { kind: 'refused'; reason: FailureReason; detail: string }
  /** Nothing was sent: the gateway was not reached, or it has no connection to WhatsApp. */
  | { kind: 'not_sent'; detail: string }
  | {
      kind: 'unknown'
      detail: string
      /**
       * Whether the gateway's record would contain the message. False for an error of which Evolution records
       * nothing, sent or not.
       */
      isRecorded: boolean
    }

/** Reads the body of a refusal, up to 64 KiB. Undefined when it is not JSON. */
export async function readRefusal(body: AsyncIterable<Buffer>): Promise<unknown> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    pieces.push(piece)
    size += piece.length
    if (size > 65_536) break
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

/**
 * The answers to a send without a connection to WhatsApp, thrown before anything leaves: at the send to a
 * number that the gateway knows, at the lookup of any other, at the upload of a file, which precedes its
 * send, and before the number was ever connected.
 */
const neverLeft = new Set([
  '400 Error: Connection Closed',
  '500 Connection Closed',
  '500 Error: Connection Closed',
  "400 TypeError: Cannot read properties of undefined (reading 'sendMessage')",
  "500 TypeError: Cannot read properties of undefined (reading 'waUploadToServer')",
])

/** Whether an answer to any call says that the gateway has no connection to WhatsApp. */
export function isSocketClosed({ status, body }: { status: number; body: unknown }): boolean {
  if (status < 400) return false
  const reason = reasonOf(status, body)
  return neverLeft.has(reason) || reason.includes('Connection Closed')
}

/**
 * Definitive refusals are a number without WhatsApp, a refused key and a body that is too large. Any other
 * pattern is ambiguous: gateways answer 400 and 500 for messages that arrived.
 * @see reliability F-06
 */
export function judgeSend(status: number, body: unknown): SendResult {
  if (status >= 200 && status < 300) {
    const key = field(body, 'key')
    const waId = text(field(key, 'id'))
    const jid = text(field(key, 'remoteJid'))
    const sentAtMs = timeMs(field(body, 'messageTimestamp'), 1000)
    return waId
      ? { kind: 'sent', waId, jid, acceptedAt: sentAtMs > 0 ? new Date(sentAtMs) : undefined }
      : { kind: 'unknown', detail: `${status} without an id`, isRecorded: true }
  }
  const detail = reasonOf(status, body)
  if (status === 401 || status === 403) return { kind: 'refused', reason: 'gateway_refused_key', detail }
  if (status === 413) return { kind: 'refused', reason: 'too_large', detail }
  if (status === 400 && isNotOnWhatsApp(field(body, 'response')))
    return { kind: 'refused', reason: 'not_on_whatsapp', detail }
  if (neverLeft.has(detail)) return { kind: 'not_sent', detail }
  // With any other 400 the gateway reports that its socket failed during a send, as 'Timed Out'. The message
  // may have arrived, and is not in the record.
  return { kind: 'unknown', detail, isRecorded: status !== 400 }
}

const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function judgeFailure(error: unknown): SendResult {
  if (error instanceof AppError) return { kind: 'not_sent', detail: error.code }
  if (error instanceof UnreadFile) {
    const detail = error.message
    return error.isDamaged
      ? { kind: 'refused', reason: 'file_missing', detail }
      : { kind: 'not_sent', detail }
  }
  const code = errorCode(error)
  return neverConnected.has(code)
    ? { kind: 'not_sent', detail: code }
    : { kind: 'unknown', detail: code, isRecorded: true }
}

function isNotOnWhatsApp(response: unknown): boolean {
  const messages = field(response, 'message')
  return Array.isArray(messages) && messages.some((one) => field(one, 'exists') === false)
}

/** The gateway's reason, collected from whichever shape it uses; at most 300 characters. */
export function reasonOf(status: number, body: unknown): string {
  const words: string[] = []
  const collect = (value: unknown, depth: number) => {
    if (depth > 5 || words.length > 5) return
    if (typeof value === 'string') words.push(value)
    else if (Array.isArray(value)) value.forEach((one) => collect(one, depth + 1))
    else if (typeof value === 'object' && value !== null) collect(bag(value)['message'], depth + 1)
  }
  collect(field(body, 'response') ?? body, 0)
  return `${status} ${words.join('; ')}`.trim().slice(0, 300)
}

/** What the answer to a change of a sent message proves. */
export type ChangeResult =
  | {
      kind: 'done'
      /** Time of the change by the gateway's clock, in milliseconds since 1970; 0 when it gives none. */
      atMs: number
    }
  /** Nothing has changed, and a retry would not change that. */
  | { kind: 'refused'; detail: string }
  /** The result is unknown. A retry is harmless. */
  | { kind: 'unconfirmed'; detail: string }

/** The reasons for which a message never changes; any other 400 may be a failure of the gateway's socket. */
const neverChanges = /not compatible|not match|not found|too old|invalid/i

export async function judgeChange(
  ask: () => Promise<{ status: number; body: unknown }>,
): Promise<ChangeResult> {
  try {
    const { status, body } = await ask()
    if (status < 300) {
      const protocol = field(field(body, 'message'), 'protocolMessage')
      return { kind: 'done', atMs: timeMs(field(protocol, 'timestampMs')) }
    }
    const detail = reasonOf(status, body)
    const isRefused = status < 500 && (status !== 400 || neverChanges.test(detail))
    return { kind: isRefused ? 'refused' : 'unconfirmed', detail }
  } catch (error) {
    return { kind: 'unconfirmed', detail: error instanceof AppError ? error.code : errorCode(error) }
  }
}
