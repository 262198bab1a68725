import type { OutgoingCall, OutgoingHttp } from '#server/platform/http/outgoing-http.ts'

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
}

export interface GatewayCall {
  /** POST when absent. */
  method?: 'GET' | 'POST' | 'DELETE'
  /** Such as `/message/sendText`; the instance's name is appended. */
  endpoint: string
  /** For an endpoint of the whole gateway: the instance's name is not appended. */
  isGlobal?: boolean
  /** Sent as JSON. */
  body?: unknown
  /** Sent instead of `body`. */
  streamed?: OutgoingCall['streamed']
  timeoutMs?: number
}

export const defaultTimeoutMs = 10_000
export const oneMegabyte = 1_048_576

/** Calls the gateway and reads its answer of at most `maxBytes`. @throws as `OutgoingHttp.fetchJson` */
export function request(
  { http }: Pick<ClientContext, 'http'>,
  instance: Instance,
  { maxBytes = oneMegabyte, ...call }: GatewayCall & { maxBytes?: number },
): Promise<{ status: number; body: unknown }> {
  return http.fetchJson({ ...outgoingCall(instance, call), maxBytes })
}

/** Calls the gateway and leaves reading the answer to the caller. @throws as `OutgoingHttp.fetchStream` */
export function requestStream(
  { http }: Pick<ClientContext, 'http'>,
  instance: Instance,
  call: GatewayCall,
): ReturnType<OutgoingHttp['fetchStream']> {
  return http.fetchStream(outgoingCall(instance, call))
}

function outgoingCall(
  { baseUrl, instanceName, apiKey }: Instance,
  { method = 'POST', endpoint, isGlobal, body, streamed, timeoutMs = defaultTimeoutMs }: GatewayCall,
): Omit<OutgoingCall, 'maxBytes'> {
  const path = isGlobal ? endpoint : `${endpoint}/${encodeURIComponent(instanceName)}`
  return {
    method,
    url: `${baseUrl.replace(/\/+$/, '')}${path}`,
    headers: { apikey: apiKey },
    ...(body !== undefined && { body }),
    ...(streamed && { streamed }),
    timeoutMs,
  }
}
