import { and, eq, sql } from 'drizzle-orm'
import type { Typed } from '#shared/live-events.ts'
import { addressOf } from '#server/contacts/contacts.ts'
import type { Gateway, Typing } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/http/access.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'
import { type Database, type Db, rows, tableOf } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { findReadable } from '#server/conversations/store/access.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'

/** Whether the person may appear as a viewer of the conversation: only while it is open. */
export async function mayView(db: Db, who: Who, conversationId: number): Promise<boolean> {
  const found = await findReadable(db, who, conversationId)
  return found !== undefined && found.status !== 'completed'
}

async function findOpen(db: Db, conversationId: number) {
  const [row] = await db
    .select({ instanceId: conversations.instanceId, contactId: conversations.contactId })
    .from(conversations)
    .where(and(eq(conversations.id, conversationId), isOpen))
  return row
}

/** How long the phone shows 'digitando…'. The gateway answers only after that time. */
const shownMs = 4000
/** Between two calls for one conversation. */
const everyMs = 8000
/** Concurrent calls at most: typing must not take connections from messages. */
const maxCalls = 10

/**
 * Passes typing indicators between the client's phone and the operators' screens. Nothing of it is stored or
 * retried, or opens a conversation.
 */
export function createTyping({
  database,
  gateway,
  log,
  emitTyping,
}: {
  database: Database
  gateway: Gateway
  log: Log
  emitTyping: (conversationId: number, activity: Typed['activity']) => void
}) {
  const logFailure = (error: unknown) => log.debug({ err: error }, 'typing not sent')
  /** The last call for each conversation. */
  const calls = new Map<number, { atMs: number; isPending: boolean }>()
  let pendingCalls = 0

  const send = async (conversationId: number, isTyping: boolean) => {
    const open = await findOpen(database, conversationId)
    const to = open && (await addressOf(database, open.contactId))
    if (!open || !to) return
    const delayMs = isTyping ? shownMs : 0
    await gateway.sendTyping(database, open.instanceId, { to, isTyping, delayMs })
  }
  const startTyping = (conversationId: number) => {
    const now = performance.now()
    for (const [id, { atMs, isPending }] of calls) if (!isPending && now - atMs >= everyMs) calls.delete(id)
    if (calls.has(conversationId) || pendingCalls >= maxCalls) return
    const call = { atMs: now, isPending: true }
    calls.set(conversationId, call)
    pendingCalls++
    send(conversationId, true)
      .catch(logFailure)
      .finally(() => {
        call.isPending = false
        pendingCalls--
      })
  }
  const stopTyping = (conversationId: number) => {
    // Once the call has been answered, the phone no longer shows the indicator.
    if (calls.get(conversationId)?.isPending) send(conversationId, false).catch(logFailure)
  }

  const findConversations = coalesce((peers: PeerKey[]) => findOpenOfPeers(database, peers))
  const emitAll = async (instanceId: number, typing: Typing[]) => {
    for (const { peer, activity } of typing) {
      const key = { instanceId, phone: peer.phone ?? null, lid: peer.lid ?? null }
      const conversationId = (await findConversations(key)).get(textOf(key))
      if (conversationId !== undefined) emitTyping(conversationId, activity)
    }
  }

  return {
    /** Shows the clients' activity to the operators. */
    receive: (instanceId: number, typing: Typing[]): void =>
      void emitAll(instanceId, typing).catch(logFailure),
    /** Shows the client that an operator is typing, or has stopped. */
    send(who: Who, conversationId: number, isTyping: boolean): void {
      if (!who.flags.canEditConversations) return
      if (isTyping) startTyping(conversationId)
      else stopTyping(conversationId)
    },
  }
}

/** A person at the other side of one of our numbers. */
interface PeerKey extends Record<string, unknown> {
  instanceId: number
  phone: string | null
  lid: string | null
}

const textOf = ({ instanceId, phone, lid }: PeerKey) => `${instanceId} ${phone} ${lid}`

/** The open conversations of known contacts, by `textOf`. Creates no contact and learns no identity. */
async function findOpenOfPeers(db: Db, peers: PeerKey[]): Promise<Map<string, number>> {
  const found = await rows<PeerKey & { id: number }>(
    db,
    sql`select distinct on (a."instanceId", a.phone, a.lid) a."instanceId", a.phone, a.lid, c.id
          from ${tableOf('a', peers, { instanceId: 'int', phone: 'text', lid: 'text' })}
          join contact_identities i
            on (i.kind = 'phone' and i.value = a.phone) or (i.kind = 'lid' and i.value = a.lid)
          join conversations c on c.contact_id = i.contact_id and c.instance_id = a."instanceId"
           and c.status <> 'completed'
         order by a."instanceId", a.phone, a.lid, c.id`,
  )
  return new Map(found.map((row) => [textOf(row), row.id]))
}
