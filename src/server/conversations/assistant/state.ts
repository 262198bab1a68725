import { sql } from 'drizzle-orm'
import type { ConversationAssistant } from '#shared/assistant/conversation-assistant.ts'
import { findAssistantConfig } from '#server/assistant/assistant.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { conversationCompleted, expectOpen, lockConversationFor } from '#server/conversations/store/access.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import { hasPersonWritten, isAnswering } from './turn.ts'

/** What the AI does in an open conversation. @throws AppError 404 not visible, 409 completed */
export async function assistantIn(db: Db, who: Who, id: number): Promise<ConversationAssistant> {
  await expectOpen(db, who, id)
  const config = await findAssistantConfig(db)
  const help = {
    agentName: config?.agentName ?? '',
    canSummarize: config?.canSummarize ?? false,
    canSuggest: config?.canSuggest ?? false,
  }
  if (!isAnswering(config)) return { agent: 'none', ...help }
  const [row] = await rows<{ isOff: boolean; isStopped: boolean; isEnded: boolean; isOurs: boolean }>(
    db,
    sql`select coalesce(a.is_off, false) as "isOff",
               a.ended is not null as "isStopped", ${hasPersonWritten} as "isEnded",
               (c.initiated_by = 'operator') as "isOurs"
          from conversations c left join assistant_turns a on a.conversation_id = c.id where c.id = ${id}`,
  )
  if (!row || row.isOurs) return { agent: 'none', ...help }
  const agent = row.isEnded ? 'ended' : row.isOff ? 'off' : row.isStopped ? 'stopped' : 'answers'
  return { agent, ...help }
}

/**
 * Switches the agent off or on in a conversation. On, it begins anew where it had failed or asked for a
 * person, but not where somebody has written: that ends it for good.
 * @throws AppError 404 not visible, 409 completed
 */
export async function switchAssistantIn(
  database: Database,
  who: Who,
  id: number,
  isOff: boolean,
): Promise<ConversationAssistant> {
  await inTransaction(database, async (db) => {
    const conversation = await lockConversationFor(db, who, id)
    if (conversation.status === 'completed') throw conversationCompleted()
    const [before] = await rows<{ isOff: boolean; ended: string | null }>(
      db,
      sql`select is_off as "isOff", ended from assistant_turns where conversation_id = ${id}`,
    )
    const wasOff = before?.isOff ?? false
    if (wasOff === isOff && (isOff || !before?.ended)) return
    await db.execute(
      sql`insert into assistant_turns as a (conversation_id, is_off) values (${id}, ${isOff})
          on conflict (conversation_id) do update set is_off = excluded.is_off,
            failures = 0, not_before = now(), ended = case when ${isOff} then a.ended end`,
    )
    await noteAct(db, conversation, { by: who.id, act: isOff ? 'assistant_off' : 'assistant_on' })
    await record(db, who, {
      action: 'conversation.assistant',
      resourceId: id,
      details: { changes: { isOff: [wasOff, isOff] } },
    })
    db.signal('assistant')
  })
  return assistantIn(database, who, id)
}
