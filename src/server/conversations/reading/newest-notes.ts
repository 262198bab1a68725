import { sql } from 'drizzle-orm'
import { listNotes, newestNotes } from '#shared/messages/newest-notes.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { expectReadable, noteReading } from '#server/conversations/store/access.ts'

/** A list shows the beginning. */
const mostShown = 300

/**
 * How many notes a conversation has, and the newest of them.
 * @throws AppError 404 when the person may not read it
 */
export async function readNewestNotes(database: Database, who: Who, conversationId: number) {
  const row = listNotes.rows['GET /api/conversations/{completed}/notes']
  await noteReading(database, who, await expectReadable(database, who, conversationId, row))
  const found = await rows<{
    id: number
    senderName: string | null
    content: string
    fileName: string | null
    sentAt: string
    total: number
  }>(
    database,
    sql`select m.id, u.name as "senderName", left(m.content, ${mostShown}) as content,
               m.file_name as "fileName", m.sent_at::text as "sentAt", count(*) over ()::int as total
          from messages m left join users u on u.id = m.sender_id
         where m.conversation_id = ${conversationId} and m.message_type = 'note' and m.deleted_at is null
         order by m.sort_at desc, m.id desc limit ${newestNotes}`,
  )
  return {
    total: found[0]?.total ?? 0,
    notes: found.map(({ total: _total, sentAt, ...note }) => ({
      ...note,
      sentAt: new Date(sentAt).toISOString(),
    })),
  }
}
