import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import { searchMessages, mostFound } from '#shared/messages/message-endpoints.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Database } from '#server/platform/database/db.ts'
import { contains } from '#server/platform/database/folded.ts'
import { tellsOwnNumberIn } from '#server/platform/phones/searched-phones.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import { expectReadable, noteReading, ofSeenKind } from '#server/conversations/store/access.ts'

/**
 * The messages of a conversation that contain the words in their text, the name of their file or what a sound
 * says, newest first. Deleted messages, and those that the person does not see, are not found.
 * @throws AppError 404 when they may not read the conversation
 */
export async function findMessages(
  database: Database,
  who: Who,
  conversationId: number,
  words: string,
): Promise<{ ids: number[]; isCut: boolean }> {
  const row = searchMessages.rows['GET /api/conversations/{completed}/messages/search']
  await noteReading(database, who, await expectReadable(database, who, conversationId, row))
  const found = await database
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        isNull(messages.deletedAt),
        ofSeenKind(who),
        // By its digits somebody could find out a number that is hidden from them.
        who.hidesPhones && /\p{Nd}/u.test(words) ? sql`not ${tellsOwnNumberIn('messages')}` : undefined,
        or(
          contains(messages.content, words),
          contains(messages.fileName, words),
          // Asked of sounds only, since it is read out of a column of everything else, too.
          and(
            eq(messages.messageType, 'audio'),
            contains(sql`${messages.metadata} ->> 'transcription'`, words),
          ),
        ),
      ),
    )
    .orderBy(desc(messages.sortAt), desc(messages.id))
    .limit(mostFound + 1)
  return { ids: found.slice(0, mostFound).map(({ id }) => id), isCut: found.length > mostFound }
}
