import { AppError } from '#shared/errors.ts'
import type { Role } from '#shared/permissions.ts'
import { type Actor, record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { hashToken, randomToken, type Secrets } from '#server/platform/secrets.ts'
import { endSessionsOf, lockAccount, lockLivingUser } from '#server/users/accounts/account-queries.ts'
import { makeRecoveryCodes, takeTotpCode } from '#server/users/second-factor/codes.ts'
import {
  confirmSecret,
  countRecoveryCodes,
  isDutyOf,
  listDuties,
  removeSecondFactor,
  setDuties,
  setUnconfirmedSecret,
  trustDevice,
} from '#server/users/second-factor/queries.ts'
import { newTotpSecret, totpAddress } from '#server/users/second-factor/totp.ts'
import { checkIdentity } from '#server/users/sign-in/confirm.ts'
import { countUp } from '#server/users/sign-in/attempts.ts'
import { findUser } from '#server/users/sign-in/queries.ts'

interface Context {
  database: Database
  secrets: Secrets
}

export async function readSecondFactor(database: Database, who: Who) {
  const [user, recoveryCodesLeft, isDuty] = await Promise.all([
    findUser(database, who.id),
    countRecoveryCodes(database, who.id),
    isDutyOf(database, who.role),
  ])
  const since = user?.totpConfirmedAt ?? null
  return {
    isOn: since !== null,
    since: since?.toISOString() ?? null,
    recoveryCodesLeft,
    isDuty,
  }
}

/**
 * Stores a new secret, which counts once a code confirms it.
 * @throws AppError 409 when the second factor is on
 */
export async function beginSecondFactor({ database, secrets }: Context, who: Who) {
  if (who.hasSecondFactor) throw new AppError('second_factor.is_on')
  const secret = newTotpSecret()
  await setUnconfirmedSecret(database, who.id, secrets.encrypt(secret))
  return { secret, address: totpAddress(secret, who.username) }
}

/** Each code that is tried is one of a secret that its owner sees; the limit is for the machine's sake. */
const mostTries = { count: 20, windowMinutes: 15 }

/**
 * Switches the second factor on.
 * @returns the recovery codes, which are never shown again, and the token of a browser that is trusted
 * @throws AppError 401 a wrong code, 409 when it is on, or was not begun
 */
export async function confirmSecondFactor(
  { database, secrets }: Context,
  who: Who,
  { code, trustDevice: isTrusted }: { code: string; trustDevice?: boolean | undefined },
): Promise<{ recoveryCodes: string[]; deviceToken: string | undefined }> {
  const user = await findUser(database, who.id)
  if (user?.totpConfirmedAt) throw new AppError('second_factor.is_on')
  if (!user?.totpSecretEncrypted) throw new AppError('second_factor.is_off')
  const encrypted = user.totpSecretEncrypted
  if ((await countUp(database, `enroll:${who.id}`, mostTries.windowMinutes)) > mostTries.count)
    throw new AppError('auth.too_many_attempts', { retryAfterSeconds: 60 })
  if ((await takeTotpCode(database, secrets, user, code.replace(/\s/g, ''))) !== 'right')
    throw new AppError('auth.not_confirmed')
  const deviceToken = isTrusted ? randomToken() : undefined
  return inTransaction(database, async (db) => {
    if (!(await confirmSecret(db, who.id, encrypted))) {
      const isOn = (await findUser(db, who.id))?.totpConfirmedAt
      throw new AppError(isOn ? 'second_factor.is_on' : 'auth.not_confirmed')
    }
    const recoveryCodes = await makeRecoveryCodes(db, secrets, who.id)
    if (deviceToken) await trustDevice(db, who.id, hashToken(deviceToken))
    db.emit({ type: 'account_changed', userId: who.id })
    await record(db, who, { action: 'user.second_factor_on', resourceId: who.id })
    return { recoveryCodes, deviceToken }
  })
}

/**
 * The password alone must not end what stands beside it.
 * @throws AppError 422 for a wrong code, 429 after too many
 */
async function expectCode({ database, secrets }: Context, who: Who, code: string): Promise<void> {
  if (!(await checkIdentity(database, secrets, who, { anyCode: code })))
    throw new AppError('auth.not_confirmed')
}

/**
 * @param code of the application, or a recovery code
 * @throws AppError 409 when it is off, or a duty of the role; 422, 429 as for any code
 */
export async function switchSecondFactorOff(context: Context, who: Who, code: string): Promise<void> {
  const { database } = context
  if (!who.hasSecondFactor) throw new AppError('second_factor.is_off')
  if (await isDutyOf(database, who.role)) throw new AppError('second_factor.is_duty')
  await expectCode(context, who, code)
  await inTransaction(database, async (db) => {
    if (await isDutyOf(db, who.role)) throw new AppError('second_factor.is_duty')
    if (!(await removeSecondFactor(db, who.id))) throw new AppError('second_factor.is_off')
    db.emit({ type: 'account_changed', userId: who.id })
    await record(db, who, { action: 'user.second_factor_off', resourceId: who.id })
  })
}

/**
 * @param code of the application, or one of the old recovery codes
 * @returns the new recovery codes
 * @throws AppError 409 when the second factor is off; 422, 429 as for any code
 */
export async function renewRecoveryCodes(context: Context, who: Who, code: string): Promise<string[]> {
  const { database, secrets } = context
  if (!who.hasSecondFactor) throw new AppError('second_factor.is_off')
  await expectCode(context, who, code)
  return inTransaction(database, async (db) => {
    await record(db, who, { action: 'user.recovery_codes', resourceId: who.id })
    return makeRecoveryCodes(db, secrets, who.id)
  })
}

/**
 * Switches the second factor of somebody off who has lost the telephone and the codes, and ends their
 * sessions. One's own is switched off with a code.
 * @throws AppError 404, 409 when it is off, or one's own
 */
export async function resetSecondFactor({ database }: Context, who: Who, id: number): Promise<void> {
  if (id === who.id) throw new AppError('second_factor.own')
  await inTransaction(database, async (db) => {
    if (!(await lockAccount(db, id))) throw new AppError('users.not_found')
    await confirmRights(who, db)
    if (!(await removeSecondFactor(db, id))) throw new AppError('second_factor.is_off')
    await endSessionsOf(db, id)
    db.emit({ type: 'session_ended', userId: id })
    db.emit({ type: 'account_changed', userId: id })
    await record(db, who, { action: 'user.second_factor_reset', resourceId: id })
  })
}

/**
 * The same from the machine itself, when no administrator can sign in.
 * @returns false when it is off, undefined when no user has that name
 */
export function resetSecondFactorOf(
  database: Database,
  username: string,
  by: Actor,
): Promise<boolean | undefined> {
  return inTransaction(database, async (db) => {
    const user = await lockLivingUser(db, username)
    if (!user) return undefined
    if (!(await removeSecondFactor(db, user.id))) return false
    await endSessionsOf(db, user.id)
    db.emit({ type: 'session_ended', userId: user.id })
    await record(db, by, { action: 'user.second_factor_reset', resourceId: user.id })
    return true
  })
}

/** The roles that must have a second factor, from their next sign-in on. */
export async function changeDuties({ database }: Context, who: Who, roles: readonly Role[]): Promise<Role[]> {
  return inTransaction(database, async (db) => {
    await lockName(db, 'second-factor-duties')
    await confirmRights(who, db)
    const before = await listDuties(db)
    await setDuties(db, [...new Set(roles)])
    const after = await listDuties(db)
    await record(db, who, {
      action: 'permissions.second_factor',
      details: { changes: { roles: [before, after] } },
    })
    return after
  })
}
