import { and, eq, ne, sql } from 'drizzle-orm'
import type { Typed } from '#shared/live-events.ts'
import { addressOf } from '#server/contacts/contacts.ts'
import type { Gateway, Typing } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/http/access.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'
import { type Database, type Db, rows, tableOf } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { conversations } from '#server/schema/conversations.ts'

/** Whether the person may see that chat as one that is worked at: it is open. */
export async function mayView(db: Db, who: Who, conversationId: number): Promise<boolean> {
  return who.flags.canViewConversations && (await findOpen(db, conversationId)) !== undefined
}

async function findOpen(db: Db, conversationId: number) {
  const [row] = await db
    .select({ instanceId: conversations.instanceId, contactId: conversations.contactId })
    .from(conversations)
    .where(and(eq(conversations.id, conversationId), ne(conversations.status, 'completed')))
  return row
}

/** How long the phone shows it: the gateway answers after that. */
const shownMs = 4000
const everyMs = 8000
/** Calls that are under way at once: each only waits, and none is worth more than a message. */
const mostAtOnce = 10

/** Who types, between the client's phone and our screens. Nothing of it is stored, opens a conversation or is tried again. */
export function createTyping({
  database,
  gateway,
  log,
  tell,
}: {
  database: Database
  gateway: Gateway
  log: Log
  tell: (conversationId: number, activity: Typed['activity']) => void
}) {
  const complain = (error: unknown) => log.debug({ err: error }, 'typing not told')
  /** By conversation when the phone was told last, and whether that call is still under way. */
  const told = new Map<number, { atMs: number; isUnderWay: boolean }>()
  let underWay = 0

  const send = async (conversationId: number, isTyping: boolean) => {
    const open = await findOpen(database, conversationId)
    const to = open && (await addressOf(database, open.contactId))
    if (!open || !to) return
    const delayMs = isTyping ? shownMs : 0
    await gateway.sendTyping(database, open.instanceId, { to, isTyping, delayMs })
  }
  const begin = (conversationId: number) => {
    const now = performance.now()
    for (const [id, { atMs, isUnderWay }] of told) if (!isUnderWay && now - atMs >= everyMs) told.delete(id)
    if (told.has(conversationId) || underWay >= mostAtOnce) return
    const call = { atMs: now, isUnderWay: true }
    told.set(conversationId, call)
    underWay++
    send(conversationId, true)
      .catch(complain)
      .finally(() => {
        call.isUnderWay = false
        underWay--
      })
  }
  const end = (conversationId: number) => {
    // What the gateway was asked to show has ended by itself otherwise.
    if (told.get(conversationId)?.isUnderWay) send(conversationId, false).catch(complain)
  }

  const findTalks = coalesce((all: Asked[]) => findOpenOfPeers(database, all))
  const hear = async (instanceId: number, typing: Typing[]) => {
    for (const { peer, activity } of typing) {
      const asked = { instanceId, phone: peer.phone ?? null, lid: peer.lid ?? null }
      const conversationId = (await findTalks(asked)).get(keyOf(asked))
      if (conversationId !== undefined) tell(conversationId, activity)
    }
  }

  return {
    /** A client does something in his chat. */
    heard: (instanceId: number, typing: Typing[]): void => void hear(instanceId, typing).catch(complain),
    /** An operator writes in a chat: its client is shown 'digitando…'. */
    typed(who: Who, conversationId: number, isTyping: boolean): void {
      if (!who.flags.canEditConversations) return
      if (isTyping) begin(conversationId)
      else end(conversationId)
    },
  }
}

interface Asked extends Record<string, unknown> {
  instanceId: number
  phone: string | null
  lid: string | null
}

const keyOf = ({ instanceId, phone, lid }: Asked) => `${instanceId} ${phone} ${lid}`

/** The open conversations of people who are known already; nobody is made or learned from. */
async function findOpenOfPeers(db: Db, all: Asked[]): Promise<Map<string, number>> {
  const found = await rows<Asked & { id: number }>(
    db,
    sql`select distinct on (a."instanceId", a.phone, a.lid) a."instanceId", a.phone, a.lid, c.id
          from ${tableOf('a', all, { instanceId: 'int', phone: 'text', lid: 'text' })}
          join contact_identities i on (i.kind = 'phone' and i.value = a.phone) or (i.kind = 'lid' and i.value = a.lid)
          join conversations c on c.contact_id = i.contact_id and c.instance_id = a."instanceId"
           and c.status <> 'completed'
         order by a."instanceId", a.phone, a.lid, c.id`,
  )
  return new Map(found.map((row) => [keyOf(row), row.id]))
}
