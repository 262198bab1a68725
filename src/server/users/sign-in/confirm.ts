import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { type Judged, takeCode, takeTotpCode } from '#server/users/second-factor/codes.ts'
import { markConfirmed } from '#server/users/second-factor/queries.ts'
import { isPassword, PasswordsBusy } from './passwords.ts'
import { countDown, countUp } from './attempts.ts'
import { findUser, type UserRow } from './queries.ts'

/** What somebody typed; `anyCode` may also be a recovery code. */
export type Given = { password: string } | { code: string } | { anyCode: string }

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
 * session.
 * @returns false when it is wrong
 * @throws as `checkIdentity`
 */
export async function confirmIdentity(
  database: Database,
  secrets: Secrets,
  who: Who,
  given: Given,
): Promise<boolean> {
  if (!(await checkIdentity(database, secrets, who, given))) return false
  await inTransaction(database, async (db) => {
    await markConfirmed(db, who.sessionId)
    await record(db, who, { action: 'auth.confirm', resourceId: who.id, details: { by: kindOf(given) } })
  })
  return true
}

/**
 * The same for one call alone. Each guess is counted before it is compared, so that parallel ones share the
 * limit; the login is never locked by them. A wrong one is recorded.
 * @throws AppError 429 after too many wrong ones, or when too many passwords are being compared
 */
export async function checkIdentity(
  database: Database,
  secrets: Secrets,
  who: Who,
  given: Given,
): Promise<boolean> {
  const user = await findUser(database, who.id)
  if (!user) throw new AppError('auth.required')
  const kind = kindOf(given)
  const { most, windowMinutes } = limits[kind]
  const key = `confirm-${kind}:${who.id}`
  if ((await countUp(database, key, windowMinutes)) > most) {
    await countDown(database, key)
    throw new AppError('auth.too_many_attempts', { retryAfterSeconds: 60 })
  }
  const judged = await compare(database, secrets, user, given).catch(async (error: unknown) => {
    // Nothing was compared, so it was no guess.
    if (error instanceof PasswordsBusy) await countDown(database, key)
    throw error
  })
  // One that was just used is no guess, and confirms nothing.
  if (judged !== 'wrong') await countDown(database, key)
  if (judged === 'right') return true
  await inTransaction(database, (db) =>
    record(db, who, {
      action: 'auth.confirm_failed',
      resourceId: who.id,
      outcome: 'refused',
      details: { by: kind },
    }),
  )
  return false
}

const kindOf = (given: Given) => ('password' in given ? 'password' : 'code')

/** @throws PasswordsBusy */
async function compare(database: Database, secrets: Secrets, user: UserRow, given: Given): Promise<Judged> {
  if ('anyCode' in given) return takeCode(database, secrets, user, given.anyCode)
  if ('code' in given) return takeTotpCode(database, secrets, user, given.code.replace(/\s/g, ''))
  return (await isPassword(user.passwordHash, given.password)) ? 'right' : 'wrong'
}
