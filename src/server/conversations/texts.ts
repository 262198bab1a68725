import { and, eq } from 'drizzle-orm'
import { fillTemplate, type TemplateValues } from '#shared/template.ts'
import type { Db, Emit } from '#server/platform/db.ts'
import { contacts, companies } from '#server/schema/contacts.ts'
import { outboxPriorities } from '#server/schema/conversations.ts'
import { users } from '#server/schema/users.ts'
import { insertOutgoing, type Locked, type OutgoingMessage } from './write.ts'

/** Sends one of the settings' texts to the contact, when it is set. */
export async function sendAutomatic(
  db: Db,
  emit: Emit,
  conversation: Locked,
  template: string,
  more: Pick<OutgoingMessage, 'messageType' | 'priority'> = {},
): Promise<void> {
  if (template.trim() === '') return
  const content = fillTemplate(template, await valuesOf(db, conversation))
  const priority = more.priority ?? outboxPriorities.automatic
  await insertOutgoing(db, emit, conversation, {
    ...more,
    priority,
    content,
    metadata: { origin: 'automatic' },
  })
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
