import { isDeepStrictEqual } from 'node:util'
import type { Changes } from '#shared/text/audit/telling.ts'
import { AppError } from '#shared/errors.ts'
import type { SilentHours } from '#shared/settings/silent-hours.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { confirmRights, requireConfirmed, type Who } from '#server/platform/http/access.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import {
  endSessionsOf,
  lockAccount,
  setPassword,
  updateAccount,
} from '#server/users/accounts/account-queries.ts'
import { asTaken } from '#server/users/accounts/accounts.ts'
import { confirmIdentity } from '#server/users/sign-in/confirm.ts'
import { hashPassword, isPassword } from '#server/users/sign-in/passwords.ts'
import { findUser } from '#server/users/sign-in/queries.ts'

export interface ProfileChange {
  name?: string | undefined
  email?: string | undefined
  password?: string | undefined
  currentPassword?: string | undefined
}

/**
 * Changes the own name, address or password. Another address or password needs the current password, or a
 * session that was confirmed within ten minutes; another password ends the other sessions.
 * @throws AppError 403 when the password must be confirmed, 409 an address that is taken, 422 a wrong or an
 *   unchanged password
 */
export async function changeProfile(
  { database, secrets }: { database: Database; secrets: Secrets },
  who: Who,
  { name, email, password, currentPassword }: ProfileChange,
): Promise<void> {
  if (password !== undefined || (email !== undefined && email !== who.email))
    await expectConfirmed(database, secrets, who, currentPassword)
  const passwordHash = password === undefined ? undefined : await hashNewPassword(database, who, password)
  try {
    await inTransaction(database, async (db) => {
      const account = await lockAccount(db, who.id)
      // The password may have waited for its turn.
      await confirmRights(who, db)
      if (!account) throw new AppError('auth.required')
      const changes: Changes<'name' | 'email'> = {
        ...(name !== undefined && name !== account.name && { name: [account.name, name] }),
        ...(email !== undefined && email !== account.email && { email: [account.email, email] }),
      }
      if (passwordHash !== undefined) {
        await setPassword(db, who.id, { passwordHash, isGiven: false })
        await endSessionsOf(db, who.id, who.sessionId)
        db.emit({ type: 'session_ended', userId: who.id })
      }
      await updateAccount(db, who.id, { name, email })
      db.emit({ type: 'account_changed', userId: who.id })
      await record(db, who, {
        action: 'user.profile',
        resourceId: who.id,
        details: passwordHash === undefined ? {} : { isPasswordChanged: true },
        personal: { changes },
      })
    })
  } catch (error) {
    throw asTaken(error)
  }
}

/** Sets when the console is quiet for the person. @param silentHours null: as the settings say */
export async function changeSilentHours(
  database: Database,
  who: Who,
  silentHours: SilentHours | null,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const account = await lockAccount(db, who.id)
    await confirmRights(who, db)
    if (!account) throw new AppError('auth.required')
    if (isDeepStrictEqual(silentHours, account.silentHours)) return
    await updateAccount(db, who.id, { silentHours })
    db.emit({ type: 'account_changed', userId: who.id })
    await record(db, who, {
      action: 'user.silent_hours',
      resourceId: who.id,
      details: { changes: { silentHours: [account.silentHours, silentHours] } },
    })
  })
}

/** @throws AppError 422 for the password that the account has */
async function hashNewPassword(database: Database, who: Who, password: string): Promise<string> {
  const user = await findUser(database, who.id)
  if (user && (await isPassword(user.passwordHash, password))) throw new AppError('profile.same_password')
  return hashPassword(password)
}

async function expectConfirmed(
  database: Database,
  secrets: Secrets,
  who: Who,
  currentPassword: string | undefined,
): Promise<void> {
  if (currentPassword === undefined) return requireConfirmed(who)
  if (!(await confirmIdentity(database, secrets, who, { password: currentPassword })))
    throw new AppError('profile.wrong_password')
}
