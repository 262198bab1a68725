import { eq, sql } from 'drizzle-orm'
import type { ArchivedDetail, ArchivedStep, ConversationFormat } from '#shared/conversations/archive.ts'
import type { Row } from '#shared/endpoint.ts'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import type { Message } from '#shared/messages/messages.ts'
import {
  exportArchived,
  searchArchived,
  listArchivedMessages,
  getArchived,
} from '#shared/conversations/archive.ts'
import { record } from '#server/audit/audit.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { conversationRatings } from '#server/schema/conversations/ratings.ts'
import {
  conversationNotFound,
  expectReadable,
  noteReading,
  type Readable,
  seesTracking,
} from '#server/conversations/store/access.ts'
import { listMessageRows, placeOf, trackingTypes } from '#server/conversations/store/message-rows.ts'
import { listConversationRows } from '#server/conversations/store/rows.ts'
import { toConversation, toMessage } from '#server/conversations/store/serializers.ts'
import { hitsOfOne } from './hits.ts'

/** The rows about those of others. */
const ofOthers = getArchived.rows['GET /api/conversations/archived/{other}']
const messagesOfOthers = listArchivedMessages.rows['GET /api/conversations/archived/{other}/messages']

/**
 * A conversation of the archive, with what happened to it.
 * @throws AppError 404 for one that the person does not see, or that is open
 */
export async function archivedDetailFor(database: Database, who: Who, id: number): Promise<ArchivedDetail> {
  await expectArchived(database, who, id, ofOthers)
  return readDetail(database, id)
}

async function readDetail(database: Database, id: number): Promise<ArchivedDetail> {
  const [row] = await listConversationRows(database, [id])
  if (!row) throw conversationNotFound()
  const conversation = toConversation(row)
  const [[contact], [rating], events] = await Promise.all([
    database
      .select({ tags: contacts.tags })
      .from(contacts)
      .where(eq(contacts.id, row.conversation.contactId)),
    database.select().from(conversationRatings).where(eq(conversationRatings.conversationId, id)),
    listSteps(database, id),
  ])
  const { startedAt, completedAt, initiatedBy, assignedUser } = conversation
  const by = initiatedBy === 'operator' ? (assignedUser?.name ?? null) : null
  const steps: ArchivedStep[] = [
    { at: startedAt, kind: 'started', name: by, to: null },
    ...events.flatMap(({ act, ...event }): ArchivedStep[] => {
      const kind = stepOf[act]
      return kind ? [{ ...event, kind }] : []
    }),
  ]
  const ended = events.findLast(({ act }) => enders[act])
  return {
    ...conversation,
    tags: contact?.tags ?? [],
    steps: [
      ...steps,
      ...(completedAt
        ? [{ at: completedAt, kind: 'ended' as const, name: ended?.name ?? null, to: null }]
        : []),
      ...(rating
        ? [{ at: rating.createdAt.toISOString(), kind: 'rated' as const, name: null, to: null }]
        : []),
    ].sort((a, b) => a.at.localeCompare(b.at)),
    endedBy: row.conversation.isHistory ? 'history' : ended ? (enders[ended.act] ?? null) : null,
    rating: rating
      ? {
          serviceRating: rating.serviceRating,
          operatorRating: rating.operatorRating,
          feedback: rating.feedback,
          createdAt: rating.createdAt.toISOString(),
        }
      : null,
  }
}

type Act = ConversationAct | 'replied'

const stepOf: Partial<Record<Act, ArchivedStep['kind']>> = {
  taken: 'taken',
  assigned: 'assigned',
  distributed: 'distributed',
  transferred: 'transferred',
  moved: 'moved',
  returned: 'returned',
  replied: 'replied',
}

const enders: Partial<Record<Act, NonNullable<ArchivedDetail['endedBy']>>> = {
  finalized: 'person',
  closed_by_inactivity: 'inactivity',
  blocked: 'blocked',
  closed_as_blocked: 'blocked',
  anonymized: 'anonymized',
}

interface Step extends Record<string, unknown> {
  at: string
  act: Act
  name: string | null
  to: string | null
}

/** The events of the conversation, and the first reply of a person, in order. */
async function listSteps(db: Db, conversationId: number): Promise<Step[]> {
  const found = await rows<Step>(
    db,
    sql`select * from (
          select m.sort_at as at, m.id, m.metadata #>> '{event,act}' as act, u.name,
                 m.metadata #>> '{event,to}' as "to"
            from messages m left join users u on u.id = m.sender_id
           where m.conversation_id = ${conversationId} and m.message_type = 'event'
          union all
          (select m.sort_at, m.id, 'replied', u.name, null
            from messages m left join users u on u.id = m.sender_id
           where m.conversation_id = ${conversationId} and m.sender_id is not null
             and m.delivery_status is not null
           order by m.sort_at, m.id limit 1)) s
         order by at, id`,
  )
  return found.map(({ at, act, name, to }) => ({ at: new Date(at).toISOString(), act, name, to }))
}

/**
 * A page of the messages of a conversation of the archive, oldest first.
 * @param asked `messageId` for the page that has this message, instead of a number
 * @throws AppError as `archivedDetailFor`
 */
export async function archivedMessages(
  database: Database,
  who: Who,
  id: number,
  { page, limit, messageId }: { page: number; limit: number; messageId?: number | undefined },
): Promise<{ messages: Message[]; total: number; page: number }> {
  await expectArchived(database, who, id, messagesOfOthers)
  const withTracking = seesTracking(who)
  const seen = withTracking ? sql`` : sql`and m.message_type not in (${trackingTypes})`
  const before =
    messageId === undefined
      ? sql`null::int`
      : sql`(count(*) filter (where (m.sort_at, m.id) < ${placeOf(messageId, id, withTracking)}))::int`
  const [counted] = await rows<{ total: number; before: number | null }>(
    database,
    sql`select count(*)::int as total, ${before} as before
          from messages m where m.conversation_id = ${id} ${seen}`,
  )
  const shown = counted?.before == null ? page : Math.floor(counted.before / limit) + 1
  const found = await rows<{ id: number }>(
    database,
    sql`select m.id from messages m where m.conversation_id = ${id} ${seen}
         order by m.sort_at, m.id limit ${limit} offset ${(shown - 1) * limit}`,
  )
  const read = await listMessageRows(
    database,
    found.map((row) => row.id),
  )
  const byId = new Map(read.map((row) => [row.message.id, row]))
  const messages = found.flatMap((row) => byId.get(row.id) ?? []).map(toMessage)
  return { messages, total: counted?.total ?? 0, page: shown }
}

/**
 * The messages of a conversation of the archive in which something is found.
 * @throws AppError as `archivedDetailFor`
 */
export async function archivedHits(database: Database, who: Who, id: number, search: string) {
  await expectArchived(
    database,
    who,
    id,
    searchArchived.rows['GET /api/conversations/archived/{other}/search'],
  )
  return hitsOfOne(database, who, id, search)
}

async function expectArchived(database: Database, who: Who, id: number, row: Row): Promise<void> {
  await noteReading(database, who, await findArchived(database, who, id, row))
}

async function findArchived(database: Database, who: Who, id: number, row: Row): Promise<Readable> {
  const conversation = await expectReadable(database, who, id, row)
  if (conversation.status !== 'completed') throw conversationNotFound()
  return conversation
}

/**
 * A conversation of the archive for a file.
 * @throws AppError as `archivedDetailFor`
 */
export async function archivedForExport(
  database: Database,
  who: Who,
  id: number,
  { format, withNotes }: { format: ConversationFormat; withNotes: boolean },
): Promise<{ conversation: ArchivedDetail; withTracking: boolean; withNotes: boolean }> {
  await findArchived(database, who, id, exportArchived.rows['GET /api/conversations/archived/{other}/export'])
  const conversation = await readDetail(database, id)
  // Before the first byte leaves: also one who breaks it off has taken something.
  await record(database, who, {
    action: 'conversation.export',
    resourceId: id,
    details: {
      contactId: conversation.contactId,
      format,
      messages: conversation.messageCount,
      ...(withNotes && { withNotes }),
    },
  })
  return { conversation, withTracking: seesTracking(who), withNotes }
}
