import { type SQL, sql } from 'drizzle-orm'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { trackingTypes } from '#server/conversations/store/message-rows.ts'
import type { SearchedConversation } from './search-document.ts'

/** What of a message is searched, of a message 'm'. */
export const searchedColumns = sql`m.id, m.conversation_id as "conversationId", m.content,
  m.file_name as "fileName", m.metadata`

/** Not deleted, and of a kind that everybody sees, of a message 'm'. */
export const isSearched = sql`m.deleted_at is null and m.message_type not in (${trackingTypes})`

export interface SearchedRow extends Record<string, unknown> {
  id: number
  conversationId: number
  content: string
  fileName: string | null
  metadata: MessageMetadata
}

/** The texts that a message shows. */
export function textsOf({
  content,
  fileName,
  metadata,
}: Pick<SearchedRow, 'content' | 'fileName' | 'metadata'>): string[] {
  const { poll, location, contacts = [], transcription } = metadata
  return [
    content,
    transcription,
    fileName,
    ...(poll?.options ?? []),
    location?.name,
    location?.address,
    ...contacts.flatMap(({ name, organization }) => [name, organization]),
  ].filter((text): text is string => typeof text === 'string' && text !== '')
}

/** What is searched in a conversation besides its messages. */
export interface Card extends Record<string, unknown> {
  id: number
  isCompleted: boolean
  texts: (string | null)[]
  tags: string[]
  messageCount: number
}

/** Messages that are read at once: a conversation may have tens of thousands. */
const mostMessages = 5000

/** The conversations in parts that have not too many messages to be read at once. */
export function* portions(cards: readonly Card[]): Iterable<Card[]> {
  let some: Card[] = []
  let count = 0
  for (const card of cards) {
    if (count > 0 && count + card.messageCount > mostMessages) {
      yield some
      some = []
      count = 0
    }
    some.push(card)
    count += card.messageCount
  }
  if (some.length > 0) yield some
}

/**
 * What is searched in the conversations, by their ids.
 * @param which of the messages 'm'; absent: all
 */
export async function readSearched(
  db: Db,
  cards: readonly Card[],
  which: SQL = sql`true`,
): Promise<Map<number, SearchedConversation>> {
  const searched = new Map(
    cards.map(({ id, texts, tags }) => [
      id,
      {
        card: [...texts, ...tags].filter((text) => text !== null),
        messages: [] as { id: number; texts: string[] }[],
      },
    ]),
  )
  const found = await rows<SearchedRow>(
    db,
    sql`select ${searchedColumns} from messages m
         where m.conversation_id = any(${sql.param([...searched.keys()])}::int[])
           and ${isSearched} and ${which}
         order by m.conversation_id, m.sort_at, m.id`,
  )
  for (const row of found)
    searched.get(row.conversationId)?.messages.push({ id: row.id, texts: textsOf(row) })
  return searched
}
