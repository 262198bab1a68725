import { and, eq, sql } from 'drizzle-orm'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { fillTemplate, type TemplateValues } from '#shared/text/template.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import type { Db } from '#server/platform/database/db.ts'
import { rows, type Tx } from '#server/platform/database/db.ts'
import { contacts, companies } from '#server/schema/contacts/contacts.ts'
import { outboxPriorities } from '#server/schema/conversations/outbox.ts'
import { users } from '#server/schema/users.ts'
import { insertOutgoing, type OutgoingMessage } from './insert-outgoing.ts'
import { type Locked } from './lock.ts'

/** A text that comes just before a person's message is as urgent as that. */
const beforePerson = { priority: outboxPriorities.person } as const

/** Every automatic text, by its setting, and how it is stored. @see decisions §3 Texts */
const kinds = {
  warningMessage: { messageType: 'warning_auto', ...beforePerson },
  operatorInitiatedWarningMessage: { messageType: 'operator_initiated_warning', ...beforePerson },
  transferMessage: {},
  finalizationMessage: {},
  inactivityMessage: {},
  inactivityWarningMessage: {},
  autoReplyMessage: {},
  queueWelcomeMessage: { messageType: 'queue_welcome' },
  queueMessage: { messageType: 'queue_notification' },
  queuePositionUpdateMessage: { messageType: 'queue_position' },
  preAttendanceMessage: {},
  preAttendanceInvalidMessage: {},
  preAttendanceCancelMessage: {},
  blockedFileMessage: {},
  ratingMessage: {},
} as const satisfies Partial<Record<keyof SystemSettings, Pick<OutgoingMessage, 'messageType' | 'priority'>>>
export type AutomaticText = keyof typeof kinds

/**
 * Sends one of the settings' texts to the contact of a locked conversation, unless it shows nothing.
 * @param written text to send instead of that of the settings
 * @returns whether it was sent
 */
export async function sendAutomatic(
  db: Tx,
  conversation: Locked,
  text: AutomaticText,
  { settings, position, written }: { settings: SystemSettings; position?: number; written?: string },
): Promise<boolean> {
  const template = written ?? settings[text]
  const values = await valuesOf(db, conversation)
  const content = fillTemplate(template, {
    ...values,
    ...(position !== undefined && { position: String(position) }),
  })
  // Only fields without a value, or nothing at all.
  if (showsNothing(content)) return false
  await insertOutgoing(db, conversation, {
    priority: outboxPriorities.automatic,
    ...kinds[text],
    content,
    metadata: { origin: 'automatic', text },
  })
  return true
}

/** When one of the texts was last sent in a conversation; undefined: never. */
export async function lastSent(
  db: Db,
  conversationId: number,
  ...texts: AutomaticText[]
): Promise<Date | undefined> {
  const [row] = await rows<{ at: string | null }>(
    db,
    sql`select max(created_at)::text as at from messages
         where conversation_id = ${conversationId}
           and metadata ->> 'text' = any(${sql.param(texts)}::text[])`,
  )
  return row?.at ? new Date(row.at) : undefined
}

async function valuesOf(db: Db, conversation: Locked): Promise<TemplateValues> {
  const [row] = await db
    .select({ contact: contacts.name, company: companies.name, operator: users.name })
    .from(contacts)
    .leftJoin(companies, eq(companies.id, contacts.companyId))
    .leftJoin(users, and(eq(users.id, conversation.assignedUserId ?? 0)))
    .where(eq(contacts.id, conversation.contactId))
  return {
    protocol: conversation.protocol,
    contact: row?.contact ?? '',
    company: row?.company ?? '',
    operator: row?.operator ?? '',
  }
}
