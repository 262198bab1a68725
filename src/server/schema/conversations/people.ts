import { sql } from 'drizzle-orm'
import { index, integer, primaryKey } from 'drizzle-orm/pg-core'
import { withConversation } from '#server/schema/declare/ends.ts'
import { table } from '#server/schema/declare/table.ts'
import { users } from '#server/schema/users.ts'
import { conversations } from './conversations.ts'
import { ofCompleted } from './over.ts'

/**
 * Who ever had a conversation or wrote in it, to the client or a note; looking at it or changing it is no
 * writing. Triggers of the migrations keep it, whoever writes: people whose scope is 'own' know of these
 * conversations once they are completed.
 */
export const conversationPeople = table(
  'conversation_people',
  {
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
  },
  {
    backup: {
      part: 'complete',
      where: ofCompleted(sql`t.conversation_id`),
      label: 'Pessoas de conversas',
      restored: { otherwise: 'those that the triggers have not made of its rows are added at the end' },
    },
    ends: withConversation,
    other: 'conversationId userId',
  },
  (t) => [
    primaryKey({ columns: [t.conversationId, t.userId] }),
    index('conversation_people_user').on(t.userId, t.conversationId),
  ],
)

/** Who ever had a completed conversation or wrote in it; of open ones nobody asks. */
export const peopleIds = sql<number[]>`case when ${conversations.status} = 'completed' then array(
  select p.user_id from conversation_people p where p.conversation_id = ${conversations.id}) else '{}' end`

/** What decides who knows of a conversation. */
export const reachFactColumns = {
  id: conversations.id,
  status: conversations.status,
  subStatus: conversations.subStatus,
  waitingFor: conversations.waitingFor,
  assignedUserId: conversations.assignedUserId,
  instanceId: conversations.instanceId,
  sectorId: conversations.sectorId,
  peopleIds,
}
