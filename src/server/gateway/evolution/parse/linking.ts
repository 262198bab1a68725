import type { ClosedReason } from '#shared/gateway/gateway-link.ts'
import { cut, field, integer, text } from './values.ts'

// How the gateway reports the linking of a number to a phone: in the answers of its calls, and in webhooks.

/** A code that links a phone. */
export interface LinkCode {
  /** Of the QR code. */
  text: string
  pairingCode: string | null
}

/** Of either a webhook's `data.qrcode` or the answer to a call; undefined while there is no code yet. */
export function linkCodeIn(value: unknown): LinkCode | undefined {
  const code = text(field(value, 'code'))
  if (code === undefined || code === '') return undefined
  const pairingCode = text(field(value, 'pairingCode'))
  return { text: cut(code, 1000), pairingCode: pairingCode ? cut(pairingCode, 20) : null }
}

/** What 'qrcode.updated' says: a code, or that nobody has scanned any; undefined for something else. */
export function codeUpdateIn(data: unknown): LinkCode | 'given up' | undefined {
  const code = linkCodeIn(field(data, 'qrcode'))
  if (code) return code
  return integer(field(data, 'statusCode')) === 500 ? 'given up' : undefined
}

/** WhatsApp's codes for the end of a session, as far as they tell something. */
const reasons: Readonly<Record<number, ClosedReason>> = {
  401: 'phone',
  402: 'banned',
  403: 'banned',
  406: 'phone',
  // Only release 2.4 ends a session with it: others connect again, and report it with 'connecting'.
  408: 'timed_out',
  440: 'replaced',
}

export const closedReasonOf = (code: unknown): ClosedReason | undefined => reasons[integer(code) ?? 0]
