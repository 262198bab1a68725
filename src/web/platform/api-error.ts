import { errorBody } from '#shared/errors.ts'

/** Said when no answer came at all. @see specification §8 Network failure */
export const networkFailure = 'Erro de conexão. Verifique sua internet e tente novamente.'

/**
 * An answer that is not a success. `message` is the server's sentence for people;
 * `String(error)` is `'{status}: {body}'`, with the status text for an empty body.
 * @see specification §8
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The server's stable code, for programs; undefined when something else answered. */
  readonly code: string | undefined
  /** On 400: the field that was refused and why. */
  readonly fields: Readonly<Record<string, string>>
  /** As it came; the status text for an empty one. */
  readonly body: string

  constructor(status: number, statusText: string, body: string) {
    const said = parseBody(body)
    super(said?.message ?? (statusText || `HTTP ${status}`))
    this.status = status
    this.code = said?.code
    this.fields = said?.fields ?? {}
    this.body = body || statusText
  }

  /** What the server said to people; undefined when it said nothing that we understand. */
  get said(): string | undefined {
    return this.code === undefined ? undefined : this.message
  }

  override toString(): string {
    return `${this.status}: ${this.body}`
  }
}

/** No answer: the network, the name or the server itself is away. */
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
    // A proxy answers in HTML.
    return undefined
  }
}
