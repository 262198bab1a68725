import { hasRaisedFigure, withoutOrnament } from '#shared/ornament.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { conversationRatings } from '#server/schema/conversations/ratings.ts'
import { appendTo } from '#server/conversations/messages/append.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { asksForSomething } from './request-words.ts'

/** How long a digit counts as an answer to the question for a rating. */
const answerWithinMs = 24 * 60 * 60_000
const maxFeedbackLength = 2000

export interface Rating {
  /** 1 to 5. */
  rating: number
  feedback: string | null
}

/**
 * A rating from 1 to 5: the digit alone ('5', '5️⃣', 'nota 5', '5 estrelas'), as many stars, or the digit, a
 * separator with a space or a line break after it, and a comment that neither asks nor requests anything. In
 * doubt it is none, since a request is worth more than a rating: '2ª via do boleto', '5 - quanto custa?',
 * '1 - quero falar com o gerente', '5 📦'.
 */
export function ratingOf(text: string): Rating | undefined {
  if (hasRaisedFigure(text)) return undefined
  const plain = text
    .normalize('NFKC')
    .replace(/[\ufe0f\u20e3\p{Cf}]/gu, '')
    .trim()
  const stars = /^(?:[⭐★🌟]\s*){2,5}$/u.test(plain) ? plain.match(/[⭐★🌟]/gu)?.length : undefined
  if (stars !== undefined) return { rating: stars, feedback: null }
  const alone = /^[⭐★🌟]*(?:nota)?([1-5])(?:estrelas?)?[⭐★🌟]*$/iu.exec(
    /^[-+–—]|\d\s*[.,:–—-]\s*\d/u.test(plain) ? '' : withoutOrnament(text),
  )
  if (alone) return { rating: Number(alone[1]), feedback: null }
  const [, digit, comment = ''] =
    /^(?:nota:? ?)?([1-5])(?: ?[,.:–—-]\s| ?\n)\s*([^\d\s].*)$/isu.exec(plain) ?? []
  if (digit === undefined || /[?❓❔]/u.test(comment) || !/\p{L}/u.test(comment)) return undefined
  if (asksForSomething(comment)) return undefined
  return { rating: Number(digit), feedback: comment.trim().slice(0, maxFeedbackLength) || null }
}

/**
 * What a contact's message says to the question for a rating. Pure.
 * @returns undefined: it was written before the question; without a rating: it is another matter, and the
 * question is over
 */
export function judgeRating(
  event: IncomingMessage,
  askedAt: Date,
  now: Date,
): { rating: Rating | undefined } | undefined {
  const waitedMs = (event.sentAt ?? now).getTime() - askedAt.getTime()
  // The gateway's seconds have no fraction: what was written in the second of the question came after it.
  if (waitedMs < -1000) return undefined
  const { messageType, content, metadata } = event.content
  // Neither the caption of a picture nor an order or a product, which are described in words.
  const isText = messageType === 'text' && metadata.gatewayType === undefined
  return { rating: isText && waitedMs <= answerWithinMs ? ratingOf(content) : undefined }
}

/** Stores a rating with the locked conversation that it is about. */
export async function storeRating(
  db: Tx,
  conversation: Locked,
  { event, isRecovered, rating }: { event: IncomingMessage; isRecovered: boolean; rating: Rating },
): Promise<void> {
  const metadata = { ...event.content.metadata, rating: rating.rating }
  const rated = { ...event, content: { ...event.content, metadata } }
  const { id } = await appendTo(db, conversation, rated, isRecovered)
  await db
    .insert(conversationRatings)
    .values({
      conversationId: conversation.id,
      contactId: conversation.contactId,
      operatorId: conversation.assignedUserId,
      serviceRating: rating.rating,
      operatorRating: rating.rating,
      feedback: rating.feedback,
    })
    .onConflictDoNothing()
  await updateConversation(db, conversation, { satisfaction: rating.rating })
  db.emit({ type: 'new_message', conversationId: conversation.id, messageId: id })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
}
