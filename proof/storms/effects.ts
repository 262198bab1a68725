import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import type { TwoInstances } from '../support/two-instances.ts'
import type { MessageTexts } from './events.ts'

interface Stored extends Record<string, unknown> {
  id: string
  text: string
  status: string | null
  deleted: boolean
  edited: boolean
  pinned: boolean
  reactions: { emoji: string; from: string }[]
  votes: { options: string[]; from: string }[]
  /** Its earlier texts, oldest first. */
  earlier: string[]
}

function readMessages(at: TwoInstances): Promise<Stored[]> {
  return rows<Stored>(
    at.database,
    sql`select m.whatsapp_message_id as id, m.content as text, m.delivery_status as status,
        m.is_pinned as pinned,
               m.deleted_at is not null as deleted, m.edited_at is not null as edited,
               coalesce((select json_agg(json_build_object('emoji', r.emoji, 'from', r.sender)
                     order by r.sender)
                           from message_reactions r where r.message_id = m.id and r.emoji <> ''),
                                 '[]') as reactions,
               coalesce((select json_agg(json_build_object('options', v.options, 'from', v.sender)
                     order by v.sender)
                           from message_votes v where v.message_id = m.id), '[]') as votes,
               coalesce((select json_agg(x.content order by x.said_at nulls first, x.id)
                           from message_versions x where x.message_id = m.id), '[]') as earlier
          from messages m where m.message_type <> 'call'`,
  )
}

/** The messages found by the sweep before their webhook: its inbox rows have no envelope. */
async function readSwept(at: TwoInstances): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    at.database,
    sql`select payload #>> '{data,key,id}' as id from webhook_inbox
         where event = 'messages.upsert' and not payload ? 'sender'`,
  )
  return new Set(found.map(({ id }) => id))
}

type Shown = Omit<Stored, 'text' | 'earlier'>

const side = (from: ChatMessage['from']) => (from === 'phone' ? 'contact' : 'user')

/** Converts a message as shown on a phone to the form of the database. */
function asStored(shown: ChatMessage): Shown {
  const votes = Object.entries(shown.votes ?? {})
    .map(([from, options]) => ({ options, from: side(from as ChatMessage['from']) }))
    .filter(({ options }) => options.length > 0)
  return {
    id: shown.id,
    status: shown.from === 'phone' ? null : shown.ack,
    pinned: shown.pinned ?? false,
    deleted: shown.deleted,
    edited: shown.edited,
    reactions: shown.reactions
      .map(({ emoji, from }) => ({ emoji, from: side(from) }))
      .toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    votes: votes.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
  }
}

const comparable = ({ id, status, pinned, deleted, edited, reactions, votes }: Shown) =>
  JSON.stringify([id, status, pinned, deleted, edited, reactions, votes])

export interface Effects {
  figures: Record<string, number>
  faults: string[]
}

/** Compares the database with what the phones show. @param keys how many distinct events the inbox keeps */
export async function checkEffects(
  at: TwoInstances,
  { keys, texts }: { keys: number; texts: MessageTexts },
): Promise<Effects> {
  const { control } = at.simulator
  const phones = control.phones()
  const shown = phones.flatMap((phone) => control.chat(phone.id, 1_000_000))
  const stored = await readMessages(at)
  const byId = Map.groupBy(stored, (one) => one.id)
  const faults: string[] = []
  const swept = await readSwept(at)
  let sweptEdited = 0
  for (const message of shown) {
    const [one, ...more] = byId.get(message.id) ?? []
    if (!one) faults.push(`lost: ${message.id} «${message.text}»`)
    else if (more.length > 0) faults.push(`doubled: ${message.id}`)
    else if (comparable(one) !== comparable(asStored(message)))
      faults.push(`different: ${comparable(one)} instead of ${comparable(asStored(message))}`)
    else if (!message.deleted && !message.rich && one.text !== message.text)
      faults.push(`another text: «${one.text}» instead of «${message.text}»`)
    if (!one) continue
    const earlier = texts.get(message.id)?.texts.slice(0, -1) ?? []
    if (isDeepStrictEqual(one.earlier, earlier)) continue
    // The record gives an edited message its last text; the first one is not known here.
    if (swept.has(message.id) && isDeepStrictEqual(one.earlier, earlier.slice(1))) sweptEdited++
    else faults.push(`other earlier texts: «${one.earlier.join(', ')}» instead of «${earlier.join(', ')}»`)
  }
  const [counted] = await rows<Record<string, number>>(
    at.database,
    sql`select (select count(*)::int from webhook_inbox) as inbox,
               -- An edit in the record has the time of reading, so it has another key than its webhook.
               (select count(*)::int from webhook_inbox where event = 'messages.edited'
                     and not payload ? 'sender') as "editsOfRecord",
               (select count(*)::int from webhook_inbox where processed_at is null) as waiting,
               (select count(*)::int from webhook_inbox where dead_reason is not null) as dead,
               (select coalesce(sum(attempts), 0)::int from webhook_inbox) as attempts,
               (select count(*)::int from conversations where status <> 'completed') as conversations,
               (select count(*)::int from conversations where is_history) as history,
               (select count(*)::int from queue_pending_conversations) as queue,
               (select count(*)::int from contacts) as contacts,
               (select count(*)::int from messages where message_type <> 'call') as messages,
               (select count(*)::int from messages where message_type = 'call') as calls,
               (select count(*)::int from messages where sender_type = 'contact'
                     and message_type <> 'call') as "fromContacts",
               (select count(*)::int from events where type = 'message_received') as "eventsReceived",
               (select count(*)::int from events where type like 'new_conversation%') as "eventsOpened",
               (select count(*)::int from events) as events,
               (select count(*)::int from outbox) as automatic,
               (select count(*)::int from pending_updates) as "keptAside",
               (select count(*)::int from pending_updates p join messages m
                    on m.instance_id = p.instance_id
                   and m.whatsapp_message_id = p.whatsapp_message_id) as "forgotten"`,
  )
  const figures = { ...counted, shown: shown.length, edited: texts.size, sweptEdited }
  const expected: Record<string, number> = {
    inbox: keys + (counted?.['editsOfRecord'] ?? 0),
    waiting: 0,
    dead: 0,
    conversations: phones.length,
    queue: phones.length,
    contacts: phones.length,
    messages: shown.length,
    eventsOpened: phones.length,
    automatic: 0,
    // Only updates of what is no message here, such as ticks of reactions, stay pending for good.
    forgotten: 0,
  }
  for (const [name, wanted] of Object.entries(expected))
    if (counted?.[name] !== wanted) faults.push(`${name}: ${counted?.[name]} instead of ${wanted}`)
  const calls = counted?.['calls'] ?? 0
  const received = counted?.['eventsReceived'] ?? 0
  const fromContacts = counted?.['fromContacts'] ?? 0
  if (received < fromContacts || received > fromContacts + calls)
    faults.push(`message_received events: ${received}; from contacts ${fromContacts}, calls ${calls}`)
  return { figures, faults }
}
