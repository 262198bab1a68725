import { and, eq, isNull, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { conversationNotFound } from '#server/conversations/store/access.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { hasNumber, type Who } from '#server/platform/http/access.ts'
import type { Db } from '#server/platform/database/db.ts'
import { users } from '#server/schema/users.ts'

/** Who gets a conversation, and the numbers that they have. */
export interface Receiver {
  id: number
  name: string
  numberIds: readonly number[] | null
}

/** @throws AppError 422 with the person's name, who would not see the conversation */
export function expectHasNumber(receiver: Receiver, { instanceId }: Locked): void {
  if (!hasNumber(receiver, instanceId))
    throw new AppError('conversations.target_without_number', { values: { name: receiver.name } })
}

/**
 * Whoever blocks or deletes the person meanwhile waits, and frees what is assigned by then.
 * @returns undefined for a user who does not exist or may not sign in
 */
export async function lockReceiver(db: Db, id: number): Promise<Receiver | undefined> {
  const [user] = await db
    .select({
      id: users.id,
      name: users.name,
      numberIds: sql<number[] | null>`case when ${users.role} <> 'admin' then ${users.numberIds} end`,
    })
    .from(users)
    .where(
      and(eq(users.id, id), eq(users.isActive, true), eq(users.isBlocked, false), isNull(users.deletedAt)),
    )
    .for('share')
  return user
}

/** @throws AppError 422 for a user who does not exist or may not sign in */
export async function findReceiver(db: Db, id: number): Promise<Receiver> {
  const user = await lockReceiver(db, id)
  if (!user) throw new AppError('conversations.target_unavailable')
  return user
}

/**
 * Locks in the same way who takes or begins a conversation themselves. They were judged at the head of their
 * request, and whoever shut them out since does not know of this conversation as theirs.
 * @throws AppError 401 for who may not sign in any more, 404 for who has not got the number any more
 */
export async function lockTaker(
  db: Db,
  who: Pick<Who, 'id'>,
  { instanceId }: Pick<Locked, 'instanceId'>,
): Promise<void> {
  const taker = await lockReceiver(db, who.id)
  if (!taker) throw new AppError('auth.required')
  if (!hasNumber(taker, instanceId)) throw conversationNotFound()
}
