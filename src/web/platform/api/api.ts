import type * as z from 'zod/mini'
import type { Endpoint, Schema } from '#shared/endpoint.ts'
import { getMe, login } from '#shared/users/users.ts'
import { ApiError, NetworkError } from './api-error.ts'
import { createEmitter } from '#web/platform/emitter.ts'
import { storedToken } from './token.ts'

export { ApiError, isDeclined, NetworkError, reasonOf } from './api-error.ts'

/** Values allowed in a URL: the schema's input, or its output (an id as a number). */
type Written<S extends Schema> = {
  [Key in keyof z.input<S>]: z.input<S>[Key] | z.output<S>[Key & keyof z.output<S>]
}
type Part<Name extends string, S extends Schema, Value> = S extends z.ZodMiniUndefined
  ? { [Key in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }

/** The parts this call takes, each typed by its contract. */
export type CallOptions<P extends Schema, Q extends Schema, B extends Schema> = Part<
  'params',
  P,
  Written<P>
> &
  Part<'query', Q, Written<Q>> &
  Part<'body', B, z.input<B>> & {
    signal?: AbortSignal
    /** Completes even when the page is closed meanwhile; the body must be short. */
    keepalive?: boolean
  }

export type Reply<R extends Schema> = R extends z.ZodMiniUndefined ? undefined : z.output<R>

let isEnded = false
let onUnauthorized: () => void = () => undefined
const beginnings = createEmitter<void>()

/**
 * Sets the handler for a lost session: after any 401 except the login's, and when the live link is closed for
 * that reason.
 */
export function onSessionEnded(handler: () => void): void {
  onUnauthorized = handler
}

let askToConfirm: () => Promise<boolean> = () => Promise.resolve(false)

/**
 * Sets how the user is asked for the password again; it resolves with false when they do not want to. A call
 * that the server refused for this reason waits, and is then repeated.
 */
export function onConfirmationNeeded(ask: () => Promise<boolean>): void {
  askToConfirm = ask
}

/** The session is over, or its user unknown: calls wait until `sessionBegan`. */
export function holdCalls(): void {
  isEnded = true
}

/** The session is over: calls wait, and the handler of `onSessionEnded` runs. */
export function sessionEnded(): void {
  isEnded = true
  answers.clear()
  onUnauthorized()
}

/** The same user has signed in again, or any user for the first time: waiting calls are sent. */
export function sessionBegan(): void {
  isEnded = false
  beginnings.emit()
}

/**
 * Makes one API call, with cookies and the stored token.
 *
 * A call refused with 401 has had no effect: it waits for the next login of the same user and is then
 * repeated, so that no screen fails below the login. Only the login and the identity call get the error.
 *
 * @throws ApiError for every response that is not a success, NetworkError without a whole response in time
 * @see specification §7, decisions §2 'a 401 yields an empty result'
 */
export async function call<
  P extends Schema = z.ZodMiniUndefined,
  Q extends Schema = z.ZodMiniUndefined,
  B extends Schema = z.ZodMiniUndefined,
  R extends Schema = z.ZodMiniUndefined,
>(
  endpoint: Endpoint<P, Q, B, R>,
  ...[options]: Record<never, never> extends CallOptions<P, Q, B>
    ? [options?: CallOptions<P, Q, B>]
    : [options: CallOptions<P, Q, B>]
): Promise<Reply<R>> {
  const { params, query, body, signal, keepalive = false } = (options ?? {}) as LooseOptions
  const address = fillAddress(endpoint.path, params, query)
  return exchange(endpoint, address, signal, (token, known) =>
    fetch(address, {
      method: endpoint.method,
      credentials: 'same-origin',
      headers: { ...headersOf(token, body), ...(known && { 'if-none-match': known.etag }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      keepalive,
    }),
  )
}

/**
 * Makes a call whose body is a form with a file, and reports upload progress.
 * @param onProgress called with 0 to 1
 * @throws as `call`
 */
export async function upload<R extends Schema>(
  endpoint: Endpoint<z.ZodMiniUndefined, z.ZodMiniUndefined, z.ZodMiniUndefined, R>,
  form: FormData,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (part: number) => void },
): Promise<Reply<R>> {
  return exchange(endpoint, endpoint.path, signal, (token) =>
    sendForm(endpoint, { form, headers: headersOf(token, undefined), signal, onProgress }),
  )
}

/** Makes a call whose body is a form with one file alone. @throws as `call` */
export function uploadFile<R extends Schema>(
  endpoint: Parameters<typeof upload<R>>[0],
  file: File,
): Promise<Reply<R>> {
  const form = new FormData()
  form.set('file', file)
  return upload(endpoint, form, { signal: new AbortController().signal, onProgress: () => undefined })
}

/**
 * Makes a call that returns a file.
 * @throws as `call`
 */
export async function callForFile<P extends Schema>(
  endpoint: Endpoint<P>,
  { params }: { params: Written<P> },
): Promise<Blob> {
  const address = fillAddress(endpoint.path, params as Loose)
  const ask = (token: string | null) =>
    fetch(address, { credentials: 'same-origin', headers: { ...headersOf(token, undefined), accept: '*/*' } })
  return exchange(endpoint, address, undefined, ask, (response) => response.blob())
}

/** Repeats the call until the response belongs to a valid session. */
async function exchange<Value>(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  address: string,
  signal: AbortSignal | undefined,
  ask: (token: string | null, known: KnownAnswer | undefined) => Promise<Response>,
  read: (response: Response, address: string) => Promise<unknown> = valueOf,
): Promise<Value> {
  const isLogin = endpoint.path === login.path
  const waits = !isLogin && endpoint.path !== getMe.path
  try {
    for (;;) {
      if (waits && isEnded) await nextSession(signal)
      const token = isLogin ? null : storedToken()
      const known = endpoint.method === 'GET' ? answers.get(address) : undefined
      const response = await ask(token, known)
      if (response.status === 304 && known) return known.value as Value
      if (response.ok) return (await read(response, address)) as Value
      if (response.status === 401 && !isLogin) {
        // A response to a token replaced by a login meanwhile says nothing about the new session.
        if (token === storedToken()) sessionEnded()
        if (waits) continue
      }
      const error = new ApiError(response.status, response.statusText, await response.text())
      if (error.code === 'auth.reauthenticate' && (await askToConfirm())) continue
      throw error
    }
  } catch (error) {
    const isGivenUp = signal?.aborted && (signal.reason as Error).name !== 'TimeoutError'
    if (error instanceof ApiError || isGivenUp) throw error
    // What browsers say of no answer, a late one, or one that broke off is nothing for users.
    throw new NetworkError(error)
  }
}

interface KnownAnswer {
  etag: string
  value: unknown
}

/**
 * Responses with an ETag, by URL, for conditional requests. Not in the browser's own cache, which may write
 * to disk.
 */
const answers = new Map<string, KnownAnswer>()
const maxAnswers = 20

async function valueOf(response: Response, address: string): Promise<unknown> {
  if (response.status === 204) return undefined
  const value: unknown = await response.json()
  const etag = response.headers.get('etag')
  answers.delete(address)
  if (etag !== null) answers.set(address, { etag, value })
  const [oldest] = answers.keys()
  if (oldest !== undefined && answers.size > maxAnswers) answers.delete(oldest)
  return value
}

type Loose = Record<string, string | number | boolean | undefined>

interface LooseOptions {
  params?: Loose
  query?: Loose
  body?: unknown
  signal?: AbortSignal
  keepalive?: boolean
}

function nextSession(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => () => {
      stop()
      signal?.removeEventListener('abort', abort)
      then()
    }
    const abort = settle(() => reject(signal?.reason as Error))
    const stop = beginnings.on(settle(resolve))
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
  })
}

function headersOf(token: string | null, body: unknown): Record<string, string> {
  return {
    accept: 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
}

function fillAddress(path: string, params: Loose = {}, query: Loose = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value))
  return asked.size > 0 ? `${filled}?${asked}` : filled
}

/** Uses XMLHttpRequest, since `fetch` does not report upload progress. */
function sendForm(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  {
    form,
    headers,
    signal,
    onProgress,
  }: {
    form: FormData
    headers: Record<string, string>
    signal: AbortSignal
    onProgress: (part: number) => void
  },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request
      resolve(new Response(responseText, { status, statusText }))
    })
    request.addEventListener('error', reject)
    const abort = () => {
      request.abort()
      reject(signal.reason as Error)
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    return request.send(form)
  })
}
