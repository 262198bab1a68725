import { and, asc, desc, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { AppError } from '#shared/errors.ts'
import { type ScheduledMessage, scheduledPageSize } from '#shared/scheduled/scheduled.ts'
import { type ScheduledState, scheduledStates } from '#shared/scheduled/states.ts'
import type { SectorAsked } from '#shared/sectors/sector-asked.ts'
import { pictureUrlOf } from '#shared/users/profile.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { isInReach, readableBy, type Rights, reachOf } from '#server/platform/http/reach.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { reachFactColumns } from '#server/schema/conversations/people.ts'
import { scheduledMessages } from '#server/schema/conversations/outbox.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { files } from '#server/schema/media.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { users } from '#server/schema/users.ts'

export type ScheduledRow = typeof scheduledMessages.$inferSelect

const enders = alias(users, 'enders')
const pictureOf = (userId: SQL) =>
  sql<string | null>`(select ${files.name} from ${files} where ${files.userId} = ${userId} limit 1)`

function select(db: Db) {
  return db
    .select({
      scheduled: getTableColumns(scheduledMessages),
      facts: reachFactColumns,
      contact: { id: contacts.id, name: contacts.name, avatarUrl: contacts.avatarUrl },
      sector: { id: sectors.id, name: sectors.name, color: sectors.color },
      author: { id: users.id, name: users.name, picture: pictureOf(sql`${users.id}`) },
      endedBy: { id: enders.id, name: enders.name, picture: pictureOf(sql`${enders.id}`) },
      message: { id: messages.id, conversationId: messages.conversationId },
      isNumberAway: sql<boolean>`${evolutionApiConfig.status} <> 'open'`,
    })
    .from(scheduledMessages)
    .innerJoin(conversations, eq(conversations.id, scheduledMessages.conversationId))
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .innerJoin(users, eq(users.id, scheduledMessages.authorId))
    .innerJoin(evolutionApiConfig, eq(evolutionApiConfig.id, conversations.instanceId))
    .leftJoin(sectors, eq(sectors.id, conversations.sectorId))
    .leftJoin(enders, eq(enders.id, scheduledMessages.endedById))
    .leftJoin(messages, eq(messages.id, scheduledMessages.messageId))
    .$dynamic()
}

type FullRow = Awaited<ReturnType<typeof select>>[number]

/** Whose schedules somebody sees beside their own: supervisors all, leads those of their sectors. */
function isOverseenBy(who: Rights): SQL | undefined {
  if (who.role !== 'operator') return sql`true`
  const led = who.sectors.filter(({ isLead }) => isLead).map(({ id }) => id)
  return led.length > 0 ? sql`${conversations.sectorId} = any(${sql.param(led)}::int[])` : undefined
}

const isOwnOf = (who: Rights) => eq(scheduledMessages.authorId, who.id)

/** Of conversations that the person may read; their own of all within their reach. */
const isSeenBy = (who: Rights) =>
  and(isInReach(who, conversations), or(isOwnOf(who), readableBy(who) ?? sql`true`))

interface Asked {
  state: ScheduledState
  of: 'mine' | 'all'
  sectorId?: SectorAsked | undefined
  page?: number | undefined
}

/** A page of what somebody sees, with the number of each state; what is to be sent by its time. */
export async function listScheduledFor(
  db: Db,
  who: Rights,
  { state, of, sectorId, page = 1 }: Asked,
): Promise<{ messages: ScheduledMessage[]; counts: Record<ScheduledState, number> }> {
  const isSeen = and(
    isSeenBy(who),
    of === 'mine' ? isOwnOf(who) : or(isOwnOf(who), isOverseenBy(who)),
    sectorId === undefined
      ? undefined
      : sectorId === 'none'
        ? sql`${conversations.sectorId} is null`
        : eq(conversations.sectorId, sectorId),
  )
  const order =
    state === 'pending'
      ? [asc(scheduledMessages.sendAt), asc(scheduledMessages.id)]
      : [desc(scheduledMessages.endedAt), desc(scheduledMessages.id)]
  const found = await select(db)
    .where(and(eq(scheduledMessages.state, state), isSeen))
    .orderBy(...order)
    .limit(scheduledPageSize)
    .offset((page - 1) * scheduledPageSize)
  const counted = await rows<{ state: ScheduledState; n: number }>(
    db,
    sql`select ${scheduledMessages.state} as state, count(*)::int as n
          from ${scheduledMessages}
          join ${conversations} on ${conversations.id} = ${scheduledMessages.conversationId}
         where ${isSeen ?? sql`true`} group by 1`,
  )
  const countOf = (one: ScheduledState) => counted.find((row) => row.state === one)?.n ?? 0
  return {
    messages: found.map((row) => toScheduled(row, who)),
    counts: Object.fromEntries(scheduledStates.map((one) => [one, countOf(one)])) as Record<
      ScheduledState,
      number
    >,
  }
}

/**
 * What waits for the client of a conversation at its number, and what was cancelled by their answer, or not
 * sent, since a day ago; only that of conversations within the person's reach.
 */
const isShownFor = (who: Rights, { contactId, instanceId }: OfClient) =>
  and(
    eq(conversations.contactId, contactId),
    eq(conversations.instanceId, instanceId),
    isSeenBy(who),
    sql`(${scheduledMessages.state} = 'pending'
         or (${scheduledMessages.state} = 'failed' or ${scheduledMessages.reason} = 'answered')
            and ${scheduledMessages.endedAt} > app_now() - interval '1 day')`,
  )

interface OfClient {
  contactId: number
  instanceId: number
}

/** What the chat with a client shows, by its time. */
export async function listOfClient(db: Db, who: Rights, client: OfClient): Promise<ScheduledMessage[]> {
  const found = await select(db)
    .where(isShownFor(who, client))
    .orderBy(asc(scheduledMessages.sendAt), asc(scheduledMessages.id))
    .limit(100)
  return found.map((row) => toScheduled(row, who))
}

export async function countOfClient(db: Db, who: Rights, client: OfClient): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(scheduledMessages)
    .innerJoin(conversations, eq(conversations.id, scheduledMessages.conversationId))
    .where(isShownFor(who, client))
  return row?.count ?? 0
}

/**
 * A scheduled message of a conversation within the person's reach.
 * @throws AppError 404, also for one beyond it
 */
export async function scheduledFor(db: Db, who: Rights, id: number): Promise<FullRow> {
  const [row] = await select(db).where(and(eq(scheduledMessages.id, id), isSeenBy(who)))
  if (!row || !who.flags.canViewConversations) throw new AppError('scheduled.not_found')
  return row
}

/** @throws AppError 404, 403 for somebody who sees it, but may not change it */
export async function expectChangeable(db: Db, who: Rights, id: number): Promise<FullRow> {
  const row = await scheduledFor(db, who, id)
  if (!mayChange(who, row)) throw new AppError('scheduled.not_yours')
  return row
}

/** The author, whoever has the conversation, leads of its sector, and supervisors. */
function mayChange(who: Rights, { scheduled, facts }: Pick<FullRow, 'scheduled' | 'facts'>): boolean {
  if (!who.flags.canEditConversations || reachOf(who, facts) !== 'whole') return false
  if (who.role !== 'operator' || scheduled.authorId === who.id || facts.assignedUserId === who.id) return true
  return who.sectors.some(({ id, isLead }) => isLead && id === facts.sectorId)
}

/** The one serializer. */
export function toScheduled(row: FullRow, who: Rights): ScheduledMessage {
  const { id, conversationId, content, state, reason, cancelOnAnswer, onlyOpen, version } = row.scheduled
  const { sendAt, askedAt, endedAt, createdAt } = row.scheduled
  const person = ({ picture, ...one }: { id: number; name: string; picture: string | null }) => ({
    ...one,
    pictureUrl: pictureUrlOf(picture),
  })
  return {
    id,
    conversationId,
    isCompleted: row.facts.status === 'completed',
    contact: row.contact,
    sector: row.sector,
    author: person(row.author),
    content,
    state,
    reason,
    sendAt: sendAt.toISOString(),
    movedFrom: askedAt < sendAt ? askedAt.toISOString() : null,
    cancelOnAnswer,
    onlyOpen,
    isNumberAway: row.isNumberAway,
    endedAt: endedAt?.toISOString() ?? null,
    endedBy: row.endedBy && person(row.endedBy),
    message: row.message,
    mayChange: (state === 'pending' || state === 'failed') && mayChange(who, row),
    createdAt: createdAt.toISOString(),
    version,
  }
}
