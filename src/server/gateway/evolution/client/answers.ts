import { AppError } from '#shared/errors.ts'
import type { FailureReason, Hindrance } from '#shared/text/text.ts'
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
  /** Nothing was sent, and it may be tried again once what hinders the gateway is over. */
  | { kind: 'not_sent'; detail: string; hindrance?: Hindrance | undefined }
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

/** A gateway since release 2.4 refuses everything until its license is activated. */
export const isUnlicensed = ({ status, body }: { status: number; body?: unknown }): boolean =>
  status === 503 && field(body, 'code') === 'LICENSE_REQUIRED'

/**
 * Why nothing that was asked has left the gateway, as far as an answer to any call proves that: it is given
 * before the gateway does anything. A proxy's 502, 503 and 504 prove nothing.
 */
function hindranceOf({ status, body }: { status: number; body: unknown }): Hindrance | undefined {
  if (status === 401 || status === 403) return 'key'
  if (status === 429) return 'busy'
  if (isUnlicensed({ status, body })) return 'license'
  const reason = reasonOf(status, body)
  if (status === 404 && reason.includes('instance does not exist')) return 'no_instance'
  return neverLeft.has(reason) ? 'socket' : undefined
}

/** Whether an answer is a reason to ask for the state of the connection. */
export const tellsOfState = (answer: { status: number; body: unknown }): boolean => {
  if (answer.status >= 500 || isSocketClosed(answer)) return true
  const hindrance = hindranceOf(answer)
  return hindrance !== undefined && hindrance !== 'busy'
}

/**
 * Definitive refusals are a number without WhatsApp and a body that is too large. Any other pattern is
 * ambiguous, unless the gateway is hindered: gateways answer 400 and 500 for messages that arrived.
 * @param hasFile whether the message is a file, which may be what is too large
 * @see reliability F-06
 */
export function judgeSend(status: number, body: unknown, hasFile = false): SendResult {
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
  if (status === 413) return { kind: 'refused', reason: hasFile ? 'too_large' : 'text_too_large', detail }
  if (status === 400 && isNotOnWhatsApp(field(body, 'response')))
    return { kind: 'refused', reason: 'not_on_whatsapp', detail }
  const hindrance = hindranceOf({ status, body })
  if (hindrance) return { kind: 'not_sent', detail, hindrance }
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
    ? { kind: 'not_sent', detail: code, hindrance: 'silent' }
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
  /** Nothing has changed, since the gateway was hindered. */
  | { kind: 'not_changed'; detail: string; hindrance: Hindrance }
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
    const hindrance = isSocketClosed({ status, body }) ? 'socket' : hindranceOf({ status, body })
    if (hindrance) return { kind: 'not_changed', detail, hindrance }
    return { kind: isRefusal(status, body, detail) ? 'refused' : 'unconfirmed', detail }
  } catch (error) {
    if (error instanceof AppError) return { kind: 'unconfirmed', detail: error.code }
    const detail = errorCode(error)
    return neverConnected.has(detail)
      ? { kind: 'not_changed', detail, hindrance: 'silent' }
      : { kind: 'unconfirmed', detail }
  }
}

/** Whether the gateway itself, and not a proxy before it, refuses a change for good. */
function isRefusal(status: number, body: unknown, detail: string): boolean {
  if (status === 413) return true
  if (status < 400 || status >= 500 || field(body, 'response') === undefined) return false
  return (status !== 400 && status !== 404) || neverChanges.test(detail)
}
