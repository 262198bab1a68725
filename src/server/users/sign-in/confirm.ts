import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { takeTotpCode } from '#server/users/second-factor/codes.ts'
import { markConfirmed } from '#server/users/second-factor/queries.ts'
import { isPassword, PasswordsBusy } from './passwords.ts'
import { countDown, countUp, findUser, type UserRow } from './queries.ts'

export type Given = { password: string } | { code: string }

/**
 * What a stolen session may guess: five passwords in 15 minutes, and ten codes a day, of which three of a
 * million are right at a time.
 */
const limits = {
  password: { most: 5, windowMinutes: 15 },
  code: { most: 10, windowMinutes: 24 * 60 },
} as const

/**
 * Checks the password, or a code of the application, of somebody who is signed in, and remembers it for the
 * session. Each guess is counted before it is compared, so that parallel ones share the limit; the login is
 * never locked by them.
 * @returns false when it is wrong
 * @throws AppError 429 after too many wrong ones, or when too many passwords are being compared
 */
export async function confirmIdentity(
  database: Database,
  secrets: Secrets,
  who: Who,
  given: Given,
): Promise<boolean> {
  const user = await findUser(database, who.id)
  if (!user) throw new AppError('auth.required')
  const kind = 'password' in given ? 'password' : 'code'
  const { most, windowMinutes } = limits[kind]
  const key = `confirm-${kind}:${who.id}`
  if ((await countUp(database, key, windowMinutes)) > most) {
    await countDown(database, key)
    throw new AppError('auth.too_many_attempts', { retryAfterSeconds: 60 })
  }
  const isRight = await compare(database, secrets, user, given).catch(async (error: unknown) => {
    // Nothing was compared, so it was no guess.
    if (error instanceof PasswordsBusy) await countDown(database, key)
    throw error
  })
  if (isRight) await countDown(database, key)
  await inTransaction(database, async (db) => {
    if (isRight) await markConfirmed(db, who.sessionId)
    await record(db, who, {
      action: isRight ? 'auth.confirm' : 'auth.confirm_failed',
      resourceId: who.id,
      outcome: isRight ? 'done' : 'refused',
      details: { by: kind },
    })
  })
  return isRight
}

/** @throws PasswordsBusy */
function compare(database: Database, secrets: Secrets, user: UserRow, given: Given): Promise<boolean> {
  return 'code' in given
    ? takeTotpCode(database, secrets, user, given.code.replace(/\s/g, ''))
    : isPassword(user.passwordHash, given.password)
}
