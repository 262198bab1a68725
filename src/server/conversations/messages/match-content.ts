import { sql, type SQL } from 'drizzle-orm'
import { isMediaType, mediaTypes, type MessageType } from '#shared/messages/message-kinds.ts'
import type { Content } from '#server/gateway/gateway.ts'

/** What distinguishes outgoing messages where the gateway's id is not known yet. */
interface SentContent {
  messageType: MessageType
  content: string
  fileName: string | null | undefined
}

/** A text of any kind goes out as a text; images, videos and sounds get file names from the gateway. */
function comparedParts({ messageType, content, fileName }: SentContent) {
  const kind = isMediaType(messageType) ? messageType : 'text'
  return { kind, content, fileName: kind === 'document' ? (fileName ?? null) : null }
}

/** Whether an outgoing message has the content that the gateway reports. */
export function hasSameContent(ours: SentContent, reported: Content): boolean {
  const [a, b] = [comparedParts(ours), comparedParts(reported)]
  return a.kind === b.kind && a.content === b.content && a.fileName === b.fileName
}

/** `hasSameContent` in SQL. @param m the alias of a table with the columns of `messages` */
export function matchesContent(m: SQL, reported: Content): SQL {
  const { kind, content, fileName } = comparedParts(reported)
  const isKind =
    kind === 'text'
      ? sql`${m}.message_type <> all(${sql.param([...mediaTypes])}::text[])`
      : sql`${m}.message_type = ${kind}`
  const hasName = fileName === null ? sql`true` : sql`${m}.file_name = ${fileName}`
  return sql`${m}.content = ${content} and ${isKind} and ${hasName}`
}
