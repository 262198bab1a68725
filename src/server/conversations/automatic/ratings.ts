import { and, eq, isNotNull } from 'drizzle-orm'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { appNow } from '#server/platform/clock.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { conversationRatings, conversations } from '#server/schema/conversations.ts'
import { appendArrived } from '#server/conversations/messages/append.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import { lockLatestConversation } from '#server/conversations/store/lock.ts'

type Arrived = Extract<GatewayEvent, { kind: 'message' }>

/** So long after it was asked for, a digit is still an answer. */
const answerWithinMs = 24 * 60 * 60_000
const longestFeedback = 2000

/** A digit from 1 to 5, alone or with words after it. */
export function ratingOf(text: string): { rating: number; feedback: string | null } | undefined {
  const [, digit, rest = ''] =
    /^([1-5])(?!\d)\u20e3?([^]*)$/u.exec(
      text
        .normalize('NFKC')
        .replace(/\ufe0f/g, '')
        .trim(),
    ) ?? []
  if (digit === undefined) return undefined
  const feedback = rest
    .replace(/^[\s.,;:!)–—-]+/u, '')
    .trim()
    .slice(0, longestFeedback)
  return { rating: Number(digit), feedback: feedback || null }
}

/**
 * The first word of a contact after he was asked how it was: when it is a rating it goes to the conversation that it is
 * about, and opens none.
 * @returns whether it was one
 */
export async function takeRating(
  db: Tx,
  instanceId: number,
  contactId: number,
  { event, isRecovered }: { event: Arrived; isRecovered: boolean },
): Promise<boolean> {
  const asked = await lockLatestConversation(
    db,
    and(
      eq(conversations.contactId, contactId),
      eq(conversations.instanceId, instanceId),
      isNotNull(conversations.ratingAskedAt),
    ),
  )
  if (!asked?.ratingAskedAt) return false
  const writtenAt = event.sentAt ?? (await appNow(db))
  const waitedMs = writtenAt.getTime() - asked.ratingAskedAt.getTime()
  // The gateway's seconds have no fraction: what was written in the second of the question came after it.
  if (waitedMs < -1000) return false
  await updateConversation(db, asked, { ratingAskedAt: null })
  const said = event.content.messageType === 'text' ? ratingOf(event.content.content) : undefined
  if (!said || waitedMs > answerWithinMs) return false
  const { rating, feedback } = said
  const metadata = { ...event.content.metadata, rating }
  const { id } = await appendArrived(
    db,
    asked,
    { ...event, content: { ...event.content, metadata } },
    isRecovered,
  )
  await db
    .insert(conversationRatings)
    .values({
      conversationId: asked.id,
      contactId,
      operatorId: asked.assignedUserId,
      serviceRating: rating,
      operatorRating: rating,
      feedback,
    })
    .onConflictDoNothing()
  await updateConversation(db, asked, { satisfaction: rating })
  db.emit({ type: 'new_message', conversationId: asked.id, messageId: id })
  db.emit({ type: 'conversation_updated', conversationId: asked.id })
  return true
}
