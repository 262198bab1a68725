import { sql } from 'drizzle-orm'
import { type DeliveryStatus, deliveryStatuses } from '#shared/messages/delivery.ts'
import { type Database, rows, tableOf } from '#server/platform/database/db.ts'
import type { RecordedBody } from '#server/gateway/evolution/client/records.ts'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'
import type { ConfigRow } from '#server/gateway/instances/queries.ts'
import type { InboxWriter } from './inbox.ts'
import { storable } from './payload.ts'

/** What a sweep found that no webhook had reported. */
export interface SweepCount {
  messages: number
  /** Delivery statuses. */
  updates: number
  /** Edits and deletions. */
  changes: number
}

export const nothing: SweepCount = { messages: 0, updates: 0, changes: 0 }

/**
 * Puts what is missing into the inbox: messages, their changes, delivery statuses further than ours, and
 * messages that we have under one address of their client, of whom the record has the other one, too.
 * @param isOfKnown whether a message that is not here is left out: an earlier sweep has seen it
 */
export async function storeMissing(
  { database, inbox }: { database: Database; inbox: InboxWriter },
  config: ConfigRow,
  bodies: RecordedBody[],
  isOfKnown: boolean,
): Promise<SweepCount> {
  const known = await findKnown(database, config.id, bodies)
  const store = async (body: unknown, isNew: (event: GatewayEvent) => boolean, key?: string) => {
    const payload = storable(body)
    const { event, lane, events, eventsByItem, ...parsed } = parseWebhook(payload)
    const dedupeKey = key ?? parsed.dedupeKey
    if (!events.some((one) => one.kind !== 'ignored' && isNew(one))) return 0
    const { id: instanceId, instanceName } = config
    const count = await inbox.store({
      instanceId,
      instanceName,
      event,
      dedupeKey,
      lane,
      payload,
      eventsByItem,
    })
    return events.every(isReactionOfOurs) ? 0 : count
  }
  const found = { ...nothing }
  for (const { waId, message, updates, change } of bodies) {
    const ours = known.get(waId)
    if (!ours && isOfKnown) continue
    if (!ours) found.messages += await store(message, () => true)
    // The same message by another key: the webhook that has brought it without the other address has its own.
    else if (ours.isOfPair) await store(message, () => true, `pair:${waId}`)
    for (const update of updates)
      found.updates += await store(
        update,
        (event) => event.kind === 'delivery' && isFurther(event.status, ours?.status),
      )
    if (change !== undefined) found.changes += await store(change, (event) => isChange(event, ours))
  }
  return found
}

/**
 * A reaction that was made through the gateway is recorded here with its answer, whether or not its own
 * `send.message` comes, so it is not missing.
 */
const isReactionOfOurs = (event: GatewayEvent) => event.kind === 'reaction' && event.from === 'user'

/** Whether the gateway's record has a deletion or an edit that ours has not. */
function isChange(event: GatewayEvent, ours: Known | undefined): boolean {
  if (ours?.isDeleted) return false
  if (event.kind === 'delete') return true
  if (event.kind !== 'edit') return false
  // The record gives a new message its last text. That it is an edit's makes the webhooks of earlier edits,
  // which may still come, older than that text.
  if (!ours) return true
  // The record may still have what an edit made here has replaced.
  return event.content !== ours.content && !ours.replacedHere.includes(event.content)
}

/** A message of the record as it is stored here. */
interface Known extends Record<string, unknown> {
  status: DeliveryStatus | null
  content: string
  /** Earlier texts of a message that was written here, and not on a phone. */
  replacedHere: string[]
  isDeleted: boolean
  /** Its client is known by one of the two addresses in the record. */
  isOfPair: boolean
}

const isFurther = (status: DeliveryStatus, than: DeliveryStatus | null | undefined) =>
  !than || deliveryStatuses.indexOf(status) > deliveryStatuses.indexOf(than)

/** Whether the client of the message is known by the record's address of the kind. */
const isOf = (kind: 'phone' | 'lid') =>
  sql`exists (select from contact_identities i where i.contact_id = v.contact_id
    and i.kind = ${sql.raw(`'${kind}'`)} and i.value = a.${sql.raw(kind)})`

/**
 * Maps the gateway's ids to our messages. One that was deleted from the database here counts as 'played', so
 * that none of its statuses is new.
 */
async function findKnown(
  database: Database,
  instanceId: number,
  bodies: RecordedBody[],
): Promise<Map<string, Known>> {
  const found = await rows<Known & { waId: string }>(
    database,
    sql`select a."waId", k.* from ${tableOf(
      'a',
      bodies.map(({ waId, pair }) => ({ waId, phone: pair?.phone ?? null, lid: pair?.lid ?? null })),
      { waId: 'text', phone: 'text', lid: 'text' },
    )}
          cross join lateral (
            select m.delivery_status as status, m.content, m.deleted_at is not null as "isDeleted",
                   case when m.sender_type = 'user' and m.metadata ->> 'origin' is null
                        then array(select v.content from message_versions v where v.message_id = m.id)
                        else '{}' end as "replacedHere",
                   case when a.phone is null then false
                        else ${isOf('phone')} <> ${isOf('lid')} end as "isOfPair"
              from messages m join conversations v on v.id = m.conversation_id
             where m.instance_id = ${instanceId} and m.whatsapp_message_id = a."waId"
            union all select 'played', '', true, '{}', false from forgotten_messages f
             where f.instance_id = ${instanceId} and f.whatsapp_message_id = a."waId" limit 1) k`,
  )
  return new Map(found.map((row) => [row.waId, row]))
}
