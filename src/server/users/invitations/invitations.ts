import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { AppError } from '#shared/errors.ts'
import type { Flags, Role } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import type {
  acceptInvitation,
  Invitation,
  invitationForm,
  InvitationOffer,
} from '#shared/users/invitations.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { RequestSource } from '#server/platform/http/source/request-source.ts'
import { hashToken, randomToken } from '#server/platform/secrets.ts'
import { userPermissions } from '#server/schema/users.ts'
import { expectNumbers, inOrder } from '#server/users/accounts/account-changes.ts'
import { insertUser } from '#server/users/accounts/account-queries.ts'
import { asTaken } from '#server/users/accounts/accounts.ts'
import { hashPassword } from '#server/users/sign-in/passwords.ts'
import {
  findByToken,
  hasId,
  insertInvitation,
  listOpen,
  lockOpen,
  updateInvitation,
} from './invitation-queries.ts'

/** More than a team has newcomers within three days. */
const mostOpen = 500

/**
 * Invites somebody. The numbers and permissions are those that the person will have.
 * @returns the invitation, with the token, which is returned this once
 * @throws AppError 404 a number that does not exist, 409 too many that are open, or permissions of an
 *   administrator, who has all
 */
export async function invite(
  database: Database,
  who: Who,
  { name, role, numberIds: given, flags }: z.output<typeof invitationForm>,
): Promise<{ invitation: Invitation; token: string }> {
  const chosen = flags ? flagsOf(role, flags) : null
  const numberIds = inOrder(given)
  const token = randomToken()
  return inTransaction(database, async (db) => {
    // One after the other, so that the bound holds.
    await lockName(db, 'invitations')
    await confirmRights(who, db)
    await expectNumbers(db, numberIds)
    const { length: open } = await listOpen(db)
    if (open >= mostOpen) throw new AppError('invitations.too_many_open', { values: { count: String(open) } })
    const id = await insertInvitation(db, {
      tokenHash: hashToken(token),
      name,
      role,
      numberIds,
      flags: chosen,
      invitedBy: who.id,
    })
    await record(db, who, {
      action: 'user.invite',
      details: {
        invitationId: id,
        role,
        ...(numberIds && { numberIds }),
        ...(chosen && { isCustom: true as const }),
      },
      personal: { name },
    })
    const [invitation] = await listOpen(db, hasId(id))
    if (!invitation) throw new Error('invitation not found')
    return { invitation, token }
  })
}

function flagsOf(role: Role, given: { [Name in keyof Flags]?: boolean | undefined }): Flags {
  if (role === 'admin') throw new AppError('permissions.of_admin')
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...defaultFlags(role), ...chosen, canViewTrackingMessages: false }
}

/** @throws AppError 404 for one that is not open */
export async function withdraw(database: Database, who: Who, id: number): Promise<void> {
  await inTransaction(database, async (db) => {
    const found = await lockOpen(db, id)
    await confirmRights(who, db)
    if (!found) throw new AppError('invitations.not_found')
    await updateInvitation(db, id, { withdrawnAt: sql`app_now()` })
    const { name, role } = found
    await record(db, who, {
      action: 'user.invite_withdraw',
      details: { invitationId: id, role },
      personal: { name },
    })
  })
}

/** @throws AppError 404 for one that is not open, or whose link has another token */
export async function expectOpen(database: Database, id: number, token: string): Promise<Invitation> {
  const found = await findByToken(database, hashToken(token))
  const [invitation] = found?.id === id ? await listOpen(database, hasId(id)) : []
  if (!invitation) throw new AppError('invitations.not_found')
  return invitation
}

/** Notes that the link was sent. It may have been used or withdrawn meanwhile: sent it was. */
export async function noteSent(
  database: Database,
  who: Who,
  { id, name }: Pick<Invitation, 'id' | 'name'>,
  { phone, instanceId }: { phone: string; instanceId: number },
): Promise<void> {
  await inTransaction(database, async (db) => {
    await updateInvitation(db, id, { sentTo: phone, sentAt: sql`app_now()` })
    await record(db, who, {
      action: 'user.invite_send',
      details: { invitationId: id, instanceId },
      personal: { name, phone },
    })
  })
}

type Found = Awaited<ReturnType<typeof findByToken>>

/** @throws AppError 404 no such link, 410 one that is used, withdrawn or expired */
function expectUsable(found: Found): NonNullable<Found> {
  if (!found) throw new AppError('invitations.unknown')
  if (found.state !== 'open') throw new AppError(`invitations.${found.state}`)
  return found
}

/** What a link offers. @throws AppError 404, 410 */
export async function readOffer(database: Database, token: string): Promise<InvitationOffer> {
  const { name, role, inviter, expiresAt } = expectUsable(await findByToken(database, hashToken(token)))
  return { name, role, invitedBy: inviter, expiresAt: expiresAt.toISOString() }
}

type JoinForm = z.output<NonNullable<typeof acceptInvitation.body>>

/**
 * Makes the account that a link offers. Nobody else knows its password, so it need not be changed.
 * @param refuseWeak throws for a password that is too easy to guess
 * @throws AppError 404, 410, 409 a name or an address that is taken: then the link can still be used
 */
export async function join(
  database: Database,
  source: RequestSource,
  { token, password, ...account }: JoinForm,
  refuseWeak: (role: Role) => Promise<void>,
): Promise<{ username: string }> {
  const tokenHash = hashToken(token)
  // Before the password is hashed, which takes memory and time.
  await refuseWeak(expectUsable(await findByToken(database, tokenHash)).role)
  const passwordHash = await hashPassword(password)
  try {
    return await inTransaction(database, async (db) => {
      const { id, role, numberIds, flags, invitedBy } = expectUsable(await findByToken(db, tokenHash, true))
      const { username, name } = account
      const userId = await insertUser(db, { ...account, role, numberIds, passwordHash })
      if (flags) await db.insert(userPermissions).values({ userId, flags })
      await updateInvitation(db, id, { usedAt: sql`app_now()`, userId })
      const person = { id: userId, name, role, sessionId: null, source }
      await record(db, person, {
        action: 'user.join',
        resourceId: userId,
        details: {
          invitationId: id,
          role,
          invitedBy,
          ...(numberIds && { numberIds }),
          ...(flags && { isCustom: true as const }),
        },
        personal: { username, name },
      })
      return { username }
    })
  } catch (error) {
    throw asTaken(error)
  }
}
