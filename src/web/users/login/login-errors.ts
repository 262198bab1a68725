import { loginTexts } from '#shared/text/text.ts'
import { ApiError, NetworkError } from '#web/platform/api/api.ts'
import { networkFailure } from '#web/platform/api/api-error.ts'

const byStatus: Record<number, string> = {
  401: loginTexts['auth.invalid_credentials'],
  403: loginTexts['auth.blocked'],
  423: loginTexts['auth.locked'],
}

/** The message for a failed login: the server's, otherwise by status. @see specification §8 Login */
export function loginErrorText(error: unknown): string {
  if (error instanceof NetworkError) return networkFailure
  if (error instanceof ApiError)
    return error.userMessage ?? byStatus[error.status] ?? loginTexts['auth.invalid_credentials']
  return networkFailure
}
