import { isDeepStrictEqual } from 'node:util'
import { and, inArray, isNull } from 'drizzle-orm'
import type { Account, AccountChange, AccountForm } from '#shared/users/accounts.ts'
import type { Changes } from '#shared/text/audit/telling.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import {
  endSessionsOf,
  forgetPermissions,
  insertUser,
  listAccountRows,
  lockAccount,
  type LockedAccount,
  markDeleted,
  setPassword,
  unblock,
  updateAccount,
} from './account-queries.ts'
import { asTaken } from './accounts.ts'
import { hashPassword } from '#server/users/sign-in/passwords.ts'
import { hasUsableAdmin } from '#server/users/sign-in/queries.ts'

/**
 * Returns the open conversations of a person to the FILA, in the open transaction. A parameter, because the
 * conversations' room comes after this one.
 */
export type FreeConversations = (
  db: Tx,
  userId: number,
  by: Who,
  /** The numbers whose conversations the person keeps; absent: none. */
  numberIds?: readonly number[],
) => Promise<number>

export interface AccountContext {
  database: Database
  freeConversations: FreeConversations
  /** Deletes what only the person saw, such as their views of the list. */
  dropOwn: (db: Tx, userId: number) => Promise<void>
}

/**
 * Changes of accounts happen one after the other, on all instances: of two administrators who demote each
 * other at once one remains.
 * @throws AppError 404 no such account, 409 the last administrator, or a name or address that is taken
 */
async function change<Result>(
  database: Database,
  who: Who,
  id: number,
  work: (db: Tx, account: LockedAccount) => Promise<Result>,
): Promise<Result> {
  try {
    return await inTransaction(database, async (db) => {
      await lockName(db, 'admins')
      const account = await lockAccount(db, id)
      await confirmRights(who, db)
      if (!account) throw new AppError('users.not_found')
      const result = await work(db, account)
      if (!(await hasUsableAdmin(db))) throw new AppError('users.last_admin')
      return result
    })
  } catch (error) {
    throw asTaken(error)
  }
}

async function readAccount(database: Database | Tx, id: number): Promise<Account> {
  const [account] = await listAccountRows(database, id)
  if (!account) throw new AppError('users.not_found')
  return account
}

/** @throws AppError 409 a name or an address that is taken, compared without case */
export async function addAccount(
  { database }: Pick<AccountContext, 'database'>,
  who: Who,
  { password, numberIds: given, ...others }: AccountForm & { isActive: boolean; numberIds: number[] | null },
): Promise<Account> {
  const columns = { ...others, numberIds: inOrder(given) }
  const passwordHash = await hashPassword(password)
  try {
    return await inTransaction(database, async (db) => {
      // The password may have waited for its turn.
      await confirmRights(who, db)
      await expectNumbers(db, columns.numberIds)
      const id = await insertUser(db, { ...columns, passwordHash, mustChangePassword: true })
      const { username, name, role, isActive, numberIds } = columns
      await record(db, who, {
        action: 'user.create',
        resourceId: id,
        details: { role, isActive, ...(numberIds && { numberIds }) },
        personal: { username, name },
      })
      return readAccount(db, id)
    })
  } catch (error) {
    throw asTaken(error)
  }
}

/**
 * Changes an account. Another role, another password and deactivation end its sessions; deactivation returns
 * its conversations to the FILA, and another role gives it that role's permissions. Of numbers that are taken
 * away its conversations return to the FILA, too.
 * @throws AppError 403 demoting or deactivating oneself, 404, 409
 */
export async function changeAccount(
  { database, freeConversations }: AccountContext,
  who: Who,
  id: number,
  { password, numberIds: given, ...others }: AccountChange,
): Promise<Account> {
  const columns: Columns = given === undefined ? others : { ...others, numberIds: inOrder(given) }
  const isSelf = id === who.id
  if (isSelf && (columns.isActive === false || (columns.role ?? who.role) !== who.role))
    throw new AppError('users.self')
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  return change(database, who, id, async (db, account) => {
    // Those that they have already may have been deleted meanwhile.
    await expectNumbers(db, columns.numberIds, account.numberIds)
    const changed = changesOf(account, columns)
    await updateAccount(db, id, columns)
    if (passwordHash !== undefined) await setPassword(db, id, { passwordHash, isGiven: !isSelf })
    if ('role' in changed) await forgetPermissions(db, id)
    const isShutOut = 'isActive' in changed && columns.isActive === false
    const kept = isShutOut ? [] : numbersOf({ ...account, ...columns })
    // Whoever is no administrator any longer has only the numbers that were given to them.
    const mayHaveLost = isShutOut || 'numberIds' in changed || 'role' in changed
    const freed = mayHaveLost && kept !== null ? await freeConversations(db, id, who, kept) : 0
    if ('numberIds' in changed) {
      db.emit({ type: 'permissions_changed', userId: id })
      db.emit({ type: 'gateway_state', userId: id })
    }
    if ('role' in changed || isShutOut || passwordHash !== undefined)
      await shutOut(db, id, isSelf ? who.sessionId : undefined)
    db.emit({ type: 'account_changed', userId: id })
    const { role, isActive, numberIds, ...personal } = changed
    await record(db, who, {
      action: 'user.update',
      resourceId: id,
      details: {
        changes: {
          ...(role && { role }),
          ...(isActive && { isActive }),
          ...(numberIds && { numberIds }),
        },
        ...(passwordHash !== undefined && { isPasswordChanged: true }),
        ...((isShutOut || freed > 0) && { freed }),
      },
      personal: { changes: personal },
    })
    return readAccount(db, id)
  })
}

type Columns = Omit<AccountChange, 'password'>

function changesOf(account: LockedAccount, columns: Columns): Changes<keyof Columns> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, after]) => {
      const before = account[name as keyof Columns]
      return after === undefined || isDeepStrictEqual(before, after) ? [] : [[name, [before, after]]]
    }),
  )
}

/** The same numbers are stored alike. */
export const inOrder = (ids: readonly number[] | null) => ids && [...new Set(ids)].toSorted((a, b) => a - b)

/** Administrators have all, whatever is stored. */
const numbersOf = ({ role, numberIds }: Pick<Account, 'role' | 'numberIds'>) =>
  role === 'admin' ? null : numberIds

/** @throws AppError 404 for a number that does not exist. @param known those that need not be looked up */
export async function expectNumbers(
  db: Tx,
  ids: readonly number[] | null | undefined,
  known: readonly number[] | null = null,
): Promise<void> {
  const news = (ids ?? []).filter((id) => !known?.includes(id))
  if (news.length === 0) return
  const found = await db
    .select({ id: evolutionApiConfig.id })
    .from(evolutionApiConfig)
    .where(and(inArray(evolutionApiConfig.id, news), isNull(evolutionApiConfig.deletedAt)))
  if (found.length < news.length) throw new AppError('gateway.not_found')
}

/** Ends the sessions, and with them the sockets. */
async function shutOut(db: Tx, id: number, except?: number): Promise<void> {
  await endSessionsOf(db, id, except)
  db.emit({ type: 'session_ended', userId: id })
}

/**
 * Blocks an account, or unblocks one that an administrator or wrong passwords shut out.
 * @throws AppError 404, 409
 */
export async function toggleBlock(
  { database, freeConversations }: AccountContext,
  who: Who,
  id: number,
): Promise<Account> {
  return change(database, who, id, async (db, account) => {
    if (account.isBlocked || account.isLoginLocked) {
      await unblock(db, id)
      const { isBlocked: wasBlocked, isLoginLocked: wasLocked } = account
      await record(db, who, {
        action: 'user.unblock',
        resourceId: id,
        details: { wasBlocked, wasLocked },
      })
    } else {
      await updateAccount(db, id, { isBlocked: true })
      await shutOut(db, id)
      const freed = await freeConversations(db, id, who)
      await record(db, who, { action: 'user.block', resourceId: id, details: { freed } })
    }
    db.emit({ type: 'account_changed', userId: id })
    return readAccount(db, id)
  })
}

/**
 * Deletes an account: nobody can sign in with it or see it, and its name stays with what the person did.
 * @throws AppError 404, 409
 */
export async function deleteAccount(
  { database, freeConversations, dropOwn }: AccountContext,
  who: Who,
  id: number,
): Promise<void> {
  await change(database, who, id, async (db, { username, role }) => {
    await markDeleted(db, id)
    await shutOut(db, id)
    await dropOwn(db, id)
    const freed = await freeConversations(db, id, who)
    await record(db, who, {
      action: 'user.delete',
      resourceId: id,
      details: { role, freed },
      personal: { username },
    })
  })
}
