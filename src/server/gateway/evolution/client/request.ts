import type { OutgoingCall, OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { readRefusal, reasonOf, tellsOfState } from './answers.ts'
import { UnreadFile } from './file-json.ts'

/** One number at a gateway. Its key is in clear text: keep it only for the duration of a call. */
export interface Instance {
  baseUrl: string
  instanceName: string
  apiKey: string
}

/** Timeouts, in milliseconds. */
export interface GatewayTimes {
  sendMs: number
  mediaMs: number
  /** For an edit or a deletion: a person waits for it. */
  changeMs: number
}

/** What every call of the client works with. */
export interface ClientContext {
  http: OutgoingHttp
  times: GatewayTimes
  /**
   * Called when a call finds the gateway, or the gateway's connection to WhatsApp, away, or is answered by
   * what says so: the state of the connection is to be asked for.
   */
  onAway?: (() => void) | undefined
}

export interface GatewayCall {
  /** POST when absent. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Such as `/message/sendText`; the instance's name is appended. */
  endpoint: string
  /** For an endpoint of the whole gateway: the instance's name is not appended. */
  isGlobal?: boolean
  /** With its '?'. */
  query?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent instead of `body`. */
  streamed?: OutgoingCall['streamed']
  timeoutMs?: number
}

export const defaultTimeoutMs = 10_000
export const oneMegabyte = 1_048_576

export type Caller = Pick<ClientContext, 'http' | 'onAway'>

/** Calls the gateway and reads its answer of at most `maxBytes`. @throws as `OutgoingHttp.fetchJson` */
export async function request(
  { http, onAway }: Caller,
  instance: Instance,
  { maxBytes = oneMegabyte, ...call }: GatewayCall & { maxBytes?: number },
): ReturnType<OutgoingHttp['fetchJson']> {
  try {
    const answer = await http.fetchJson({ ...outgoingCall(instance, call), maxBytes })
    if (tellsOfState(answer)) onAway?.()
    return answer
  } catch (error) {
    if (!(error instanceof UnreadFile)) onAway?.()
    throw error
  }
}

/**
 * Calls the gateway and leaves reading the answer to the caller, unless it is a refusal.
 * @throws as `OutgoingHttp.fetchStream`
 */
export async function requestStream(
  { http, onAway }: Caller,
  instance: Instance,
  call: GatewayCall,
): Promise<{ bytes: AsyncIterable<Buffer>; reason?: never } | { bytes?: never; reason: string }> {
  try {
    const { status, body: bytes } = await http.fetchStream(outgoingCall(instance, call))
    if (status < 400) return { bytes }
    const body = await readRefusal(bytes)
    if (tellsOfState({ status, body })) onAway?.()
    return { reason: reasonOf(status, body) }
  } catch (error) {
    onAway?.()
    throw error
  }
}

function outgoingCall(
  { baseUrl, instanceName, apiKey }: Instance,
  {
    method = 'POST',
    endpoint,
    isGlobal,
    query = '',
    body,
    streamed,
    timeoutMs = defaultTimeoutMs,
  }: GatewayCall,
): Omit<OutgoingCall, 'maxBytes'> {
  const path = isGlobal ? endpoint : `${endpoint}/${encodeURIComponent(instanceName)}`
  return {
    method,
    url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}${query}`,
    headers: { apikey: apiKey },
    ...(body !== undefined && { body }),
    ...(streamed && { streamed }),
    timeoutMs,
  }
}
