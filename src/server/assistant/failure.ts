import { AppError } from '#shared/errors.ts'
import { assistantTexts } from '#shared/text/assistant-texts.ts'
import type { Secrets } from '#server/platform/secrets.ts'

/**
 * A server of the AI gave no answer that can be used. The message is for administrators and the log: it has
 * neither the key nor anything that was asked or answered.
 */
export class AssistantFailure extends Error {
  override readonly name = 'AssistantFailure'
  readonly kind: FailureKind

  constructor(message: string, kind: FailureKind = 'refused') {
    super(message)
    this.kind = kind
  }
}

/** Nobody answered, which may pass; an answer that is none of the contract; a refusal, which stays. */
type FailureKind = 'unreachable' | 'bad_answer' | 'refused'

/** A stored key in clear text. @throws AssistantFailure when it was encrypted with another SECRET_KEY */
export function openKey(secrets: Secrets, sealed: string): string {
  try {
    return secrets.decrypt(sealed)
  } catch {
    throw new AssistantFailure(assistantTexts.keyUnreadable)
  }
}

export const badAnswer = () => new AssistantFailure(assistantTexts.badAnswer, 'bad_answer')

/** @throws AssistantFailure for a status that is no success */
export function expectSuccess(status: number): void {
  if (status >= 200 && status < 300) return
  const { keyRefused, notFound, refused } = assistantTexts
  if (status === 401 || status === 403) throw new AssistantFailure(keyRefused)
  if (status === 404) throw new AssistantFailure(notFound)
  // Too much at once, or a fault of its own: that may pass.
  const mayPass = status >= 500 || status === 408 || status === 425 || status === 429
  throw new AssistantFailure(refused.replace('{status}', String(status)), mayPass ? 'unreachable' : 'refused')
}

/**
 * What a failed exchange is to the caller: a refused address stays an AppError, everything else becomes an
 * AssistantFailure, because errors of the connection may quote what was sent.
 */
export function failureOf(error: unknown): AppError | AssistantFailure {
  if (error instanceof AssistantFailure) return error
  if (error instanceof AppError) return ofServer(error)
  const {
    name = '',
    code = '',
    message = '',
    cause,
  } = (error ?? {}) as {
    name?: string
    code?: string
    message?: string
    cause?: unknown
  }
  // The guard's refusal of a name that leads to a refused address comes as the cause of the connection's.
  if (cause instanceof AppError) return ofServer(cause)
  if (message === 'answer too large') return new AssistantFailure(assistantTexts.tooLarge, 'bad_answer')
  const isSlow = name === 'TimeoutError' || /TIMEOUT/.test(code)
  return new AssistantFailure(isSlow ? assistantTexts.tooSlow : assistantTexts.unreachable, 'unreachable')
}

/** The guard speaks of the gateway, for which it was made. */
function ofServer(error: AppError): AppError {
  if (error.code !== 'gateway.address_refused') return error
  return new AppError(error.code, { text: assistantTexts.addressRefused })
}
