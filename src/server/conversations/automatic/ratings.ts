import { hasRaisedFigure } from '#shared/ornament.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { conversationRatings } from '#server/schema/conversations/ratings.ts'
import { appendTo } from '#server/conversations/messages/append.ts'
import { lastWriting } from '#server/conversations/store/waiting.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { asks, isMark, isPraise, isText, starWords, wordsOf } from './polite-words.ts'

/** How long a digit counts as an answer to the question for a rating. */
const answerWithinMs = 24 * 60 * 60_000
const maxFeedbackLength = 2000

export interface Rating {
  /** 1 to 5. */
  rating: number
  feedback: string | null
}

const figures: Record<string, number> = { um: 1, dois: 2, tres: 3, quatro: 4, cinco: 5 }

/**
 * A rating from 1 to 5: the figure alone ('5', '5️⃣', 'cinco', 'nota 5', '5 estrelas', '5/5'), as many stars,
 * or the figure with words that only thank or praise ('5 - ótimo atendimento', '5 obrigado'). Any other word
 * makes of it more than a rating, and a request is worth more: '2 - manda o link', '1 - cancelamento', '3 -
 * cadê meu pedido', '5 📦'.
 * @param names of the operator, who may be praised
 */
export function ratingOf(text: string, names: readonly string[] = []): Rating | undefined {
  if (hasRaisedFigure(text) || asks(text)) return undefined
  const plain = text
    .normalize('NFKC')
    .replace(/[\ufe0f\u20e3\p{Cf}]/gu, '')
    .trim()
  const stars = /^(?:[⭐★🌟]\s*){2,5}$/u.test(plain) ? plain.match(/[⭐★🌟]/gu)?.length : undefined
  if (stars !== undefined) return { rating: stars, feedback: null }
  const words = wordsOf(text.normalize('NFKC').replace(/^\s*([1-5])\s*\/\s*5(?![\d/])/, '$1'))
  if (!words || /^[-+–—]|\d\s*[.,:–—-]\s*\d/u.test(plain)) return undefined
  const at = words.findIndex((word) => /\d/.test(word) || word in figures)
  const figure = words[at] ?? ''
  const rating = figures[figure] ?? (/^[1-5]$/.test(figure) ? Number(figure) : undefined)
  const [before, after] = [words.slice(0, Math.max(0, at)), words.slice(at + 1)]
  if (rating === undefined || !isMark(before) || !isPraise(after, names)) return undefined
  const isCommented = after.some((word) => !starWords.has(word))
  // In words a figure is one only where it is all that is said: 'um ótimo atendimento'.
  if (figure in figures && isCommented) return undefined
  return { rating, feedback: isCommented ? commentIn(plain) : null }
}

/** What is written beside the figure. */
const commentIn = (plain: string): string | null =>
  plain
    .replace(/^(?:nota:?\s*)?[1-5](?:\s*\/\s*5)?[\s.,:;–—-]*/iu, '')
    .trim()
    .slice(0, maxFeedbackLength) || null

/** The question for a rating, and what was said since. */
export interface AskedRating {
  /** When WhatsApp had the question, by its own clock; undefined: it has not got it yet. */
  sentAt: Date | undefined
  /** Something else was said before the contact wrote: they answer that. */
  isFollowed: boolean
}

/**
 * What a contact's message says to the question for a rating, which must have been sent before it, and be the
 * last thing that was said. Pure.
 * @returns undefined: it says nothing to it, and the question stays, as after thanks; without a rating: it is
 *   another matter, and the question is over
 */
export function judgeRating(
  event: IncomingMessage,
  { sentAt, isFollowed }: AskedRating,
  names: readonly string[],
  now: Date,
): { rating: Rating | undefined } {
  if (!isText(event) || sentAt === undefined || isFollowed) return { rating: undefined }
  const writtenAt = event.sentAt ?? now
  // In the second in which WhatsApp got the question nobody has answered it.
  const waitedSeconds = secondOf(writtenAt) - secondOf(sentAt)
  const isInTime = waitedSeconds > 0 && waitedSeconds * 1000 <= answerWithinMs
  return { rating: isInTime ? ratingOf(event.content.content, names) : undefined }
}
const secondOf = (at: Date) => Math.floor(at.getTime() / 1000)

/** Of several who had the conversation the one who wrote last; nobody, if that was on the phone. */
async function operatorToRate(db: Tx, { id, assignedUserId }: Locked): Promise<number | null> {
  const last = await lastWriting(db, id)
  return last ? last.userId : assignedUserId
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
      operatorId: await operatorToRate(db, conversation),
      serviceRating: rating.rating,
      operatorRating: rating.rating,
      feedback: rating.feedback,
    })
    .onConflictDoNothing()
  await updateConversation(db, conversation, { satisfaction: rating.rating })
  db.emit({ type: 'new_message', conversationId: conversation.id, messageId: id })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
}
