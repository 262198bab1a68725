import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { Control } from '#simulator/control/control.ts'
import type { Evidence, Remaining, StoredRow, PushedConversation, Transcript } from './checker.ts'
import type { Console, Person } from '../console.ts'
import type { Environment } from '../environment.ts'
import type { Answers } from '../load.ts'

/** Longer than a lease, the wait for an echo and a search of the gateway's record together. */
const movesWithinMs = 240_000
/** Messages that cause each other without end never come to rest. */
const restsWithinMs = 30 * 60_000

/** Unfinished work: waiting, in progress, unconfirmed, or put aside. */
const remaining = sql`
  select 'webhook_inbox' as "table", concat_ws(' ', i.event, i.dedupe_key, i.dead_reason) as what
    from webhook_inbox i where i.processed_at is null
   union all
  select 'outbox', concat_ws(' ', o.state, 'message', o.message_id, o.last_error)
    from outbox o where o.state in ('pending', 'sending', 'unknown')`

async function countRemaining({ database }: Environment): Promise<number> {
  const [row] = await rows<{ n: number }>(database, sql`select count(*)::int as n from (${remaining}) r`)
  return row?.n ?? 0
}

/** How many webhooks were stored, and how many of them and of the sends have come to their end. */
async function countSteps({ database }: Environment): Promise<number> {
  const [row] = await rows<{ n: number }>(
    database,
    sql`select (select count(*) + count(processed_at) from webhook_inbox)::int
             + (select count(*) from outbox where state in ('sent', 'failed', 'cancelled'))::int as n`,
  )
  return row?.n ?? 0
}

/**
 * Lets the programs catch up while phones and operators continue: a program killed every second processes
 * less than arrives, and the backlog would grow for the whole run.
 * @returns the milliseconds it took, two minutes at most
 */
export async function catchUp(environment: Environment): Promise<number> {
  const start = performance.now()
  const tookMs = () => Math.round(performance.now() - start)
  while (tookMs() < 120_000 && (await countRemaining(environment)) > 100) await sleep(500)
  return tookMs()
}

/**
 * Waits until nothing is pending, neither at the gateway nor in the product, or until there is no progress.
 * @param print receives occasional lines about what is still pending
 */
export async function waitUntilQuiet(
  environment: Environment,
  control: Control,
  print: (line: string) => void,
): Promise<void> {
  const end = performance.now() + restsWithinMs
  let most = 0
  let deadline = 0
  for (let round = 0; ; round++) {
    // Not too often, since the gateway gives up after ten attempts.
    if (round % 30 === 0) control.retryNow()
    const waiting = await countRemaining(environment)
    const { pendingWebhooks } = control.state().counters
    // What is pending may grow meanwhile: each send that leaves comes back as three webhooks.
    const steps = await countSteps(environment)
    if (steps > most) deadline = Math.min(performance.now() + movesWithinMs, end)
    most = Math.max(steps, most)
    if (waiting + pendingWebhooks === 0 || performance.now() > deadline) return
    if (round % 20 === 0) print(`  ${pendingWebhooks} webhooks and ${waiting} jobs under way`)
    await sleep(1000)
  }
}

async function storedRows({ database }: Environment): Promise<StoredRow[]> {
  const found = await rows<StoredRow & Record<string, unknown>>(
    database,
    sql`select m.id, m.conversation_id as "conversationId", m.version, m.sort_at as "sortAt",
               m.created_at as "createdAt", m.whatsapp_message_id as "waId", k.phone as "contactPhone",
               m.sender_type as "senderType", m.content, m.delivery_status as "deliveryStatus",
               m.client_message_id as "clientMessageId"
          from messages m join conversations c on c.id = m.conversation_id join contacts k
                on k.id = c.contact_id
         where m.message_type not in ('view_tracking', 'event', 'note') and m.message_type not like 'queue%'
         order by c.id, m.sort_at, m.id`,
  )
  return found.map((row) => ({
    ...row,
    sortAt: new Date(row.sortAt).toISOString(),
    createdAt: new Date(row.createdAt).toISOString(),
  }))
}

/** The accepted receipts of each message, from the gateway's record. */
function gatewayRecord(control: Control) {
  const accepted = new Set<string>()
  const ticks = new Map<string, string>()
  for (const phone of control.phones())
    for (const { id, from, ack } of control.chat(phone.id, Number.MAX_SAFE_INTEGER))
      if (from === 'company') ticks.set(id, ack)
      else if (ack === 'delivered' || ack === 'read') accepted.add(id)
  return { accepted, ticks }
}

/** Collects the evidence of a run from all sides. */
export async function gatherEvidence(from: {
  environment: Environment
  control: Control
  at: Console
  operator: Person
  answers: Answers
  transcripts: Transcript[]
}): Promise<Evidence> {
  const { environment, control, at, operator, answers, transcripts } = from
  const shown = await at.conversations(operator)
  const shownMessages = []
  for (const { id } of shown) shownMessages.push(...(await at.messages(operator, id)))
  return {
    oracle: control.oracle(),
    ...gatewayRecord(control),
    ...answers,
    rows: await storedRows(environment),
    lines: await rows<PushedConversation & Record<string, unknown>>(
      environment.database,
      sql`select id, version from messages where message_type = 'event'`,
    ),
    conversations: await rows<{ id: number; version: number }>(
      environment.database,
      sql`select id, version from conversations`,
    ),
    remaining: await rows<Remaining & Record<string, unknown>>(environment.database, remaining),
    transcripts,
    files: await openFiles(from, shownMessages),
    shown: { conversations: shown, messages: shownMessages },
  }
}

/** Opens the file of every message. */
async function openFiles(
  { control, at, operator }: { control: Control; at: Console; operator: Person },
  messages: readonly Message[],
): Promise<Evidence['files']> {
  const files: Evidence['files'] = []
  for (const { id, content, messageType, whatsappMessageId } of messages) {
    if (messageType !== 'image') continue
    const sent = control.media(whatsappMessageId ?? '')
    const { status, bytes } = await at.file(operator, id)
    const isWhole = sent !== undefined && status === 200 && bytes.equals(Buffer.from(sent.base64, 'base64'))
    files.push({ content, isWhole, seen: `${status}, ${bytes.length} bytes` })
  }
  return files
}

/**
 * Checks every index and table by the server's amcheck; of a partitioned one, its parts.
 * @returns how many were checked, and the damage; undefined if the server does not have amcheck
 */
export async function checkPages({
  asSuperuser,
}: Environment): Promise<{ indexes: number; tables: number; damages: string[] } | undefined> {
  const available = await asSuperuser(`select 1 from pg_available_extensions where name = 'amcheck'`)
  if (available.length === 0) return undefined
  await asSuperuser('create extension if not exists amcheck')
  const [indexes] = await asSuperuser(
    `select count(bt_index_check(index => i.indexrelid, heapallindexed => true))::int as n
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
      where a.amname = 'btree' and c.relkind = 'i' and c.relpersistence = 'p'
        and i.indisready and i.indisvalid`,
  )
  const tables = `pg_class c where c.relkind in ('r', 't', 'm') and c.relpersistence = 'p'`
  const [counted] = await asSuperuser(`select count(*)::int as n from ${tables}`)
  const damages = await asSuperuser(
    `select c.relname as "table", v.msg
       from ${tables.replace(' where', ' cross join lateral verify_heapam(c.oid) v where')}`,
  )
  return {
    indexes: Number(indexes?.['n']),
    tables: Number(counted?.['n']),
    damages: damages.map((row) => `${String(row['table'])}: ${String(row['msg'])}`),
  }
}
