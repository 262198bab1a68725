import { errorBody } from '#shared/error-body.ts'

/** Shown when no response arrived. @see specification §8 Network failure */
export const networkFailure = 'Erro de conexão. Verifique sua internet e tente novamente.'

/** What is said of a response without a sentence for users. @see specification §8 */
const withoutMessage = 'Tente novamente'

/**
 * A response that is not a success. `message` is the server's sentence for users; `String(error)` is
 * `'{status}: {body}'`, with the status text for an empty body.
 * @see specification §8
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The server's stable error code; undefined when something else answered. */
  readonly code: string | undefined
  /** On 400: the rejected field and the reason. */
  readonly fields: Readonly<Record<string, string>>
  /** The raw body; the status text for an empty one. */
  readonly body: string

  constructor(status: number, statusText: string, body: string) {
    const parsed = parseBody(body)
    super(parsed?.message ?? withoutMessage)
    this.status = status
    this.code = parsed?.code
    this.fields = parsed?.fields ?? {}
    this.body = body || statusText
  }

  /** The server's message for users, if the response has one. */
  get userMessage(): string | undefined {
    return this.code === undefined ? undefined : this.message
  }

  override toString(): string {
    return `${this.status}: ${this.body}`
  }
}

/** Whether the server refused (4xx), so that repeating the call is useless. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** No response, or none in time: the network, DNS or the server itself is down. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  constructor(cause: unknown) {
    super(networkFailure, { cause })
  }
}

function parseBody(body: string) {
  try {
    return errorBody.safeParse(JSON.parse(body)).data
  } catch {
    // Proxies answer in HTML.
    return undefined
  }
}

/** Why a call has failed, for users: the server's sentence, that the network is away, or neither is known. */
export function reasonOf(error: unknown): string {
  if (error instanceof NetworkError) return networkFailure
  return (error instanceof ApiError && error.userMessage) || 'Erro desconhecido'
}

/** Whether the user did not want to give the password again, of which nothing needs to be said. */
export const isDeclined = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'auth.reauthenticate'
