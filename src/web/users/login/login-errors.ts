import { errorTexts } from '#shared/text/text.ts'
import { ApiError, NetworkError } from '#web/platform/api/api.ts'
import { networkFailure } from '#web/platform/api/api-error.ts'

const byStatus: Record<number, string> = {
  401: errorTexts['auth.invalid_credentials'],
  403: errorTexts['auth.blocked'],
  423: errorTexts['auth.locked'],
}

/** The message for a failed login: the server's, otherwise by status. @see specification §8 Login */
export function loginErrorText(error: unknown): string {
  if (error instanceof NetworkError) return networkFailure
  if (error instanceof ApiError)
    return error.userMessage ?? byStatus[error.status] ?? errorTexts['auth.invalid_credentials']
  return networkFailure
}
