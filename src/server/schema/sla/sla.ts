import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { appNow, at, rowId } from '#server/schema/columns.ts'
import { computed } from '#server/schema/declare/backup.ts'
import { drained, withConversation } from '#server/schema/declare/ends.ts'
import { isMapped, isNewIn, mapped } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { contactCategories } from '#server/schema/contacts/contacts.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { ofCompleted } from '#server/schema/conversations/over.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'

/** Within how many minutes of working hours clients are answered, and conversations ended. */
export const slaTargets = table(
  'sla_targets',
  {
    id: rowId(),
    /** null: of any sector, and of none. */
    sectorId: integer('sector_id').references(() => sectors.id, { onDelete: 'cascade' }),
    /** null: contacts of any category. */
    categoryId: integer('category_id').references(() => contactCategories.id, { onDelete: 'cascade' }),
    replyMinutes: integer('reply_minutes'),
    endMinutes: integer('end_minutes'),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'settings',
      label: 'Prazos (SLA)',
      restored: {
        match: sql`t.sector_id is not distinct from ${mapped('sectors', sql`s.sector_id`)}
          and t.category_id is not distinct from ${mapped('contact_categories', sql`s.category_id`)}`,
        isAdded: sql`(s.sector_id is null or ${isMapped('sectors', sql`s.sector_id`)})
          and (s.category_id is null or ${isMapped('contact_categories', sql`s.category_id`)})`,
      },
    },
    ends: { bounded: 'by how many there may be' },
    other: 'id sectorId categoryId replyMinutes endMinutes createdAt',
  },
  (t) => [
    uniqueIndex('sla_targets_one').on(sql`coalesce(${t.sectorId}, 0)`, sql`coalesce(${t.categoryId}, 0)`),
    index('sla_targets_category').on(t.categoryId),
    check(
      'sla_targets_minutes',
      sql`${t.replyMinutes} between 1 and 14400 and ${t.endMinutes} between 1 and 14400`,
    ),
    check('sla_targets_any', sql`num_nonnulls(${t.replyMinutes}, ${t.endMinutes}) > 0`),
  ],
)

/**
 * How a conversation stands to its targets, computed from its messages and holds by a worker. Of each clock:
 * its target, how much of it has run, and when it runs out if nothing happens, all in milliseconds of working
 * hours.
 */
export const slaClocks = table(
  'sla_clocks',
  {
    id: rowId(),
    conversationId: integer('conversation_id')
      .notNull()
      .unique()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** What it was computed from: of what is other, it is computed anew. */
    seen: text('seen').notNull(),
    /** The conversation is completed, and this is how it ended. */
    isOver: boolean('is_over').notNull().default(false),
    /** null: no target. */
    replyTargetMs: bigint('reply_target_ms', { mode: 'number' }),
    replyRunMs: bigint('reply_run_ms', { mode: 'number' }),
    /** When it has run out, or will; null: it rests, or has stopped in time. */
    replyDueAt: at('reply_due_at'),
    /** When it is near its end. */
    replyNearAt: at('reply_near_at'),
    /** null: it has not stopped. */
    replyKept: boolean('reply_kept'),
    endTargetMs: bigint('end_target_ms', { mode: 'number' }),
    endRunMs: bigint('end_run_ms', { mode: 'number' }),
    endDueAt: at('end_due_at'),
    endNearAt: at('end_near_at'),
    endKept: boolean('end_kept'),
    /**
     * Of the clocks, as bits: for which the holder was told that it is near its end, and for which the leads.
     */
    toldHolder: integer('told_holder').notNull().default(0),
    toldLeads: integer('told_leads').notNull().default(0),
  },
  {
    backup: {
      part: 'complete',
      where: ofCompleted(sql`t.conversation_id`),
      label: 'Prazos cumpridos (SLA)',
      restored: {
        match: sql`t.conversation_id = ${mapped('conversations', sql`s.conversation_id`)}`,
        isAdded: isNewIn('conversations', sql`s.conversation_id`),
      },
    },
    ends: withConversation,
    other: `
      id conversationId seen isOver replyTargetMs replyRunMs replyDueAt replyNearAt replyKept endTargetMs
      endRunMs endDueAt endNearAt endKept toldHolder toldLeads
    `,
  },
  (t) => [
    index('sla_clocks_running')
      .on(t.conversationId)
      .where(sql`not ${t.isOver}`),
    // What is near its end is looked for every second.
    index('sla_clocks_reply_near')
      .on(t.replyNearAt)
      .where(sql`not ${t.isOver} and ${t.replyKept} is null and ${t.toldHolder} & ${t.toldLeads} & 1 = 0`),
    index('sla_clocks_end_near')
      .on(t.endNearAt)
      .where(sql`not ${t.isOver} and ${t.endKept} is null and ${t.toldHolder} & ${t.toldLeads} & 2 = 0`),
  ],
)

/**
 * Conversations of which something has changed that their clocks are computed from, written by triggers in
 * the transaction of the change.
 */
export const slaDue = table(
  'sla_due',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    conversationId: integer('conversation_id').notNull(),
  },
  {
    backup: computed,
    ends: drained,
    other: 'id conversationId',
  },
)
