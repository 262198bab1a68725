import type { AccountForm } from '#shared/users/accounts.ts'
import { AppError } from '#shared/errors.ts'
import type { Role } from '#shared/permissions.ts'
import { type Actor, record } from '#server/audit/audit.ts'
import { type Database, inTransaction, pgCode } from '#server/platform/database/db.ts'
import {
  endSessionsOf,
  insertUser,
  listLivingAccounts,
  lockLivingUser,
  setPassword,
  unblock,
} from './account-queries.ts'
import { hashPassword } from '#server/users/sign-in/passwords.ts'

/** @returns the id of the new user, or which of their fields is taken, compared without case */
export async function createAccount(
  database: Database,
  account: AccountForm & { isActive?: boolean },
  by: Actor,
): Promise<{ id: number } | { taken: 'username' | 'email' }> {
  const { password, ...columns } = account
  const passwordHash = await hashPassword(password)
  try {
    return await inTransaction(database, async (db) => {
      const id = await insertUser(db, { ...columns, passwordHash, mustChangePassword: true })
      const { username, name, role, isActive = true } = account
      await record(db, by, {
        action: 'user.create',
        resourceId: id,
        details: { role, isActive },
        personal: { username, name },
      })
      return { id }
    })
  } catch (error) {
    const taken = takenField(error)
    if (taken) return { taken }
    throw error
  }
}

/** Derived from the two unique indexes: a check beforehand would leave a race. */
function takenField(error: unknown): 'username' | 'email' | undefined {
  if (pgCode(error) !== '23505') return undefined
  for (let at = error; at instanceof Error; at = at.cause) {
    const { constraint } = at as { constraint?: unknown }
    if (constraint === 'users_username_living') return 'username'
    if (constraint === 'users_email_living') return 'email'
  }
  return undefined
}

/** The refusal of a name or an address that is taken; any other error as it is. */
export function asTaken(error: unknown): unknown {
  const taken = takenField(error)
  return taken ? new AppError(taken === 'username' ? 'users.username_taken' : 'users.email_taken') : error
}

/** The state of an account after its password was reset. */
interface ResetAccount {
  username: string
  endedSessions: number
  isActive: boolean
  /** Blocked by an administrator: a new password does not undo that. */
  isBlocked: boolean
}

/**
 * Sets a new password, ends all sessions of the account and resets its failed attempts. The lock or block
 * that the attempts caused is removed, a block by an administrator stays.
 * @returns undefined when no user has that name
 */
export async function resetPassword(
  database: Database,
  username: string,
  password: string,
  by: Actor,
): Promise<ResetAccount | undefined> {
  const passwordHash = await hashPassword(password)
  return inTransaction(database, async (db) => {
    const user = await lockLivingUser(db, username)
    if (!user) return undefined
    await setPassword(db, user.id, { passwordHash, isGiven: true })
    const endedSessions = await endSessionsOf(db, user.id)
    await record(db, by, {
      action: 'user.reset_password',
      resourceId: user.id,
      details: { endedSessions, unlocked: user.isLoginLocked },
    })
    db.emit({ type: 'session_ended', userId: user.id })
    return { username: user.username, endedSessions, isActive: user.isActive, isBlocked: user.isBlocked }
  })
}

/** What was removed from the account; all false when there was nothing. */
interface FreedAccount {
  username: string
  role: Role
  isActive: boolean
  /** By an administrator. */
  wasBlocked: boolean
  /** By three wrong passwords. */
  wasLocked: boolean
  /** Failed attempts, or earlier locks that would make the next one longer. */
  hadAttempts: boolean
}

/**
 * Removes block and lock and resets the counters. Sessions from before a block by an administrator stay
 * ended; those of an account that wrong passwords locked go on.
 * @returns undefined when no user has that name
 */
export async function unblockAccount(
  database: Database,
  username: string,
  by: Actor,
): Promise<FreedAccount | undefined> {
  return inTransaction(database, async (db) => {
    const user = await lockLivingUser(db, username)
    if (!user) return undefined
    const { role, isBlocked: wasBlocked, isLoginLocked: wasLocked, hadAttempts } = user
    if (wasBlocked || wasLocked || hadAttempts) {
      if (wasBlocked) await endSessionsOf(db, user.id)
      await unblock(db, user.id)
      db.emit({ type: 'account_changed', userId: user.id })
      await record(db, by, {
        action: 'user.unblock',
        resourceId: user.id,
        details: { wasBlocked, wasLocked },
      })
    }
    return { username: user.username, role, isActive: user.isActive, wasBlocked, wasLocked, hadAttempts }
  })
}

/** Lists all users by name, with the state of their accounts. */
export const listAccounts = listLivingAccounts
