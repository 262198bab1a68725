import type { DetailsOf } from '#shared/audit/audit-actions.ts'
import type { LoginForm } from '#shared/users/users.ts'
import { record, recordRepeated } from '#server/audit/audit.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import { guesserAddress } from '#server/platform/http/source/guesser-address.ts'
import type { RequestSource } from '#server/platform/http/source/request-source.ts'

type Failure = DetailsOf<'auth.login_failed'>

const failureOf = (form: LoginForm, details: Failure, userId: number | undefined) =>
  ({
    action: 'auth.login_failed',
    outcome: 'refused',
    resourceId: userId,
    details,
    personal: isPasswordTyped(form) ? {} : { typed: form.username.toWellFormed() },
  }) as const

/** Whoever slips by a field types the password as the name, which must not be kept. */
function isPasswordTyped({ username, password }: LoginForm): boolean {
  const [name, secret] = [username.toLowerCase(), password.trim().toLowerCase()]
  return name === secret || (secret.length >= 6 && name.includes(secret))
}

/** Records a refused attempt in the audit log. */
export function recordFailure(
  db: Db,
  form: LoginForm,
  source: RequestSource,
  details: Failure,
  userId?: number,
) {
  return record(db, { source }, failureOf(form, details, userId))
}

/**
 * The same without a comparison, which takes time, so that attempts may be many: those of one address share a
 * row.
 */
export function recordUncompared(
  database: Database,
  form: LoginForm,
  source: RequestSource,
  details: Failure,
  userId?: number,
) {
  const key = JSON.stringify([guesserAddress(source.address ?? ''), details.reason, userId])
  return recordRepeated(database, { source }, failureOf(form, details, userId), key)
}
