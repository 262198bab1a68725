import { sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/platform/database/db.ts'
import { appendTo } from '#server/conversations/messages/append.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { asksAtEnd, isText } from './polite-words.ts'
import { politeOf } from './thanks-words.ts'

/** How long after the end only thanks belong to what has ended. */
const thanksWithinMs = 60 * 60_000
/** By how much our clock and WhatsApp's may differ: thanks may have been written in the moment of the end. */
const clockSlackMs = 60_000

/** The conversation that has just ended, and what the team said last before the contact wrote. */
export interface Ended {
  at: Date
  /** By console, phone or another program, without automatic texts; '' is nothing. */
  saidLast: { content: string; isAfterEnd: boolean }
}

/**
 * Whether a message only thanks for what has just ended. Where the team has asked something last, or has
 * written after the end, 'ok' and 'perfeito' answer that; where it has asked after the end, everything does.
 * Pure.
 */
export function areThanks({
  event,
  ended,
  operatorNames,
  now,
}: {
  event: IncomingMessage
  ended: Ended | undefined
  operatorNames: readonly string[]
  now: Date
}): boolean {
  if (!ended || !isText(event)) return false
  const sinceMs = (event.sentAt ?? now).getTime() - ended.at.getTime()
  if (sinceMs <= -clockSlackMs || sinceMs > thanksWithinMs) return false
  const polite = politeOf(event.content.content, operatorNames)
  const { content, isAfterEnd } = ended.saidLast
  const isAsked = asksAtEnd(content)
  if (polite === 'acknowledgement') return !isAfterEnd && !isAsked
  return polite === 'thanks' && !(isAfterEnd && isAsked)
}

/** Puts a contact's thanks into the locked conversation that has ended; it stays so. */
export async function storeThanks(
  db: Tx,
  conversation: Locked,
  { event, isRecovered }: { event: IncomingMessage; isRecovered: boolean },
): Promise<void> {
  const { id } = await appendTo(db, conversation, event, isRecovered)
  db.emit({ type: 'new_message', conversationId: conversation.id, messageId: id })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
}

/** Of these contacts, the conversations that have just ended, for which they may thank. @returns their ids */
export async function listJustEnded(
  db: Tx,
  instanceId: number,
  contactIds: readonly number[],
): Promise<number[]> {
  if (contactIds.length === 0) return []
  const found = await rows<{ id: number }>(
    db,
    sql`select latest.id from unnest(${sql.param(contactIds)}::int[]) own cross join lateral (
          select c.id from conversations c
           where c.contact_id = own and c.instance_id = ${instanceId} and c.status = 'completed'
             and not c.is_history and c.pre_attendance_stage is distinct from 'cancelled'
             and c.pre_attendance_stage is distinct from 'waiting_option'
             and c.completed_at > app_now() - ${2 * thanksWithinMs} * interval '1 millisecond'
           order by c.completed_at desc limit 1) latest`,
  )
  return found.map(({ id }) => id)
}
