import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, text, unique } from 'drizzle-orm/pg-core'
import { enders } from '#shared/reports/figures.ts'
import type { SavedFilter } from '#shared/reports/saved-reports.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { computed } from './declare/backup.ts'
import { byPeople, drained, withConversation } from './declare/ends.ts'
import { isMapped, mapped } from './declare/restored.ts'
import { table } from './declare/table.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { users } from '#server/schema/users.ts'

/**
 * What the reports know of a conversation besides its own row. Computed from the messages by a worker, so it
 * may be deleted and computed again. Times are in milliseconds: by the clock, and, as `open…`, within the
 * hours of the settings.
 */
export const conversationFacts = table(
  'conversation_facts',
  {
    conversationId: integer('conversation_id')
      .primaryKey()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** As in the conversation, so that a period is found without it. */
    startedAt: at('started_at').notNull(),
    /** The first reply of a person; null without one. Later replies change nothing. */
    firstReplyAt: at('first_reply_at'),
    /** From the start to the first reply; null for a conversation that the team began. */
    firstReplyMs: bigint('first_reply_ms', { mode: 'number' }),
    openFirstReplyMs: bigint('open_first_reply_ms', { mode: 'number' }),
    /** In the FILA, all stays that have ended; null if none has. */
    queueMs: bigint('queue_ms', { mode: 'number' }),
    openQueueMs: bigint('open_queue_ms', { mode: 'number' }),
    /** From when somebody had it to its completion; null while it is open, and if nobody ever had it. */
    handlingMs: bigint('handling_ms', { mode: 'number' }),
    openHandlingMs: bigint('open_handling_ms', { mode: 'number' }),
    /** What ended it; null while it is open, and if it is not known. */
    endedBy: text('ended_by', { enum: enders }),
  },
  {
    backup: computed,
    ends: withConversation,
    other: `
      conversationId startedAt firstReplyAt firstReplyMs openFirstReplyMs queueMs openQueueMs handlingMs
      openHandlingMs endedBy
    `,
  },
  (t) => [
    index('conversation_facts_started').on(t.startedAt),
    check('conversation_facts_ended_by', oneOf(t.endedBy, enders)),
  ],
)

/**
 * Conversations whose facts have changed, written by the triggers of the migration in the transaction of the
 * change. Without a conversation: all, since the hours have changed.
 */
export const factsDue = table(
  'facts_due',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    conversationId: integer('conversation_id'),
  },
  {
    backup: computed,
    ends: drained,
    other: 'id conversationId',
  },
)

/** The filters of a report that a person has kept under a name. */
export const savedReports = table(
  'saved_reports',
  {
    id: rowId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    filter: jsonb('filter').$type<SavedFilter>().notNull(),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Relatórios salvos',
      restored: {
        match: sql`t.user_id = ${mapped('users', sql`s.user_id`)} and t.name = s.name`,
        matchOwn: sql`t.user_id = s.user_id and t.name = s.name`,
        isAdded: isMapped('users', sql`s.user_id`),
      },
    },
    ends: byPeople,
    // A filter names people of the team, and categories and tags.
    other: 'id userId name filter createdAt',
  },
  (t) => [unique('saved_reports_name').on(t.userId, t.name)],
)
