import { sql } from 'drizzle-orm'
import type { Gateway, OutgoingText, SendResult } from '#server/gateway/gateway.ts'
import { addressOf } from '#server/contacts/contacts.ts'
import { type Database, type Db, inTransaction, isDatabaseDown, rows } from '#server/platform/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Log } from '#server/platform/log.ts'
import { recordFailed, recordSent, moveTo } from './delivery.ts'
import { resolveDoubts } from './outbox-doubts.ts'
import { lockConversation } from './write.ts'

/** Longer than any answer of the gateway takes, so that nobody claims what is still under way. */
const lease = sql`interval '90 seconds'`

interface Claimed extends Record<string, unknown> {
  id: number
  instanceId: number
  conversationId: number
  messageId: number
  priority: number
  tries: number
}

/**
 * The oldest message of a conversation that has none under way. Order per conversation holds over any number of
 * instances, and nothing is handed out twice; what people write goes before automatic texts.
 * @see reliability §3.1
 */
async function claim(db: Db): Promise<Claimed | undefined> {
  const [row] = await rows<Claimed>(
    db,
    sql`update outbox set state = 'sending', tries = tries + 1, lease_until = now() + ${lease},
               first_attempt_at = coalesce(first_attempt_at, app_now())
         where id = (select o.id from outbox o join evolution_api_config g on g.id = o.instance_id
                      where o.state = 'pending' and o.not_before <= now() and g.is_active
                        and (g.breaker_until is null or g.breaker_until <= now())
                        and g.next_send_at <= now() + interval '1 second'
                        and (o.priority < 10 or g.next_automatic_at <= now())
                        and not exists (select 1 from outbox p where p.conversation_id = o.conversation_id and p.id < o.id
                                           and p.state in ('pending', 'sending', 'unknown'))
                      order by o.priority, o.id limit 1 for update of o skip locked)
           and state = 'pending'
        returning id, instance_id as "instanceId", conversation_id as "conversationId", message_id as "messageId",
                  priority, tries`,
  )
  return row
}

/** Takes the number's next moment to send. @returns how long to wait for it, in milliseconds */
async function takePace(db: Db, claimed: Claimed): Promise<number> {
  const jitter = sql`(0.7 + 0.6 * random())`
  const [row] = await rows<{ waitMs: number }>(
    db,
    sql`update evolution_api_config g
           set next_send_at = greatest(g.next_send_at, clock_timestamp()) + interval '1 second' / g.pace_per_second,
               next_automatic_at = case when ${claimed.priority} < 10 then g.next_automatic_at
                                        else clock_timestamp() + interval '1 second' * ${jitter} end
         where g.id = ${claimed.instanceId}
        returning extract(epoch from g.next_send_at - interval '1 second' / g.pace_per_second - clock_timestamp())::float8 * 1000 as "waitMs"`,
  )
  return Math.max(0, row?.waitMs ?? 0)
}

async function outgoingOf(db: Db, claimed: Claimed): Promise<OutgoingText | undefined> {
  const [row] = await rows<{
    content: string
    contactId: number
    quotedId: string | null
    quotedContent: string | null
    isQuotedOurs: boolean
  }>(
    db,
    sql`select m.content, c.contact_id as "contactId", m.quoted_whatsapp_id as "quotedId",
               m.quoted_content as "quotedContent",
               exists (select 1 from messages q where q.instance_id = m.instance_id
                          and q.whatsapp_message_id = m.quoted_whatsapp_id and q.sender_type = 'user') as "isQuotedOurs"
          from messages m join conversations c on c.id = m.conversation_id where m.id = ${claimed.messageId}`,
  )
  const jid = row && (await addressOf(db, row.contactId))
  if (!row || !jid) return undefined
  const quoted = row.quotedId
    ? { waId: row.quotedId, content: row.quotedContent ?? '', fromMe: row.isQuotedOurs, jid }
    : undefined
  return { to: jid, text: row.content, quoted }
}

export interface OutboxWorker {
  /** Lets what is under way end, starts nothing new. */
  stop(): Promise<void>
  inFlight(): number
}

const workers = 8
const pollMs = 1000
const doubtsEveryMs = 5000

/** Sends what the outbox holds. No transaction is open while the gateway is asked. */
export function startOutboxWorker(database: Database, gateway: Gateway, log: Log): OutboxWorker {
  let isStopped = false
  let sending = 0
  const running = new Set<Promise<void>>()

  const sendNext = async (): Promise<boolean> => {
    const claimed = await inTransaction(database, async (db, emit) => {
      const row = await claim(db)
      if (!row) return undefined
      await moveTo(db, emit, row.messageId, 'sending')
      return { ...row, waitMs: await takePace(db, row) }
    })
    if (!claimed) return false
    await failpoint('outbox.claimed')
    if (claimed.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, claimed.waitMs))
    const message = await outgoingOf(database, claimed)
    const result: SendResult = message
      ? await gateway.sendText(database, claimed.instanceId, message)
      : { kind: 'refused', reason: 'invalid', detail: 'no address' }
    await failpoint('outbox.answered')
    await settle(database, claimed, result)
    if (result.kind !== 'sent')
      log.warn({ outboxId: claimed.id, result: result.kind, detail: result.detail }, 'message not confirmed')
    return true
  }

  const pump = async () => {
    sending++
    try {
      while (!isStopped && (await sendNext())) {
        // One more, until there is none.
      }
    } catch (error) {
      log[isDatabaseDown(error) ? 'warn' : 'error']({ err: error }, 'outbox worker failed')
    } finally {
      sending--
    }
  }

  const wake = () => {
    if (isStopped || sending >= workers) return
    const run: Promise<void> = pump().finally(() => running.delete(run))
    running.add(run)
  }

  const off = database.wake.on('outbox', wake)
  const poll = setInterval(wake, pollMs)
  let doubting: Promise<void> | undefined
  const doubt = setInterval(() => {
    doubting ??= resolveDoubts(database, gateway, log)
      .catch((error: unknown) => log.warn({ err: error }, 'doubts not resolved'))
      .finally(() => (doubting = undefined))
  }, doubtsEveryMs)
  wake()

  return {
    inFlight: () => sending,
    async stop() {
      isStopped = true
      off()
      clearInterval(poll)
      clearInterval(doubt)
      await Promise.all([...running, doubting])
    },
  }
}

/** Writes down what the answer proves. */
async function settle(database: Database, claimed: Claimed, result: SendResult): Promise<void> {
  await inTransaction(database, async (db, emit) => {
    // The conversation first, as everybody does: an echo may bring the proof at this very moment.
    await lockConversation(db, claimed.conversationId)
    await noteHealth(db, claimed.instanceId, result.kind === 'sent' || result.kind === 'refused')
    switch (result.kind) {
      case 'sent':
        return recordSent(db, emit, claimed.messageId, result.waId)
      case 'refused':
        await setState(
          db,
          claimed.id,
          sql`state = 'failed', lease_until = null, last_error = ${result.detail}`,
        )
        emit.wake('outbox')
        return recordFailed(db, emit, claimed.messageId, result.reason)
      case 'not_sent':
        // Nothing can have left: trying again is safe, and does not count as a try.
        await setState(
          db,
          claimed.id,
          sql`state = 'pending', lease_until = null, last_error = ${result.detail}, tries = greatest(0, tries - 1),
              not_before = now() + interval '1 second' * (2 + 3 * random())`,
        )
        return moveTo(db, emit, claimed.messageId, 'pending')
      case 'unknown':
        await setState(
          db,
          claimed.id,
          sql`state = 'unknown', lease_until = null, unknown_since = app_now(), last_error = ${result.detail}`,
        )
        return moveTo(db, emit, claimed.messageId, 'unknown')
    }
  })
}

/** Only what is still under way: an echo may have proven the message sent while the answer was on its way. */
async function setState(db: Db, outboxId: number, change: ReturnType<typeof sql>): Promise<void> {
  await db.execute(sql`update outbox set ${change} where id = ${outboxId} and state = 'sending'`)
}

/** Five failures in a row open the breaker for about 15 s; then one message is the probe. */
async function noteHealth(db: Db, instanceId: number, isHealthy: boolean): Promise<void> {
  await db.execute(
    isHealthy
      ? sql`update evolution_api_config set failures = 0, breaker_until = null
             where id = ${instanceId} and (failures > 0 or breaker_until is not null)`
      : sql`update evolution_api_config set failures = failures + 1,
                   breaker_until = case when failures + 1 >= 5 then now() + interval '1 second' * (12 + 6 * random()) end
             where id = ${instanceId}`,
  )
}
