import { sql } from 'drizzle-orm'
import { type AgentAnswer, findAssistantConfig } from '#server/assistant/assistant.ts'
import { ownFile } from '#server/media/media.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { outboxPriorities } from '#server/schema/conversations/outbox.ts'
import { fileUrlOf } from '#server/conversations/media/message-files.ts'
import { insertOutgoing, type OutgoingMessage } from '#server/conversations/store/insert-outgoing.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import type { AnswerFile } from './answer-files.ts'
import { endClaim, type Turn } from './turn.ts'

/**
 * Sends an answer of the agent, unless it no longer counts. It is nobody's message: it does not change who
 * waits for whom, so the client keeps their place, and nobody's reply is measured by it.
 * @returns whether it was sent
 */
export async function recordAnswer(
  database: Database,
  turn: Turn,
  answer: AgentAnswer,
  files: readonly AnswerFile[],
): Promise<boolean> {
  return inTransaction(database, async (db) => {
    const config = await findAssistantConfig(db)
    const conversation = await endClaim(db, turn, config)
    if (!conversation || !config) return false
    const send = (message: Pick<OutgoingMessage, 'content'> & Partial<OutgoingMessage>) =>
      insertOutgoing(db, conversation, {
        priority: outboxPriorities.automatic,
        metadata: { origin: 'assistant', ...(config.agentName !== '' && { agentName: config.agentName }) },
        ...message,
      })
    if (answer.message !== '') await send({ content: answer.message })
    for (const file of files) await sendFile(db, file, send)
    await goOn(db, turn)
    if (answer.asksPerson) await endForGood(db, conversation, 'asked_person')
    return true
  })
}

async function sendFile(
  db: Db,
  { name, fileName, kind, sizeBytes, messageType }: AnswerFile,
  send: (message: Omit<OutgoingMessage, 'metadata'>) => Promise<{ id: number }>,
): Promise<void> {
  const { id } = await send({
    content: '',
    messageType,
    fileName,
    fileUrl: fileUrlOf(name),
    fileMimeType: kind.mimeType,
    fileSize: sizeBytes,
  })
  if (!(await ownFile(db, name, id))) throw new Error('a new message has a file')
}

/** The pause after a failure doubles with each further one, up to this. */
const longestBackoffMs = 60_000

/**
 * Records that the agent gave no answer. After the last attempt the client is left to people, until somebody
 * switches the agent on again; with `fallbackToHuman` off, until they write again.
 * @returns whether there will be another attempt
 */
export async function recordFailure(database: Database, turn: Turn, backoffMs: number): Promise<boolean> {
  return inTransaction(database, async (db) => {
    const config = await findAssistantConfig(db)
    const conversation = await endClaim(db, turn, config)
    if (!conversation || !config) return false
    const { rows: found } = await db.execute<{ failures: number }>(
      sql`update assistant_turns set failures = failures + 1,
            not_before = now() + interval '1 millisecond' * (0.8 + 0.4 * random())
              * least(${longestBackoffMs}::float8, ${backoffMs}::float8 * 2 ^ failures)
           where conversation_id = ${turn.conversationId} returning failures`,
    )
    if ((found[0]?.failures ?? 0) < config.maxRetries) return true
    // What they wrote stays unanswered: whoever switches the agent on again lets it try that first.
    if (config.fallbackToHuman) await endForGood(db, conversation, 'failed')
    else await goOn(db, turn)
    return false
  })
}

/** What the client wrote up to here is done with. */
async function goOn(db: Db, { conversationId, upTo }: Turn): Promise<void> {
  await db.execute(
    sql`update assistant_turns set answered_message_id = ${upTo}, failures = 0, not_before = now()
         where conversation_id = ${conversationId}`,
  )
}

/** The client is left to people, in the FILA, and the team sees why. */
async function endForGood(db: Tx, conversation: Locked, ended: 'asked_person' | 'failed'): Promise<void> {
  await db.execute(
    sql`update assistant_turns set ended = ${ended} where conversation_id = ${conversation.id}`,
  )
  await noteAct(db, conversation, {
    by: null,
    act: ended === 'failed' ? 'assistant_failed' : 'assistant_asked_person',
  })
}
