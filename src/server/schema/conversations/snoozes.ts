import { sql } from 'drizzle-orm'
import { check, index, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { snoozeEnds } from '#shared/conversations/snooze.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { withConversation } from '#server/schema/declare/ends.ts'
import { isNewIn } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { users } from '#server/schema/users.ts'
import { conversations } from './conversations.ts'
import { ofCompleted } from './over.ts'

/** When conversations were on hold: what is left out of clocks that ran in them. */
export const snoozes = table(
  'snoozes',
  {
    id: rowId(),
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** Who put it on hold. */
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    startedAt: at('started_at').notNull().default(appNow),
    /** When it was to return, as it was last said. */
    until: at('until').notNull(),
    /** null: it is on hold. */
    endedAt: at('ended_at'),
    endedBy: text('ended_by', { enum: snoozeEnds }),
  },
  {
    backup: {
      part: 'complete',
      where: ofCompleted(sql`t.conversation_id`),
      label: 'Esperas de conversas',
      restored: { isAdded: isNewIn('conversations', sql`s.conversation_id`) },
    },
    ends: withConversation,
    other: 'id conversationId userId startedAt until endedAt endedBy',
  },
  (t) => [
    uniqueIndex('snoozes_one_open')
      .on(t.conversationId)
      .where(sql`${t.endedAt} is null`),
    index('snoozes_conversation').on(t.conversationId, t.startedAt),
    index('snoozes_user').on(t.userId),
    check('snoozes_ended_by', oneOf(t.endedBy, snoozeEnds)),
    check('snoozes_end', sql`(${t.endedAt} is null) = (${t.endedBy} is null)`),
    check('snoozes_order', sql`${t.endedAt} >= ${t.startedAt}`),
  ],
)
