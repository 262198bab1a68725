import { buffer } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { archivedDetail, type ArchivedDetail } from '#shared/conversations/archive.ts'
import { message, type Message } from '#shared/messages/messages.ts'
import { escapeHtml } from '#shared/text/escape-html.ts'
import {
  authorInWords,
  conversationFacts,
  conversationTitle,
  messageInWords,
  zonedTime,
} from '#shared/text/conversations/conversation-in-words.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { hideFor } from '#server/platform/phones/hide-answer.ts'
import { maskFor } from '#server/platform/phones/hidden-phones.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { listMessageRows, trackingTypes } from '#server/conversations/store/message-rows.ts'
import { toMessage } from '#server/conversations/store/serializers.ts'

// A conversation as a file: a page complete in itself, or a text.

const batchSize = 200
/** Pictures and recordings stand in the page up to this size, and up to the second one together. */
const mostOfOne = 4 * 1024 * 1024
const mostOfAll = 32 * 1024 * 1024

interface Source {
  db: Db
  files: FileStore
  /** Who gets it. */
  who: Pick<Who, 'hidesPhones'>
  conversation: ArchivedDetail
  withTracking: boolean
  /**
   * Also what the team wrote to itself, in notes, at a transfer and at the end: it is in no file unless
   * somebody wants that, since such files are given to clients.
   */
  withNotes: boolean
  /** IANA name. */
  timezone: string
}

const someMessages = z.array(message)

/** The messages in order, read some at a time. */
async function* messagesOf({
  db,
  who,
  conversation: { id },
  withTracking,
  withNotes,
}: Source): AsyncGenerator<Message[]> {
  let last = 0
  for (;;) {
    const found = await rows<{ id: number }>(
      db,
      sql`select m.id from messages m
           where m.conversation_id = ${id}
             ${withTracking ? sql`` : sql`and m.message_type not in (${trackingTypes})`}
             ${withNotes ? sql`` : sql`and m.message_type <> 'note'`}
             and (${last} = 0
                  or (m.sort_at, m.id) > (select p.sort_at, p.id from messages p where p.id = ${last}))
           order by m.sort_at, m.id limit ${batchSize}`,
    )
    if (found.length === 0) return
    const read = await listMessageRows(
      db,
      found.map((row) => row.id),
    )
    const byId = new Map(read.map((row) => [row.message.id, row]))
    const messages = found.flatMap((row) => byId.get(row.id) ?? []).map(toMessage)
    // The text of a line that tells of an act is what the team was told with it.
    const chosen = withNotes
      ? messages
      : messages.map((one) => (one.messageType === 'event' ? { ...one, content: '' } : one))
    yield await hideFor(db, who, someMessages, chosen)
    last = found.at(-1)?.id ?? 0
  }
}

/** @param conversation as whoever gets the file sees it */
function factsOf(conversation: ArchivedDetail, { withNotes, timezone }: Source): [string, string][] {
  return conversationFacts(withNotes ? conversation : { ...conversation, notes: null }, timezone)
}

/** The conversation as a text, a message a paragraph. */
export async function* textOf(source: Source): AsyncGenerator<string> {
  const { timezone } = source
  const conversation = maskFor(source.who, archivedDetail)(source.conversation)
  const time = zonedTime(timezone)
  // With a byte order mark, since editors of Windows take a text for something else without it.
  yield `\ufeff${factsOf(conversation, source)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}\r\n\r\n`
  for await (const messages of messagesOf(source))
    yield messages
      .map((message) => {
        const words = messageInWords(conversation, message).replace(/\r?\n/g, '\r\n')
        return message.messageType === 'event' || message.messageType === 'view_tracking'
          ? `[${time(message.sentAt)}] ${words}\r\n`
          : `[${time(message.sentAt)}] ${authorInWords(conversation, message)}: ${words}\r\n`
      })
      .join('')
}

const style = `
  :root { color-scheme: light dark }
  body { font: 15px/1.45 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
  h1 { font-size: 1.35rem; margin: 0 0 .75rem }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 0 1.5rem }
  dt, small { color: color-mix(in srgb, currentcolor 65%, transparent) }
  dd { margin: 0; overflow-wrap: anywhere }
  ol { list-style: none; margin: 0; padding: 0; display: grid; gap: .4rem }
  li { max-width: 78%; padding: .4rem .65rem; border-radius: 10px; white-space: pre-wrap;
       overflow-wrap: anywhere; border: 1px solid color-mix(in srgb, currentcolor 16%, transparent);
       justify-self: start }
  li.own { justify-self: end; background: color-mix(in srgb, #0f766e 14%, transparent) }
  li.line { justify-self: center; border: 0; font-size: .85rem; text-align: center }
  li small { display: block; font-size: .8rem; white-space: normal }
  img, video { max-width: 100%; max-height: 24rem; display: block; border-radius: 6px; margin: .25rem 0 }
  @media print { body { margin: 0; max-width: none } li { break-inside: avoid } }`

const noteStyle = `
  li.note { justify-self: stretch; max-width: none; border: 1px solid #ca8a04; border-left-width: 4px;
       background: color-mix(in srgb, #facc15 18%, transparent) }`

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:"

/** The conversation as a page: without scripts, with its pictures in it, every value escaped. */
export async function* pageOf(source: Source): AsyncGenerator<string> {
  const { timezone } = source
  const conversation = maskFor(source.who, archivedDetail)(source.conversation)
  const time = zonedTime(timezone)
  const title = conversationTitle(conversation)
  yield `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="${pagePolicy}">
<title>${escapeHtml(title)}</title>
<style>${style}${source.withNotes ? noteStyle : ''}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<dl>
${factsOf(conversation, source)
  .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)
  .join('\n')}
</dl>
<ol>
`
  const embed = embedder(source)
  for await (const messages of messagesOf(source)) {
    const embedded = await embed(messages)
    yield messages
      .map((message) => {
        const words = escapeHtml(messageInWords(conversation, message))
        const at = escapeHtml(time(message.sentAt))
        if (message.messageType === 'event' || message.messageType === 'view_tracking')
          return `<li class="line">${words} <small>${at}</small></li>\n`
        const who = escapeHtml(authorInWords(conversation, message))
        const look =
          message.senderType === 'contact'
            ? ''
            : ` class="${message.messageType === 'note' ? 'note' : 'own'}"`
        return `<li${look}><small>${who} · ${at}</small>${embedded.get(message.id) ?? ''}${words}</li>\n`
      })
      .join('')
  }
  yield '</ol>\n</body>\n</html>\n'
}

/** What a browser shows without asking anybody. */
const shown: Readonly<Record<string, 'img' | 'audio' | 'video'>> = {
  'image/jpeg': 'img',
  'image/png': 'img',
  'image/webp': 'img',
  'image/gif': 'img',
  'audio/ogg': 'audio',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'video/mp4': 'video',
  'video/webm': 'video',
}

/** Reads the files of messages into elements, until there are too many. */
function embedder({ db, files }: Source) {
  let left = mostOfAll
  return async (messages: readonly Message[]): Promise<Map<number, string>> => {
    const found = await rows<{ messageId: number; name: string; mimeType: string; size: number }>(
      db,
      sql`select f.message_id as "messageId", f.name, f.mime_type as "mimeType", f.size_bytes::float8 as size
            from files f join messages m on m.id = f.message_id
           where f.message_id = any(${sql.param(messages.map(({ id }) => id))}::int[])
             and m.deleted_at is null and not f.is_erased
           order by m.sort_at, m.id`,
    )
    const elements = new Map<number, string>()
    for (const { messageId, name, mimeType, size } of found) {
      const tag = shown[mimeType]
      if (!tag || size > mostOfOne || size > left) continue
      const stream = await files.read(name)
      if (!stream) continue
      left -= size
      const data = `data:${mimeType};base64,${(await buffer(stream)).toString('base64')}`
      elements.set(
        messageId,
        tag === 'img' ? `<img alt="" src="${data}">` : `<${tag} controls src="${data}"></${tag}>`,
      )
    }
    return elements
  }
}
