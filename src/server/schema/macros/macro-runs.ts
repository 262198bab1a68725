import { sql } from 'drizzle-orm'
import { index, integer, text } from 'drizzle-orm/pg-core'
import { appNow, at, rowId } from '#server/schema/columns.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { withConversation } from '#server/schema/declare/ends.ts'
import { table } from '#server/schema/declare/table.ts'
import { users } from '#server/schema/users.ts'
import { macros } from './macros.ts'

/** The runs of macros, written with all that a run does: without its row, nothing of it was done. */
export const macroRuns = table(
  'macro_runs',
  {
    id: rowId(),
    /** Given by the browser: a repeated call has no further effect. */
    runId: text('run_id').notNull().unique(),
    macroId: integer('macro_id').references(() => macros.id, { onDelete: 'set null' }),
    /** As it was called then. */
    name: text('name').notNull(),
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** What was written to the client. */
    messageIds: integer('message_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The newest entry of the conversation when it was done. */
    lastEntryId: integer('last_entry_id'),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: { left: 'tells a repeated call from a new one, which comes within minutes' },
    ends: withConversation,
    other: 'id runId macroId name conversationId userId messageIds lastEntryId createdAt',
  },
  (t) => [
    index('macro_runs_conversation').on(t.conversationId, t.id),
    index('macro_runs_macro').on(t.macroId),
    index('macro_runs_user').on(t.userId),
  ],
)
