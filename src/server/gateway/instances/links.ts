import { eq, sql } from 'drizzle-orm'
import type { GatewayLink } from '#shared/gateway/gateway-link.ts'
import { ownerPhone } from '#shared/gateway/owner-phone.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { type LinkCode, linkCodeIn } from '#server/gateway/evolution/parse/linking.ts'
import { type ConfigRow, findConfig, lockConfig, noLinking } from './queries.ts'

// What is stored of linking a number to a phone. A code is only ever stored sealed, and for as long as it is
// shown: not in the inbox of webhooks, not in the log of events, not in a log.

/** How long a code is shown that no other has followed: a little longer than it lives. */
const codeShownMs = 60_000
/** How long a number that is connected again says that another program had taken its session over. */
const replacedToldMs = 600_000

/** Begins a linking: the codes of the last one are forgotten. */
export async function noteLinking(db: Tx, id: number): Promise<void> {
  await db
    .update(evolutionApiConfig)
    .set({ linkingAt: sql`app_now()`, codeEncrypted: null, codeAt: null, codeCount: 0 })
    .where(eq(evolutionApiConfig.id, id))
  db.emit({ type: 'gateway_state' })
}

/**
 * Stores a code that the gateway shows. The same one comes by the answer to a call and by a webhook, and is
 * counted once. One that comes after a phone has scanned another is delivered late, and ignored.
 */
export function noteCode(database: Database, secrets: Secrets, id: number, code: LinkCode): Promise<void> {
  return inTransaction(database, async (db) => {
    const before = await lockConfig(db, id)
    if (!before || before.status === 'open') return
    if (before.codeEncrypted && openCode(secrets, before.codeEncrypted)?.text === code.text) return
    await db
      .update(evolutionApiConfig)
      .set({
        linkingAt: sql`coalesce(${evolutionApiConfig.linkingAt}, app_now())`,
        codeEncrypted: secrets.encrypt(JSON.stringify({ code: code.text, pairingCode: code.pairingCode })),
        codeAt: sql`app_now()`,
        codeCount: before.codeCount + 1,
      })
      .where(eq(evolutionApiConfig.id, id))
    db.emit({ type: 'gateway_state' })
  })
}

/**
 * The session was ended by us. The gateway may report that before or after, as if somebody had
 * ended it on the phone.
 */
export async function noteLeft(db: Tx, id: number): Promise<void> {
  await db
    .update(evolutionApiConfig)
    .set({ ...noLinking, status: 'close', closedReason: 'us', closedAt: sql`app_now()` })
    .where(eq(evolutionApiConfig.id, id))
  db.emit({ type: 'gateway_state' })
}

function openCode(secrets: Secrets, sealed: string): LinkCode | undefined {
  return linkCodeIn(JSON.parse(secrets.decrypt(sealed)) as unknown)
}

interface Activity {
  /** When the gateway last posted for the number, within a day. */
  heardAt: Date | null
  waitingCount: number
  /** How often its socket has opened in the last two minutes. */
  openings: number
}

/**
 * Two programs with one session take it from each other every few seconds. Of that the gateway reports no
 * more than that the socket opens again and again.
 */
const openingsOfTwo = 4

async function activityOf(db: Db, id: number): Promise<Activity> {
  const [row] = await rows<{ heardAt: string | null; waitingCount: number; openings: number }>(
    db,
    sql`select (select i.received_at from webhook_inbox i
                 where i.instance_id = ${id} and i.received_at > app_now() - interval '1 day'
                 order by i.received_at desc limit 1)::text as "heardAt",
               (select count(*)::int from outbox o
                 where o.instance_id = ${id} and o.state = 'pending') as "waitingCount",
               (select count(*)::int from webhook_inbox i
                 where i.instance_id = ${id} and i.received_at > app_now() - interval '2 minutes'
                   and i.event = 'connection.update' and i.payload #>> '{data,state}' = 'open') as openings`,
  )
  const { heardAt = null, waitingCount = 0, openings = 0 } = row ?? {}
  return { heardAt: heardAt === null ? null : new Date(heardAt), waitingCount, openings }
}

/** Whether our webhook has heard an event of this key. */
export async function wasHeard(db: Db, instanceName: string, dedupeKey: string): Promise<boolean> {
  const [row] = await rows<{ heard: boolean }>(
    db,
    sql`select exists (select from webhook_inbox
                        where instance_name = ${instanceName} and dedupe_key = ${dedupeKey}) as heard`,
  )
  return row?.heard ?? false
}

/** @returns undefined for a number that there is not */
export async function findLink(
  db: Db,
  secrets: Secrets,
  id: number,
  nowMs: number,
): Promise<GatewayLink | undefined> {
  const config = await findConfig(db, id)
  if (!config) return undefined
  const { heardAt, waitingCount, openings } = await activityOf(db, id)
  const code = shownCode(config, secrets, nowMs)
  const isOpen = config.status === 'open'
  const isContested = openings >= openingsOfTwo && (isOpen || config.status === 'connecting')
  const reason = isContested ? 'replaced' : reasonShown(config, nowMs)
  return {
    id,
    instanceName: config.instanceName,
    isActive: config.isActive,
    // A code that is valid shows that the number is being linked, whatever was reported in which order.
    state: code && config.status === 'close' ? 'connecting' : config.status,
    reason: code ? null : reason,
    reasonAt: code || !reason || isContested ? null : (config.closedAt?.toISOString() ?? null),
    isLinking: !isOpen && config.linkingAt !== null,
    code,
    number: ownerPhone(config.ownerJid),
    profileName: config.profileName,
    lastConnectedAt: config.lastConnectedAt?.toISOString() ?? null,
    webhookSetAt: config.webhookSetAt?.toISOString() ?? null,
    heardAt: heardAt?.toISOString() ?? null,
    waitingCount,
  }
}

function shownCode(config: ConfigRow, secrets: Secrets, nowMs: number): GatewayLink['code'] {
  const { codeEncrypted, codeAt, codeCount, status } = config
  if (status === 'open' || !codeEncrypted || !codeAt || nowMs - codeAt.getTime() > codeShownMs) return null
  const code = openCode(secrets, codeEncrypted)
  return code ? { ...code, count: codeCount, shownAt: codeAt.toISOString() } : null
}

function reasonShown({ status, closedReason, closedAt, lastConnectedAt }: ConfigRow, nowMs: number) {
  const isRecent = closedAt !== null && nowMs - closedAt.getTime() < replacedToldMs
  if (closedReason === 'replaced') return isRecent ? closedReason : null
  // Whoever ended it before it was ever connected here says nothing to somebody who begins.
  const isOld = closedReason === 'phone' && lastConnectedAt === null
  return status === 'close' && !isOld ? closedReason : null
}
