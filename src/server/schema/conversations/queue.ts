import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { choiceStages } from '#shared/conversations/conversations.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { momentary } from '#server/schema/declare/backup.ts'
import { month, since } from '#server/schema/declare/ends.ts'
import { gone, ofContact } from '#server/schema/declare/person.ts'
import { table } from '#server/schema/declare/table.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { conversations } from './conversations.ts'
import { sinceOver } from './over.ts'

export const queuePendingConversations = table(
  'queue_pending_conversations',
  {
    id: rowId(),
    conversationId: integer('conversation_id')
      .notNull()
      .unique()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    contactId: integer('contact_id')
      .notNull()
      .references(() => contacts.id),
    registeredAt: at('registered_at').notNull().default(appNow),
    processedAt: at('processed_at'),
    /** The position that the client was told last, or had when it was first looked at; null: neither. */
    toldPosition: integer('told_position'),
    toldAt: at('told_at'),
  },
  {
    backup: momentary,
    ends: { trimmed: { by: 'trim-over', after: month, since: sinceOver } },
    other: 'id conversationId contactId registeredAt processedAt toldPosition toldAt',
  },
)

/** The stages of a stored message: before the choice, and after the client chose not to be attended. */
export const preAttendanceStages = [
  'waiting_option',
  'cancelled',
] as const satisfies readonly (typeof choiceStages)[number][]

/** What a client wrote before they chose whether to be attended. */
export const preAttendanceTemp = table(
  'pre_attendance_temp',
  {
    id: rowId(),
    instanceId: integer('instance_id')
      .notNull()
      .references(() => evolutionApiConfig.id),
    contactId: integer('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** The conversation that stores the messages. */
    conversationId: integer('conversation_id')
      .notNull()
      .unique()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** null: hidden by WhatsApp. */
    phoneNumber: text('phone_number'),
    contactName: text('contact_name').notNull(),
    /** Ids of the messages that arrived before the choice, in the order in which they were written. */
    originalMessage: jsonb('original_message').$type<number[]>().notNull().default([]),
    stage: text('stage', { enum: preAttendanceStages }).notNull().default('waiting_option'),
    createdAt: at('created_at').notNull().default(appNow),
    lastMessageAt: at('last_message_at').notNull().default(appNow),
  },
  {
    backup: momentary,
    ends: {
      trimmed: {
        by: 'undecided-choices',
        after: month,
        since: since('created_at'),
        where: sql`t.stage = 'cancelled'`,
      },
    },
    personal: {
      of: ofContact('contact_id'),
      isDeleted: true,
      columns: { phoneNumber: gone, contactName: gone, originalMessage: gone },
    },
    other: 'id instanceId contactId conversationId stage createdAt lastMessageAt',
  },
  (t) => [
    uniqueIndex('pre_attendance_temp_waiting')
      .on(t.contactId, t.instanceId)
      .where(sql`${t.stage} = 'waiting_option'`),
    index('pre_attendance_temp_created').on(t.createdAt),
    check('pre_attendance_temp_stage', oneOf(t.stage, preAttendanceStages)),
  ],
)
