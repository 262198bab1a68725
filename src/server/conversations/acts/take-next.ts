import { and, asc, eq, isNull } from 'drizzle-orm'
import { isQueued } from '#server/automation/automation.ts'
import { AppError } from '#shared/errors.ts'
import type { Who } from '#server/platform/http/access.ts'
import { isOfQueueOf } from '#server/platform/http/reach.ts'
import { type Database, type Db, inTransaction } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { lockToTake } from '#server/conversations/store/access.ts'
import { assignAndRecord } from './assign.ts'
import { lockTaker } from './receivers.ts'

/**
 * 'Assumir próxima': takes the conversation that has waited longest in the FILA. Two people who call it at
 * once get different ones.
 * @param sectorId only of this sector's; absent: of all queues that are theirs
 * @returns the conversation's id
 * @throws AppError 404 the FILA is empty
 */
export async function takeNext(database: Database, who: Who, sectorId?: number): Promise<number> {
  for (;;) {
    const taken = await inTransaction(database, async (db) => {
      // One that is locked at this moment, as by a message that comes in, is waited for and not passed over.
      // What is no longer waiting when its lock is free stays locked here, so its key is left to others, as
      // to whoever writes rows that refer to several conversations.
      const [first] = await selectFirst(db, who, sectorId).for('no key update')
      if (!first) return undefined
      const conversation = await lockToTake(db, who, first.id)
      await lockTaker(db, who, conversation)
      await assignAndRecord(db, conversation, who, who)
      return first.id
    })
    if (taken !== undefined) return taken
    // Somebody else has got what was first when it was looked for.
    const [next] = await selectFirst(database, who, sectorId)
    if (!next) throw new AppError('conversations.queue_empty')
  }
}

/** The conversation that has waited longest of those that the person may take. */
const selectFirst = (db: Db, who: Who, sectorId: number | undefined) =>
  db
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        isQueued,
        isNull(conversations.assignedUserId),
        isOfQueueOf(who, conversations),
        sectorId === undefined ? undefined : eq(conversations.sectorId, sectorId),
      ),
    )
    .orderBy(asc(conversations.startedAt), asc(conversations.id))
    .limit(1)
