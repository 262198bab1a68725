import { and, isNull, sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  choiceStages,
  conversationStatuses,
  initiators,
  priorities,
  subStatuses,
  waitingFors,
} from '#shared/conversations/conversations.ts'
import { deliveryStatuses } from '#shared/messages/delivery.ts'
import { messageTypes } from '#shared/messages/message-kinds.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import { senderTypes } from '#shared/messages/messages.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { ofMessages } from '#server/schema/declare/ends.ts'
import { blank, gone, ofContact, ofConversation } from '#server/schema/declare/person.ts'
import { isMapped, isNewIn, mapped } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { users } from '#server/schema/users.ts'
import { isByPhone } from './parts/by-phone.ts'
import { conversationChecks } from './parts/conversation-checks.ts'
import { erasedMetadata } from './parts/erased-metadata.ts'
import { finishReasons } from './finish-reasons.ts'
import { isShownInArchive, ofCompleted } from './over.ts'
import { conversationResource, messageResource } from './parts/resources.ts'

export const conversations = table(
  'conversations',
  {
    id: rowId(),
    instanceId: integer('instance_id')
      .notNull()
      .references(() => evolutionApiConfig.id),
    contactId: integer('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** YYYYMMDD and six digits. */
    protocol: text('protocol').notNull().unique(),
    assignedUserId: integer('assigned_user_id').references(() => users.id),
    /** null: 'Sem setor'. */
    sectorId: integer('sector_id').references(() => sectors.id),
    status: text('status', { enum: conversationStatuses }).notNull().default('waiting'),
    subStatus: text('sub_status', { enum: subStatuses }).notNull().default('FILA'),
    waitingFor: text('waiting_for', { enum: waitingFors }).notNull().default('operator'),
    waitingSince: at('waiting_since'),
    priority: text('priority', { enum: priorities }).notNull().default('normal'),
    initiatedBy: text('initiated_by', { enum: initiators }).notNull().default('contact'),
    disableAutoClose: boolean('disable_auto_close').notNull().default(false),
    /** Created only to store what nobody has to answer: history, or written on the connected phone. */
    isHistory: boolean('is_history').notNull().default(false),
    // The client's choice before the conversation began; null: they were not asked. While they have not
    // chosen, and after they chose to end it, the conversation is 'completed'.
    preAttendanceStage: text('pre_attendance_stage', { enum: choiceStages }),
    startedAt: at('started_at').notNull().default(appNow),
    completedAt: at('completed_at'),
    lastActivityAt: at('last_activity_at').notNull().default(appNow),
    /** When the client was last warned of the closing for inactivity; a later message begins another one. */
    inactivityWarnedAt: at('inactivity_warned_at'),
    /** When the clock of the automatic close last began without a message, as when it was switched on. */
    autoCloseFrom: at('auto_close_from'),
    /** When the client was asked for a rating; null again after their next message. */
    ratingAskedAt: at('rating_asked_at'),
    /** Until when it is on hold ('Lembrar'), and why, which stays for the return. */
    snoozedUntil: at('snoozed_until'),
    snoozeReason: text('snooze_reason'),
    /** When it returned by the clock; null once its operator has opened it. */
    returnedAt: at('returned_at'),
    /** Until when its end can be undone, and the client is told nothing of it. Set by now(). */
    heldUntil: at('held_until'),
    satisfaction: integer('satisfaction'),
    /** Of a completed one: why it ended, as a person has said. */
    finishReasonId: integer('finish_reason_id').references(() => finishReasons.id),
    /** Ids of `conversation_tags`, in their order. */
    tagIds: integer('tag_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    notes: text('notes'),
    messageCount: integer('message_count').notNull().default(0),
    /** How many of the counted are the contact's: those beyond a person's read position are unread. */
    contactMessageCount: integer('contact_message_count').notNull().default(0),
    // The newest message that no automatic text is, shown in lists. A trigger of the migration makes it null
    // when that message is deleted: a foreign key would need an index, which each new message would change.
    lastMessageId: integer('last_message_id'),
    /** The newest message for which the client got a read receipt. */
    receiptMessageId: integer('receipt_message_id'),
    /** The newest message whose receipt is not known to be sent: the call is under way, or failed. */
    receiptDueId: integer('receipt_due_id'),
    /** Incremented by every change; a writer states the version that it has seen. */
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      where: ofCompleted(sql`t.id`),
      label: 'Conversas',
      restored: {
        match: sql`t.contact_id = ${mapped('contacts', sql`s.contact_id`)}
          and t.instance_id = ${mapped('evolution_api_config', sql`s.instance_id`)}
          and t.started_at = s.started_at`,
        isAdded: sql`not exists (select from erased_contacts e where e.source = s.contact_id)
          and ${isMapped('contacts', sql`s.contact_id`)}`,
      },
    },
    resource: conversationResource,
    ends: { kept: 'a person or a cleanup deletes it, once it is completed' },
    personal: {
      of: ofContact('contact_id'),
      columns: {
        notes: gone,
        snoozeReason: gone,
        ratingAskedAt: gone,
        receiptDueId: gone,
        preAttendanceStage: sql`case when pre_attendance_stage = 'waiting_option' then 'cancelled'
                                   else pre_attendance_stage end`,
        version: sql`version + 1`,
      },
    },
    other: `
      id instanceId contactId protocol assignedUserId sectorId status subStatus waitingFor waitingSince
      priority initiatedBy disableAutoClose isHistory startedAt completedAt lastActivityAt inactivityWarnedAt
      autoCloseFrom snoozedUntil returnedAt heldUntil satisfaction finishReasonId tagIds messageCount
      contactMessageCount lastMessageId receiptMessageId createdAt
    `,
  },
  (t) => [
    uniqueIndex('conversations_one_open')
      .on(t.contactId, t.instanceId)
      .where(sql`${t.status} <> 'completed'`),
    index('conversations_open')
      .on(t.startedAt, t.id)
      .where(sql`${t.status} <> 'completed'`),
    index('conversations_queue')
      .on(t.startedAt, t.id)
      .where(sql`${t.status} <> 'completed' and ${t.subStatus} = 'FILA' and ${t.waitingFor} = 'operator'`),
    index('conversations_completed')
      .on(t.completedAt, t.id)
      .where(sql`${t.status} = 'completed'`),
    index('conversations_archived')
      .on(t.completedAt, t.id)
      .where(sql.join([sql`${t.status} = 'completed'`, isShownInArchive(t.preAttendanceStage)], sql` and `)),
    index('conversations_rating_asked')
      .on(t.contactId)
      .where(sql`${t.ratingAskedAt} is not null`),
    index('conversations_assigned')
      .on(t.assignedUserId)
      .where(sql`${t.status} <> 'completed'`),
    index('conversations_contact').on(t.contactId),
    index('conversations_sector')
      .on(t.sectorId, t.completedAt, t.id)
      .where(sql`${t.sectorId} is not null`),
    index('conversations_finish_reason')
      .on(t.finishReasonId, t.completedAt, t.id)
      .where(sql`${t.finishReasonId} is not null`),
    index('conversations_snoozed')
      .on(t.snoozedUntil)
      .where(sql`${t.snoozedUntil} is not null`),
    index('conversations_tags')
      .using('gin', t.tagIds)
      .where(sql`${t.tagIds} <> '{}'`),
    index('conversations_receipt_due')
      .on(t.id)
      .where(sql`${t.receiptDueId} is not null`),
    ...conversationChecks(t),
  ],
)

/** Open conversations. Not by `ne(…)`: with a parameter no plan for all values can use partial indexes. */
export const isOpen = sql`${conversations.status} <> 'completed'`

export const messages = table(
  'messages',
  {
    id: rowId(),
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    instanceId: integer('instance_id')
      .notNull()
      .references(() => evolutionApiConfig.id),
    senderId: integer('sender_id').references(() => users.id),
    senderType: text('sender_type', { enum: senderTypes }).notNull(),
    content: text('content').notNull(),
    messageType: text('message_type', { enum: messageTypes }).notNull().default('text'),
    fileName: text('file_name'),
    fileUrl: text('file_url'),
    fileMimeType: text('file_mime_type'),
    fileSize: bigint('file_size', { mode: 'number' }),
    whatsappMessageId: text('whatsapp_message_id'),
    clientMessageId: text('client_message_id'),
    /** The gateway's id of the quoted message. */
    quotedWhatsappId: text('quoted_whatsapp_id'),
    /** The quoted text, in case the quoted message is unknown here. */
    quotedContent: text('quoted_content'),
    metadata: jsonb('metadata').$type<MessageMetadata>().notNull().default({}),
    deliveryStatus: text('delivery_status', { enum: deliveryStatuses }),
    failureReason: text('failure_reason'),
    /** Of our own: when WhatsApp had it, by its clock of whole seconds. Before 0.3 nobody noted it. */
    acceptedAt: at('accepted_at'),
    /** When we heard that it was delivered, and read. */
    deliveredAt: at('delivered_at'),
    readAt: at('read_at'),
    /** For an answer: how long the client had waited, in milliseconds. */
    responseMs: bigint('response_ms', { mode: 'number' }),
    editedAt: at('edited_at'),
    /** False: the last edit was made at `edited_at` or before. */
    isEditTimeExact: boolean('is_edit_time_exact').notNull().default(true),
    deletedAt: at('deleted_at'),
    isPinned: boolean('is_pinned').notNull().default(false),
    /** By the gateway's clock: an older change that arrives late has no effect. */
    pinChangedAt: at('pin_changed_at'),
    sortAt: at('sort_at').notNull(),
    sentAt: at('sent_at').notNull(),
    createdAt: at('created_at').notNull().default(appNow),
    version: integer('version').notNull().default(1),
  },
  {
    backup: {
      part: 'complete',
      where: ofCompleted(sql`t.conversation_id`),
      label: 'Mensagens',
      restored: {
        match: sql`t.instance_id = ${mapped('evolution_api_config', sql`s.instance_id`)}
          and t.whatsapp_message_id = s.whatsapp_message_id`,
        isAdded: isNewIn('conversations', sql`s.conversation_id`),
      },
    },
    resource: messageResource,
    ends: ofMessages,
    personal: {
      of: ofConversation('conversation_id'),
      columns: {
        content: blank,
        fileName: gone,
        fileUrl: gone,
        fileMimeType: gone,
        quotedWhatsappId: gone,
        quotedContent: gone,
        metadata: erasedMetadata,
        // What is not known to have left counts as not sent; the proof that it was may still come.
        deliveryStatus: sql`case when delivery_status not in ('pending', 'sending', 'unknown')
                               then delivery_status end`,
        version: sql`version + 1`,
      },
    },
    other: `
      id conversationId instanceId senderId senderType messageType fileSize whatsappMessageId
      clientMessageId failureReason acceptedAt deliveredAt readAt responseMs editedAt isEditTimeExact
      deletedAt isPinned pinChangedAt sortAt sentAt createdAt
    `,
  },
  (t) => [
    unique('messages_whatsapp_id').on(t.instanceId, t.whatsappMessageId),
    unique('messages_client_id').on(t.conversationId, t.clientMessageId),
    index('messages_order').on(t.conversationId, t.sortAt, t.id),
    // Find out who answered last: an operator, or somebody on the connected phone, by a message or a call.
    index('messages_by_operators')
      .on(t.conversationId, t.id)
      .where(sql`${t.senderId} is not null and ${t.deliveryStatus} is not null`),
    index('messages_by_phone').on(t.conversationId, t.sentAt, t.id).where(isByPhone(t.metadata)),
    // With the value, so that a mean of a month is read from the index alone.
    index('messages_response')
      .on(t.sortAt, t.responseMs)
      .where(sql`${t.responseMs} is not null`),
    // What people did on a day, of whatever conversation.
    index('messages_acts')
      .on(t.sortAt)
      .where(sql`${t.messageType} = 'event'`),
    // Those that came late, of whatever conversation: counted while they come.
    index('messages_recovered')
      .on(t.createdAt)
      .where(sql`${t.metadata} ? 'recovered'`),
    // Those of a conversation are counted and shown beside it, however long it is.
    index('messages_notes')
      .on(t.conversationId, t.sortAt, t.id)
      .where(sql`${t.messageType} = 'note'`),
    check('messages_sender_type', oneOf(t.senderType, senderTypes)),
    check('messages_type', oneOf(t.messageType, messageTypes)),
    check('messages_delivery_status', oneOf(t.deliveryStatus, deliveryStatuses)),
    // A note is of the team, and WhatsApp never knows of it: triggers of the migration hold the rest.
    check(
      'messages_note_stays_inside',
      sql`${t.messageType} <> 'note' or ${and(
        sql`${t.senderType} = 'user'`,
        isNull(t.deliveryStatus),
        isNull(t.whatsappMessageId),
      )}`,
    ),
    check('messages_contact_has_no_sender', sql`${t.senderType} = 'user' or ${t.senderId} is null`),
  ],
)
