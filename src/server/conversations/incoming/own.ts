import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/platform/database/db.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import { appendIncoming } from '#server/conversations/messages/append.ts'
import { copiedIn } from '#server/conversations/messages/duplicates.ts'
import { type Accepted, confirmSent, inFlightIn } from '#server/conversations/messages/sent.ts'
import { deletedInFlightOf } from '#server/conversations/messages/tombstones.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { findMessageIn, type Locked, lockForMessages } from '#server/conversations/store/lock.ts'
import type { MessagePlace } from '#server/conversations/store/message-place.ts'
import { withdrawTexts } from '#server/conversations/store/texts.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import type { OwnFacts } from './decide.ts'
import { commonColumns, joinNeighbours } from './facts.ts'
import { findStored } from './stored-message.ts'

/** What is known of a message sent from our own number, with the rows that this locked. */
export interface GatheredOwn {
  facts: OwnFacts
  open: Locked | undefined
  /** The conversations that it may belong to. */
  candidates: Locked[]
}

/** Gathers what is known of a message sent from our own number to a locked contact. */
export async function gatherOwnFacts(
  db: Tx,
  instanceId: number,
  contactId: number,
  event: IncomingMessage,
): Promise<GatheredOwn> {
  const candidates = await lockForMessages(db, {
    instanceId,
    contactIds: [contactId],
    conversationIds: [],
    waIds: [event.waId],
    sentAt: event.sentAt,
    isOwn: true,
  })
  const open = candidates.find(({ status }) => status !== 'completed')
  const ids = candidates.map(({ id }) => id)
  const unlessInFlight = (query: SQL) => sql<number | null>`case when f.id is null then (${query}) end`
  const [row] = await db
    .select({
      ...commonColumns,
      firstSentAt: sql<Date | null>`(select min(m.sent_at) from messages m
                                      where m.conversation_id = a."openId")`.mapWith(messages.sentAt),
      inFlightId: sql<number | null>`f.id`,
      copiedId: unlessInFlight(copiedIn(ids, event)),
      deletedInFlightId: unlessInFlight(deletedInFlightOf(contactId, event.content)),
    })
    .from(
      sql`(select ${instanceId}::int as "instanceId", ${event.waId}::text as "waId",
                  ${open?.id ?? null}::int as "openId",
                  ${event.sentAt?.toISOString() ?? null}::timestamptz as "sentAt",
                  ${event.postedMs ?? null}::float8 as "postedMs") a
          ${joinNeighbours}
          left join lateral (${inFlightIn(ids, event)}) f on true`,
    )
  if (!row) throw new Error('a message without facts')
  const { isStored, firstSentAt, inFlightId, copiedId, deletedInFlightId, ...common } = row
  return {
    open,
    candidates,
    facts: {
      ...common,
      event,
      open,
      stored: isStored ? await findStored(db, instanceId, event.waId) : undefined,
      firstSentAt: firstSentAt ?? undefined,
      inFlightId: inFlightId ?? undefined,
      copiedId: copiedId ?? undefined,
      deletedInFlightId: deletedInFlightId ?? undefined,
    },
  }
}

/** Records by its echo that a message of one of the locked conversations was sent. */
export async function confirmByEcho(
  db: Tx,
  candidates: readonly Locked[],
  messageId: number,
  accepted: Accepted,
): Promise<void> {
  const message = await findMessageIn(db, candidates, messageId)
  if (!message) throw new Error('a message in flight vanished')
  await confirmSent(db, message, accepted)
}

/**
 * Appends a message that was written on the connected phone, or by another program, to the open conversation.
 */
export async function appendOwn(
  db: Tx,
  open: Locked,
  event: IncomingMessage,
  place: MessagePlace,
): Promise<void> {
  const isRecovered = event.isSwept === true
  const [messageId] = await appendIncoming(db, [
    { conversation: open, event, place, isRecovered, isActivity: true, startsWaiting: false },
  ])
  if (messageId === undefined) throw new Error('message not written')
  await withdrawTexts(db, open, 'attended or ended')
  const changed =
    open.waitingFor === 'operator' ? await updateConversation(db, open, await waitingOf(db, open.id)) : open
  db.emit({ type: 'new_message', conversationId: open.id, messageId })
  if (open.subStatus === 'FILA' && changed.waitingFor !== open.waitingFor) db.emit({ type: 'queue_changed' })
}
