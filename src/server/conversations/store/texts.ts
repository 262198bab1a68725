import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { maskPhonesIn } from '#shared/contacts/masked-phone.ts'
import { fillTemplate, nameIn, type TemplateValues } from '#shared/text/template.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { contacts, companies } from '#server/schema/contacts/contacts.ts'
import { outboxPriorities } from '#server/schema/conversations/outbox.ts'
import { users } from '#server/schema/users.ts'
import { insertOutgoing, type OutgoingMessage } from './insert-outgoing.ts'
import type { Locked } from './lock.ts'
import { recount } from './write.ts'

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
 * Sends one of the settings' texts to the contact of a locked conversation, unless it shows nothing or the
 * number is switched off: it would wait, and go out when nobody expects it any more.
 * @param written text to send instead of that of the settings
 * @param menu the sectors that it offers
 * @param heldFor as of `insertOutgoing`
 * @returns whether it was sent
 */
export async function sendAutomatic(
  db: Tx,
  conversation: Locked,
  text: AutomaticText,
  {
    settings,
    position,
    written,
    menu,
    heldFor,
  }: {
    settings: SystemSettings
    position?: number
    written?: string
    menu?: readonly number[] | undefined
    heldFor?: SQL | undefined
  },
): Promise<boolean> {
  const template = written ?? settings[text]
  const { isNumberOff, ...values } = await templateValuesOf(db, conversation)
  if (isNumberOff) return false
  const content = fillTemplate(template, {
    ...values,
    // Whom the client was transferred to, which is the sector while nobody of it has them.
    ...(text === 'transferMessage' && values.operator === '' && { operator: values.sector ?? '' }),
    ...(position !== undefined && { position: String(position) }),
  })
  // Only fields without a value, or nothing at all.
  if (showsNothing(content)) return false
  await insertOutgoing(db, conversation, {
    priority: outboxPriorities.automatic,
    ...kinds[text],
    heldFor,
    content,
    metadata: { origin: 'automatic', text, ...(menu && { menu: [...menu] }) },
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

/** What stands for the placeholders of a text to the contact of a conversation; '' where it has no value. */
export async function templateValuesOf(
  db: Db,
  conversation: Pick<Locked, 'contactId' | 'instanceId' | 'sectorId' | 'assignedUserId' | 'protocol'>,
): Promise<TemplateValues & { isNumberOff: boolean }> {
  const [row] = await db
    .select({
      contact: contacts.name,
      company: companies.name,
      operator: users.name,
      sector: sql<string | null>`(select s.name from sectors s where s.id = ${conversation.sectorId}::int)`,
      isNumberOff: sql<boolean>`exists (
        select from evolution_api_config g where g.id = ${conversation.instanceId} and not g.is_active)`,
    })
    .from(contacts)
    .leftJoin(companies, eq(companies.id, contacts.companyId))
    .leftJoin(users, and(eq(users.id, conversation.assignedUserId ?? 0)))
    .where(eq(contacts.id, conversation.contactId))
  return {
    protocol: conversation.protocol,
    contact: row?.contact ?? '',
    company: row?.company ?? '',
    operator: row?.operator ?? '',
    sector: row?.sector ?? '',
    isNumberOff: row?.isNumberOff ?? false,
  }
}

/** Fields of which people have made the values, who may have written a telephone number. */
const namesOfClients: readonly string[] = ['contact', 'firstName', 'company']

/**
 * What a placeholder shows in a text that a person writes; undefined where it has no value, or one with a
 * number that is hidden from them.
 * @param placeholder with its braces
 */
export function valueFor(
  { hidesPhones }: { hidesPhones: boolean },
  placeholder: string,
  values: TemplateValues,
): string | undefined {
  const value = fillTemplate(placeholder, values).trim()
  const isHidden = hidesPhones && namesOfClients.includes(nameIn(placeholder))
  return value === '' || (isHidden && maskPhonesIn(value) !== value) ? undefined : value
}

/** Tell a client of the queue, and are wrong once somebody attends or the conversation has ended. */
const ofQueue = ['queueWelcomeMessage', 'queueMessage', 'queuePositionUpdateMessage'] as const
/** Ask a client to choose before the queue, or take leave of one who has chosen to go. */
const ofChoice = [
  'preAttendanceMessage',
  'preAttendanceInvalidMessage',
  'preAttendanceCancelMessage',
] as const

/** Warn a client who is silent. */
const ofSilence = ['inactivityWarningMessage'] as const

/** What has happened, and the automatic texts that have lost their reason by it. */
const lostBy = {
  'attended or ended': [...ofQueue, ...ofChoice, ...ofSilence],
  'client wrote': ofSilence,
} as const satisfies Record<string, readonly AutomaticText[]>

/**
 * Withdraws the automatic texts of a locked conversation that have lost their reason before a first attempt
 * to send them. A line of the timeline stands in their place. One that a worker is claiming is sent.
 */
export async function withdrawTexts(db: Tx, { id }: Locked, happened: keyof typeof lostBy): Promise<void> {
  const withdrawn = await withdraw(db, sql`select ${id}::int`, lostBy[happened])
  if (withdrawn.length > 0) await recount(db, id)
}

/** What takes leave of a client, and asks how it was. */
const closing = ['finalizationMessage', 'ratingMessage', 'inactivityMessage'] as const

/** Ended conversations 'v' of a contact 'a' in which such texts wait. */
export const withClosing = sql`
  select v.id from conversations v join outbox o on o.conversation_id = v.id and o.state = 'pending'
   where v.contact_id = a."contactId" and v.instance_id = a."instanceId" and v.status = 'completed'`

/** Withdraws what would take leave, by that number, of a client who has just begun another conversation. */
export async function withdrawClosing(db: Tx, instanceId: number, contactId: number): Promise<void> {
  const of = sql`(select ${contactId}::int as "contactId", ${instanceId}::int as "instanceId") a`
  await withdraw(db, sql`select ended.id from ${of} cross join lateral (${withClosing}) ended`, closing)
}

/** @returns the ids of the messages that stand as lines now */
async function withdraw(
  db: Tx,
  conversationIds: SQL,
  texts: readonly AutomaticText[],
): Promise<{ id: number }[]> {
  const withdrawn = await rows<{ id: number }>(
    db,
    sql`with obsolete as (
          select o.id, o.message_id from outbox o join messages m on m.id = o.message_id
           where o.conversation_id in (${conversationIds}) and o.state = 'pending' and o.tries = 0
             and m.metadata ->> 'text' = any(${sql.param(texts)}::text[])
             for update of o skip locked),
        cancelled as (
          update outbox set state = 'cancelled' where id in (select id from obsolete))
        update messages set message_type = 'event', content = '', delivery_status = null,
               metadata = '{"event": {"act": "text_withdrawn"}}', version = version + 1
         where id in (select message_id from obsolete)
        returning id`,
  )
  // What comes after them is no longer blocked.
  if (withdrawn.length > 0) db.signal('outbox')
  return withdrawn
}
