import { type SQL, sql } from 'drizzle-orm'
import { messageTypeLabel, type MessageType } from '#shared/messages/message-kinds.ts'
import { transcriptionLabel } from '#shared/text/conversations/transcription-texts.ts'
import type { AssistantConfigRow, Question } from '#server/assistant/assistant.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { isCountedOfContact } from '#server/conversations/store/counted-message.ts'
import { lockConversation, type Locked } from '#server/conversations/store/lock.ts'

/** The configuration of an agent that answers clients. */
export type Answering = AssistantConfigRow & { answersSince: Date; apiTokenEncrypted: string }

export const isAnswering = (config: AssistantConfigRow | undefined): config is Answering =>
  config !== undefined && config.answersSince !== null && config.apiTokenEncrypted !== null

/** What a client wrote, claimed by one worker to be answered. */
export interface Turn {
  conversationId: number
  claim: number
  /** The newest message that is answered. */
  upTo: number
  question: Question
}

/** A client who writes on and on is answered all the same, after this many delays. */
const mostDelays = 4
/** What of a long message the agent is asked at most. */
const longestPrompt = 8000
const maxCandidates = 50

/** A person has written in the conversation 'c': here, on the connected phone, or in a call there. */
export const hasPersonWritten = sql`(
  exists (select from messages p where p.conversation_id = c.id
           and p.sender_id is not null and p.delivery_status is not null)
  or exists (select from messages p where p.conversation_id = c.id
              and (p.metadata ->> 'origin' in ('phone', 'api')
                   or p.metadata #>> '{call,outcome}' = 'answered')))`

/** Whether the agent may answer in the conversation 'c', with its row 'a' if it has one. */
const isTurn = sql`c.status <> 'completed' and c.sub_status = 'FILA' and c.waiting_for = 'operator'
  and c.assigned_user_id is null and c.initiated_by = 'contact' and not c.is_history
  and a.ended is null and a.is_off is not true and not ${hasPersonWritten}`

/** Conversations in which a client has waited for the delay, the longest first. */
function dueTurns(config: Answering, only: SQL): SQL {
  const delay = sql`interval '1 millisecond' * ${config.autoResponseDelay}`
  // What arrived late was written for whoever would have been there: no automatic answer.
  return sql`
    select c.id, n.newest as "upTo", coalesce(a.answered_message_id, 0) as "answered"
      from conversations c
      left join assistant_turns a on a.conversation_id = c.id
      cross join lateral (
        select max(m.id) as newest, min(m.created_at) as first, max(m.created_at) as last from messages m
         where m.conversation_id = c.id and ${isCountedOfContact} and m.deleted_at is null
           and m.id > coalesce(a.answered_message_id, 0)
           and m.created_at >= ${config.answersSince.toISOString()}::timestamptz
           and m.metadata ->> 'recovered' is null) n
     where ${isTurn} and (a.lease_until is null or a.lease_until <= now())
       and (a.not_before is null or a.not_before <= now())
       and n.newest is not null
       and app_now() >= least(n.last + ${delay}, n.first + ${mostDelays} * ${delay})
       and ${only}
     order by n.first limit ${maxCandidates}`
}

interface Due extends Record<string, unknown> {
  id: number
  upTo: number
  answered: number
}

/**
 * Claims the client who has waited longest for an answer of the agent, and all that they have written since
 * the last one. Another worker may claim the same after the lease; then the answer to this claim is dropped.
 */
export async function claimTurn(
  database: Database,
  config: Answering,
  leaseMs: number,
): Promise<Turn | undefined> {
  for (const { id } of await rows<Due>(database, dueTurns(config, sql`true`))) {
    const turn = await inTransaction(database, async (db) => {
      const conversation = await lockConversation(db, id)
      // Another instance may have claimed it in the meantime.
      const [due] = await rows<Due>(db, dueTurns(config, sql`c.id = ${id}`))
      if (!conversation || !due) return undefined
      const [claimed] = await rows<{ claim: number }>(
        db,
        sql`insert into assistant_turns as a (conversation_id, lease_until, claim)
             values (${id}, now() + ${leaseMs} * interval '1 millisecond', 1)
            on conflict (conversation_id) do update
              set lease_until = excluded.lease_until, claim = a.claim + 1
            returning claim`,
      )
      if (!claimed) throw new Error('a turn was not claimed')
      const question = await questionOf(db, conversation, due)
      return { conversationId: id, claim: claimed.claim, upTo: due.upTo, question }
    })
    if (turn) return turn
  }
  return undefined
}

async function questionOf(db: Db, conversation: Locked, { answered, upTo }: Due): Promise<Question> {
  const written = await rows<Written>(
    db,
    sql`select m.content, m.message_type as type, m.metadata ->> 'transcription' as transcription
          from messages m
         where m.conversation_id = ${conversation.id} and ${isCountedOfContact} and m.deleted_at is null
           and m.id > ${answered} and m.id <= ${upTo}
         order by m.sort_at, m.id`,
  )
  const [contact] = await rows<{ name: string; phone: string | null }>(
    db,
    sql`select name, phone from contacts where id = ${conversation.contactId}`,
  )
  return {
    contextId: conversation.protocol,
    prompt: written.map(inWords).join('\n').slice(-longestPrompt).toWellFormed(),
    chatName: contact?.name ?? '',
    phone: contact?.phone ?? '',
  }
}

interface Written extends Record<string, unknown> {
  content: string
  type: MessageType
  /** What a server made of its sound; null: nothing. */
  transcription: string | null
}

/** A file is named by its kind: it is not sent. The words of a sound are, as those of a machine. */
export function inWords({ content, type, transcription }: Written): string {
  const kind = messageTypeLabel(type)
  const said = kind === content ? '' : content
  if (transcription !== null)
    return [`[${kind}, ${transcriptionLabel.toLowerCase()}]`, said, transcription].filter(Boolean).join(' ')
  if (kind === '' || kind === content) return content || `[${kind}]`
  return content === '' ? `[${kind}]` : `[${kind}] ${content}`
}

/**
 * Locks the conversation of a turn, and ends the claim.
 * @returns undefined when its answer no longer counts: another worker has claimed it, somebody has written,
 *   taken, closed or switched it off, or the agent was switched off
 */
export async function endClaim(
  db: Tx,
  { conversationId, claim }: Turn,
  config: AssistantConfigRow | undefined,
): Promise<Locked | undefined> {
  const conversation = await lockConversation(db, conversationId)
  const ended = await rows(
    db,
    sql`update assistant_turns set lease_until = null
         where conversation_id = ${conversationId} and claim = ${claim} and lease_until is not null
        returning claim`,
  )
  if (!conversation || ended.length === 0 || !isAnswering(config)) return undefined
  const still = await rows(
    db,
    sql`select 1 from conversations c left join assistant_turns a on a.conversation_id = c.id
         where c.id = ${conversationId} and ${isTurn}`,
  )
  return still.length > 0 ? conversation : undefined
}

/** Gives a claim back before the lease is over. */
export async function releaseTurn(database: Database, { conversationId, claim }: Turn): Promise<void> {
  await database.execute(
    sql`update assistant_turns set lease_until = null
         where conversation_id = ${conversationId} and claim = ${claim}`,
  )
  database.signals.send('assistant')
}
