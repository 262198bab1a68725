import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Invitation, invitationDays } from '#shared/users/invitations.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { invitations, users } from '#server/schema/users.ts'

type NewInvitation = Pick<
  typeof invitations.$inferInsert,
  'tokenHash' | 'name' | 'role' | 'numberIds' | 'flags' | 'invitedBy'
>

/** Only administrators invite: what somebody offered who is none any longer is open no longer. */
const mayInvite = and(
  eq(users.role, 'admin'),
  eq(users.isActive, true),
  eq(users.isBlocked, false),
  isNull(users.deletedAt),
)

const isOpen = and(
  isNull(invitations.usedAt),
  isNull(invitations.withdrawnAt),
  sql`${invitations.expiresAt} > app_now()`,
  mayInvite,
)

export async function insertInvitation(db: Db, values: NewInvitation): Promise<number> {
  const expiresAt = sql`app_now() + ${invitationDays} * interval '1 day'`
  const [made] = await db
    .insert(invitations)
    .values({ ...values, expiresAt })
    .returning({ id: invitations.id })
  if (!made) throw new Error('invitation not written')
  return made.id
}

/** Those that can be used, the newest first. */
export async function listOpen(db: Db, condition?: SQL): Promise<Invitation[]> {
  const found = await db
    .select({
      id: invitations.id,
      name: invitations.name,
      role: invitations.role,
      numberIds: invitations.numberIds,
      flags: invitations.flags,
      invitedBy: users.name,
      sentTo: invitations.sentTo,
      sentAt: invitations.sentAt,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(isOpen, condition))
    .orderBy(desc(invitations.id))
  return found.map(({ sentAt, createdAt, expiresAt, ...row }) => ({
    ...row,
    sentAt: sentAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
}

export const hasId = (id: number): SQL => eq(invitations.id, id)

/** Locks an open invitation until the transaction ends. @returns undefined when there is none */
export async function lockOpen(db: Tx, id: number) {
  const [row] = await db
    .select({ name: invitations.name, role: invitations.role, tokenHash: invitations.tokenHash })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(isOpen, hasId(id)))
    .for('update', { of: invitations })
  return row
}

type InvitationState = 'open' | 'used' | 'withdrawn' | 'expired'

/**
 * What a link is of, in whatever state.
 * @param isLocked until the transaction ends: of two who use it at once, the second sees that it is used
 */
export async function findByToken(db: Db, tokenHash: string, isLocked = false) {
  const query = db
    .select({
      id: invitations.id,
      name: invitations.name,
      role: invitations.role,
      numberIds: invitations.numberIds,
      flags: invitations.flags,
      invitedBy: invitations.invitedBy,
      inviter: users.name,
      expiresAt: invitations.expiresAt,
      state: sql<InvitationState>`case
        when ${invitations.usedAt} is not null then 'used'
        when ${invitations.withdrawnAt} is not null or not (${mayInvite}) then 'withdrawn'
        when ${invitations.expiresAt} <= app_now() then 'expired'
        else 'open' end`,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(eq(invitations.tokenHash, tokenHash))
  const [row] = await (isLocked ? query.for('update', { of: invitations }) : query)
  return row
}

export async function updateInvitation(
  db: Db,
  id: number,
  values: { [Name in 'sentTo' | 'sentAt' | 'withdrawnAt' | 'usedAt' | 'userId']?: string | number | SQL },
): Promise<void> {
  await db
    .update(invitations)
    .set(values as object)
    .where(hasId(id))
}

/** Deletes invitations that ended a month ago; that there were some is in the audit log. */
export async function trimInvitations(db: Db): Promise<void> {
  await db.execute(
    sql`delete from invitations
         where coalesce(used_at, withdrawn_at, expires_at) <= app_now() - interval '30 days'`,
  )
}
