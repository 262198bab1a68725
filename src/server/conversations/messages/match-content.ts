import { sql, type SQL } from 'drizzle-orm'
import { isMediaType, mediaTypes, type MessageType } from '#shared/message-kinds.ts'
import type { Content } from '#server/gateway/gateway.ts'

/** What tells one message of ours from another where only the gateway's words are known. */
export interface Said {
  messageType: MessageType
  content: string
  fileName: string | null | undefined
}

/** A text of any kind goes out as a text; the gateway gives pictures, films and sounds names of its own. */
function partsOf({ messageType, content, fileName }: Said) {
  const kind = isMediaType(messageType) ? messageType : 'text'
  return { kind, content, fileName: kind === 'document' ? (fileName ?? null) : null }
}

/** Whether a message of ours is the one that the gateway speaks of. */
export function isSameSaid(ours: Said, told: Content): boolean {
  const [a, b] = [partsOf(ours), partsOf(told)]
  return a.kind === b.kind && a.content === b.content && a.fileName === b.fileName
}

/** The same, asked of rows `messages`. @param m the name under which the table stands in the statement */
export function saysSame(m: SQL, told: Content): SQL {
  const { kind, content, fileName } = partsOf(told)
  const isKind =
    kind === 'text'
      ? sql`${m}.message_type <> all(${sql.param([...mediaTypes])}::text[])`
      : sql`${m}.message_type = ${kind}`
  return sql`${m}.content = ${content} and ${isKind}${fileName === null ? sql`` : sql` and ${m}.file_name = ${fileName}`}`
}
