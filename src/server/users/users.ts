import { randomBytes } from 'node:crypto'
import type { Role } from '#shared/permissions.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, type Db, inTransaction } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { type AccountRow, insertUser } from '#server/users/accounts/account-queries.ts'
import {
  createAccount,
  listAccounts,
  resetPassword,
  unblockAccount,
} from '#server/users/accounts/accounts.ts'
import { trimInvitations } from '#server/users/invitations/invitation-queries.ts'
import { isStrictFor, isWeakPassword } from '#server/users/sign-in/password-strength.ts'
import { setFirstDuty, trimTrustedDevices } from '#server/users/second-factor/queries.ts'
import { hashPassword, preparePasswords } from '#server/users/sign-in/passwords.ts'
import { countUp, trimRateLimits } from '#server/users/sign-in/attempts.ts'
import {
  findLivingUser,
  hasActiveAdmin,
  setChosenPresence,
  trimSessions,
} from '#server/users/sign-in/queries.ts'
import { sessionCookie } from '#server/users/sign-in/cookies.ts'
import { identify, meOf, refreshSessions } from '#server/users/sign-in/sessions.ts'

export { countUp, findLivingUser, identify, meOf, preparePasswords, refreshSessions, sessionCookie }
export { setChosenPresence }
export { resetSecondFactorOf } from '#server/users/profile/second-factor-changes.ts'
export { createAccount, isStrictFor, isWeakPassword, listAccounts, resetPassword, unblockAccount }
export { listPeople } from '#server/users/permissions/people.ts'
export type { AccountRow }

export function trimRateLimitsJob(database: Database): JobDefinition {
  return defineJob({
    name: 'trim-rate-limits',
    schedule: '17 * * * *',
    afterCrash: 'again',
    work: async () => {
      await trimRateLimits(database)
      await trimTrustedDevices(database)
      await trimSessions(database)
      await trimInvitations(database)
    },
  })
}

export interface NewUser {
  username: string
  email: string
  name: string
  password: string
  role: Role
}

/**
 * Inserts a user with the hash of the password. Fails on the unique index when the name or the e-mail address
 * is taken.
 */
export async function createUser(db: Db, user: NewUser & { mustChangePassword?: boolean }): Promise<number> {
  const { password, ...columns } = user
  return insertUser(db, { ...columns, passwordHash: await hashPassword(password) })
}

/** A generated password: 96 bits as sixteen characters that are easy to read aloud and to type. */
export function randomPassword(): string {
  return randomBytes(12).toString('base64url')
}

/**
 * Creates the first administrator when there is none; several instances that start at once create one.
 * @returns the account to print, with the password only when it was generated; undefined when one existed
 */
export async function ensureFirstAdmin(
  database: Database,
  given: { username: string | undefined; email: string | undefined; password: string | undefined },
): Promise<{ username: string; password: string | undefined } | undefined> {
  if (await hasActiveAdmin(database)) return undefined
  const password = given.password ?? randomPassword()
  const username = given.username ?? 'admin'
  return inTransaction(database, async (db) => {
    await lockName(db, 'admins')
    if (await hasActiveAdmin(db)) return undefined
    const email = given.email ?? `${username}@balcao.local`
    const id = await createUser(db, {
      username,
      email,
      name: 'Administrador',
      password,
      role: 'admin',
      mustChangePassword: given.password === undefined,
    })
    await record(db, 'system', { action: 'user.first_admin', resourceId: id, personal: { username } })
    await setFirstDuty(db)
    const details = { changes: { roles: [[], ['admin']] } } as const
    await record(db, 'system', { action: 'permissions.second_factor', details })
    return { username, password: given.password ? undefined : password }
  })
}
