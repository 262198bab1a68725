import { sql } from 'drizzle-orm'
import { registerInQueue } from '#server/automation/automation.ts'
import type { SystemSettings } from '#shared/settings.ts'
import type { KnownContact } from '#server/contacts/contacts.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { wantFiles } from '#server/media/media.ts'
import { type Db, rows, tableOf, type Tx } from '#server/platform/database/db.ts'
import { messages } from '#server/schema/conversations.ts'
import {
  arrivedValues,
  bringsFile,
  historyAfterMs,
  recoveredAfterMs,
} from '#server/conversations/messages/append.ts'
import { mayBeAnswered, mayBeGreeted } from '#server/conversations/automatic/greeting.ts'
import { mayBeChosenAnew } from '#server/conversations/automatic/pre-attendance.ts'
import { insertConversations, lateMs } from '#server/conversations/store/write.ts'
import { type Locked } from '#server/conversations/store/lock.ts'

export type Arrived = Extract<GatewayEvent, { kind: 'message' }>

interface Batch {
  events: Arrived[]
  /** Of each event, held; undefined when it is not for us. */
  contacts: (KnownContact | undefined)[]
  /** By contact, locked. */
  open: Map<number, Locked>
  settings: SystemSettings
}

interface Item {
  n: number
  event: Arrived
  contactId: number
  conversation: Locked | undefined
}

interface Facts extends Record<string, unknown> {
  n: number
  now: string
  /** Where the newest message of the conversation stands. */
  last: string | null
  /** Nothing speaks against appending it at the end, as the answer that the client now waits for. */
  isPlain: boolean
}

/**
 * Appends what known clients write now: to their open conversations, or to new ones.
 * @returns for each event whether it is done
 */
export async function appendPlain(db: Tx, instanceId: number, batch: Batch): Promise<boolean[]> {
  // Who is blocked is not heard, and that is all.
  const done = batch.contacts.map((contact) => contact?.isBlocked ?? false)
  const items = batch.events.flatMap((event, n): Item[] => {
    const contact = batch.contacts[n]
    if (!contact || contact.isBlocked) return []
    return [{ n, event, contactId: contact.id, conversation: batch.open.get(contact.id) }]
  })
  if (items.length === 0) return done
  await lockWaIds(db, instanceId, items)
  const facts = new Map((await factsOf(db, instanceId, items, batch.settings)).map((row) => [row.n, row]))
  const plain = items.filter((item) => {
    const fact = facts.get(item.n)
    return fact?.isPlain && isLeftUnanswered(item, batch.settings, new Date(fact.now))
  })
  const ready = await openMissing(db, instanceId, plain)
  const written = await write(db, ready, facts)
  for (const one of written) {
    tell(db, one)
    done[one.n] = true
  }
  const withFile = written.filter(({ event }) => bringsFile(event))
  await wantFiles(
    db,
    withFile.map(({ messageId }) => messageId),
  )
  if (withFile.length > 0) db.signal('media')
  return done
}

/** Nothing is asked or told by itself because of it. */
function isLeftUnanswered({ event, conversation }: Item, settings: SystemSettings, now: Date): boolean {
  if (!conversation) return !mayBeGreeted(settings, event, now)
  return !mayBeAnswered(settings, event, now) && !mayBeChosenAnew(conversation, event.sentAt ?? now)
}

type Ready = Item & { conversation: Locked; isNew: boolean }
type Written = Ready & { messageId: number }

/** From here on nobody else gives these ids to a message, or puts news of them aside. @see delivery.ts lockWaId */
async function lockWaIds(db: Db, instanceId: number, items: Item[]): Promise<void> {
  const names = items.map(({ event }) => `message:${instanceId}:${event.waId}`).sort()
  await db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
          from ${tableOf(
            'ordered',
            names.map((name) => ({ name })),
            { name: 'text' },
          )}`,
  )
}

/**
 * What is not plain: a message that came meanwhile, one that was deleted here, one of which there is news already, one that is history by its age,
 * one that is late and does not belong at the end, a rating or a choice of somebody who was asked, one that was answered on the connected phone before it came, and the
 * first of a conversation that takes such answers over.
 * Not by 'exists', which the planner may answer by reading a whole table once a batch.
 */
function factsOf(db: Db, instanceId: number, items: Item[], settings: SystemSettings): Promise<Facts[]> {
  const asked = items.map(({ n, event, contactId, conversation }) => ({
    n,
    waId: event.waId,
    contactId,
    conversationId: conversation?.id ?? null,
    startedAt: conversation?.startedAt.toISOString() ?? null,
    sentAt: event.sentAt?.toISOString() ?? null,
  }))
  const askedTypes = {
    n: 'int',
    waId: 'text',
    contactId: 'int',
    conversationId: 'int',
    startedAt: 'timestamptz',
    sentAt: 'timestamptz',
  }
  return rows<Facts>(
    db,
    sql`select a.n, app_now()::text as now,
               (select max(m.sort_at)::text from messages m where m.conversation_id = a."conversationId") as last,
               coalesce(a."sentAt", app_now()) between app_now() - ${historyAfterMs} * interval '1 millisecond'
                                                 and app_now() + interval '2 minutes'
               and (coalesce(a."sentAt", app_now()) >= app_now() - ${lateMs} * interval '1 millisecond'
                    or a."sentAt" >= a."startedAt" and a."sentAt" >= (
                         select max(m.sort_at) from messages m where m.conversation_id = a."conversationId"))
               and (select 1 from messages m where m.instance_id = ${instanceId}
                       and m.whatsapp_message_id = a."waId" limit 1) is null
               and (select 1 from pending_updates p where p.instance_id = ${instanceId}
                       and p.whatsapp_message_id = a."waId" limit 1) is null
               and (select 1 from forgotten_messages f where f.instance_id = ${instanceId}
                       and f.whatsapp_message_id = a."waId" limit 1) is null
               and (select 1 from messages m where m.conversation_id = a."conversationId"
                       and ${settings.phoneAnswersCount} and m.sent_at >= coalesce(a."sentAt", app_now())
                       and (m.metadata ->> 'origin' in ('phone', 'api')
                            or m.metadata #>> '{call,outcome}' = 'answered') limit 1) is null
               and (a."conversationId" is not null
                    or (select 1 from conversations r where r.contact_id = a."contactId" and r.instance_id = ${instanceId}
                           and (r.rating_asked_at is not null or r.pre_attendance_stage = 'waiting_option') limit 1) is null
                   and (select 1 from conversations h join messages m on m.conversation_id = h.id
                         where h.contact_id = a."contactId" and h.instance_id = ${instanceId} and h.is_history
                           and m.sender_type = 'user' and m.sent_at > coalesce(a."sentAt", app_now()) limit 1) is null)
               as "isPlain"
          from ${tableOf('a', asked, askedTypes)}`,
  )
}

/** Whoever has no open conversation gets one; somebody else may just have opened it, and then it is left to the next try. */
async function openMissing(db: Tx, instanceId: number, items: Item[]): Promise<Ready[]> {
  const missing = items.filter((item) => !item.conversation)
  const made = await insertConversations(
    db,
    missing.map(({ contactId }) => ({ instanceId, contactId, initiatedBy: 'contact' as const })),
  )
  const byContact = new Map(made.map((conversation) => [conversation.contactId, conversation]))
  await registerInQueue(db, made)
  return items.flatMap((item) => {
    const conversation = item.conversation ?? byContact.get(item.contactId)
    return conversation ? [{ ...item, conversation, isNew: !item.conversation }] : []
  })
}

async function write(db: Db, items: Ready[], facts: Map<number, Facts>): Promise<Written[]> {
  if (items.length === 0) return []
  const values = items.map(({ n, event, conversation }) => {
    const { now, last } = facts.get(n) as Facts
    const at = new Date(now)
    const sentAt = event.sentAt ?? at
    const ageMs = at.getTime() - sentAt.getTime()
    // 'Now' never falls before what is there already, so that order is the order of the locks.
    const end = last !== null && new Date(last) > at ? new Date(last) : at
    const sortAt = ageMs > lateMs ? sentAt : end
    return {
      ...arrivedValues(event, ageMs > recoveredAfterMs),
      conversationId: conversation.id,
      instanceId: conversation.instanceId,
      sentAt,
      sortAt,
      createdAt: at,
    }
  })
  const inserted = await db
    .insert(messages)
    .values(values)
    .returning({ id: messages.id, conversationId: messages.conversationId, sortAt: messages.sortAt })
  const changes = inserted.map((row) => ({
    id: row.conversationId,
    messageId: row.id,
    at: row.sortAt.toISOString(),
  }))
  await db.execute(
    sql`update conversations c
           set message_count = c.message_count + 1, contact_message_count = c.contact_message_count + 1,
               last_message_id = u."messageId", version = c.version + 1,
               waiting_for = 'operator', waiting_since = coalesce(c.waiting_since, u.at),
               last_activity_at = greatest(c.last_activity_at, u.at)
          from ${tableOf('u', changes, { id: 'int', messageId: 'int', at: 'timestamptz' })}
         where c.id = u.id`,
  )
  const messageIds = new Map(inserted.map((row) => [row.conversationId, row.id]))
  return items.flatMap((item) => {
    const messageId = messageIds.get(item.conversation.id)
    return messageId === undefined ? [] : [{ ...item, messageId }]
  })
}

/** As `receiveMessage` tells it; a conversation that is new here begins with a message of now. */
function tell(db: Tx, { conversation, isNew, messageId }: Written): void {
  const conversationId = conversation.id
  if (isNew) {
    db.emit({ type: 'new_conversation_with_sound', conversationId })
    db.emit({ type: 'queue_changed' })
  }
  db.emit({ type: 'message_received', conversationId, messageId })
  if (conversation.assignedUserId !== null)
    db.emit({
      type: 'customer_message_notification',
      userId: conversation.assignedUserId,
      conversationId,
      messageId,
    })
  if (!isNew && conversation.subStatus === 'FILA' && conversation.waitingFor !== 'operator')
    db.emit({ type: 'queue_changed' })
}
