import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'

export type ConfigRow = typeof evolutionApiConfig.$inferSelect
type NewConfig = typeof evolutionApiConfig.$inferInsert

/** What a linking leaves is removed with these: it has succeeded, or ended. */
export const noLinking = { linkingAt: null, codeEncrypted: null, codeAt: null, codeCount: 0 } as const

/** Of a gateway that has not been asked yet. */
export const unknownRelease = { release: null, releaseAt: null, keepsIds: false } as const

export async function findConfig(db: Db, id: number): Promise<ConfigRow | undefined> {
  const [row] = await db
    .select()
    .from(evolutionApiConfig)
    .where(and(eq(evolutionApiConfig.id, id), isLiving))
  return row
}

export async function findConfigByName(db: Db, instanceName: string): Promise<ConfigRow | undefined> {
  const [row] = await db
    .select()
    .from(evolutionApiConfig)
    .where(and(eq(evolutionApiConfig.instanceName, instanceName), isLiving))
  return row
}

/** Returns those of the names that are configured. */
export async function findConfigsByName(db: Db, names: string[]): Promise<Map<string, ConfigRow>> {
  const found = await db
    .select()
    .from(evolutionApiConfig)
    .where(and(inArray(evolutionApiConfig.instanceName, names), isLiving))
  return new Map(found.map((row) => [row.instanceName, row]))
}

/** The file that a webhook contained, in base64: some gateways are configured to send it with the message. */
export async function findWebhookFile(db: Db, instanceId: number, waId: string): Promise<string | undefined> {
  const [row] = await rows<{ base64: string | null }>(
    db,
    sql`select i.payload #>> '{data,message,base64}' as base64
          from evolution_api_config c join webhook_inbox i on i.instance_name = c.instance_name
         where c.id = ${instanceId} and i.dedupe_key in (${`upsert:${waId}`}, ${`send:${waId}`})
         order by 1 nulls last limit 1`,
  )
  return row?.base64 ?? undefined
}

const isLiving = isNull(evolutionApiConfig.deletedAt)

/** The main number comes first: the first active one, else the first. */
const mainFirst = [asc(sql`not ${evolutionApiConfig.isActive}`), asc(evolutionApiConfig.id)] as const

/** The main number of this installation. */
export async function findMainConfig(db: Db): Promise<ConfigRow | undefined> {
  const [row] = await db
    .select()
    .from(evolutionApiConfig)
    .where(isLiving)
    .orderBy(...mainFirst)
    .limit(1)
  return row
}

/** All numbers, including those that are switched off, the main one first. */
export function listConfigs(db: Db): Promise<ConfigRow[]> {
  return db
    .select()
    .from(evolutionApiConfig)
    .where(isLiving)
    .orderBy(...mainFirst)
    .execute()
}

export function listDeletedConfigs(db: Db): Promise<ConfigRow[]> {
  return db
    .select()
    .from(evolutionApiConfig)
    .where(isNotNull(evolutionApiConfig.deletedAt))
    .orderBy(evolutionApiConfig.id)
    .execute()
}

export function listActiveConfigs(db: Db): Promise<ConfigRow[]> {
  return db.select().from(evolutionApiConfig).where(eq(evolutionApiConfig.isActive, true)).execute()
}

/**
 * Adds a number. One that was deleted and comes back (`isBack`) is the same one, with its finalized
 * conversations.
 */
export async function insertConfig(db: Db, values: NewConfig): Promise<ConfigRow & { isBack: boolean }> {
  const [back] = await db
    .update(evolutionApiConfig)
    .set({
      ...values,
      deletedAt: null,
      status: 'disconnected',
      failures: 0,
      breakerUntil: null,
      ...unknownRelease,
    })
    .where(
      and(eq(evolutionApiConfig.instanceName, values.instanceName), isNotNull(evolutionApiConfig.deletedAt)),
    )
    .returning()
  if (back) return { ...back, isBack: true }
  const [row] = await db.insert(evolutionApiConfig).values(values).returning()
  if (!row) throw new Error('gateway configuration not written')
  return { ...row, isBack: false }
}

/** Locks the row until the transaction ends. */
export async function lockConfig(db: Db, id: number): Promise<ConfigRow | undefined> {
  const [row] = await db
    .select()
    .from(evolutionApiConfig)
    .where(and(eq(evolutionApiConfig.id, id), isLiving))
    .for('update')
  return row
}

/** The numbers whose new conversations go to a sector. */
export const listNumbersOf = (db: Db, sectorId: number): Promise<{ id: number }[]> =>
  db
    .select({ id: evolutionApiConfig.id })
    .from(evolutionApiConfig)
    .where(and(eq(evolutionApiConfig.defaultSectorId, sectorId), isLiving))

/** One that is switched on begins anew to count the inactivity of its clients. */
export async function updateConfig(
  db: Db,
  id: number,
  values: Partial<NewConfig>,
): Promise<ConfigRow | undefined> {
  const [row] = await db
    .update(evolutionApiConfig)
    .set({
      ...(values.isActive && {
        inactivityFrom: sql`case when ${evolutionApiConfig.isActive} then ${evolutionApiConfig.inactivityFrom}
                                 else app_now() end`,
      }),
      ...values,
      updatedAt: sql`app_now()`,
    })
    .where(eq(evolutionApiConfig.id, id))
    .returning()
  return row
}

export interface SeenConnection {
  status: ConfigRow['status']
  ownerJid?: string | undefined
  profileName?: string | undefined
  /** Why it is not open, where that is reported. */
  reason?: ConfigRow['closedReason'] | undefined
  /**
   * Of an answer, the time of the question. A webhook that has come since knows better, whether or not it has
   * been processed.
   */
  askedAt?: Date
}

/**
 * The reason of a state: of a session that goes on, only that another program had taken it over. A phone that
 * logs out, and our own logout, are reported alike, and who has ended it here is known.
 */
function reasonAfter({ status, reason }: SeenConnection) {
  const { closedReason, closedAt } = evolutionApiConfig
  if (reason) return { closedReason: reason, closedAt: sql`app_now()` }
  if (status !== 'open' && status !== 'connecting') return {}
  const isKept = sql`${closedReason} = 'replaced'`
  return {
    closedReason: sql`case when ${isKept} then ${closedReason} end`,
    closedAt: sql`case when ${isKept} then ${closedAt} end`,
  }
}

/** @returns whether the state, or its reason, changed */
export async function setConnection(db: Db, id: number, seen: SeenConnection): Promise<boolean> {
  const { status, closedReason } = evolutionApiConfig
  const isNews = seen.reason
    ? sql`(${status} <> ${seen.status} or ${closedReason} is distinct from ${seen.reason})
          and not (${seen.reason} = 'phone' and ${closedReason} is not distinct from 'us'
                   and ${status} = 'close')`
    : sql`${status} <> ${seen.status}`
  const changed = await db
    .update(evolutionApiConfig)
    .set({
      status: seen.status,
      ...reasonAfter(seen),
      ...(seen.reason === 'codes' && noLinking),
      ...(seen.ownerJid && { ownerJid: seen.ownerJid }),
      ...(seen.profileName && { profileName: seen.profileName }),
      // The failures of before say nothing about the new connection.
      ...(seen.status === 'open' && {
        ...noLinking,
        lastConnectedAt: sql`app_now()`,
        failures: 0,
        breakerUntil: null,
      }),
    })
    .where(
      and(
        eq(evolutionApiConfig.id, id),
        isNews,
        seen.askedAt &&
          sql`not exists (select from webhook_inbox i
                where i.received_at >= ${seen.askedAt.toISOString()} and i.instance_id = ${id}
                  and i.lane = i.instance_name || ':connection')`,
      ),
    )
    .returning({ id: evolutionApiConfig.id })
  return changed.length > 0
}

/** Records whose number it is. @returns whether that was not known before, or was another */
export async function setOwner(
  db: Db,
  id: number,
  { ownerJid, profileName }: { ownerJid: string; profileName: string | undefined },
): Promise<boolean> {
  const changed = await db
    .update(evolutionApiConfig)
    .set({ ownerJid, ...(profileName && { profileName }) })
    .where(
      and(eq(evolutionApiConfig.id, id), sql`${evolutionApiConfig.ownerJid} is distinct from ${ownerJid}`),
    )
    .returning({ id: evolutionApiConfig.id })
  return changed.length > 0
}

/** Records what the gateway says of its release, and what follows from that. */
export async function setRelease(
  db: Db,
  id: number,
  { release, keepsIds }: Pick<ConfigRow, 'release' | 'keepsIds'>,
): Promise<void> {
  await db
    .update(evolutionApiConfig)
    .set({ release, keepsIds, releaseAt: sql`app_now()` })
    .where(eq(evolutionApiConfig.id, id))
}

/** The gateway has sent a message under another id than the given one: such ids are not kept. */
export async function noteIdIgnored(db: Db, id: number): Promise<void> {
  await db.update(evolutionApiConfig).set({ keepsIds: false }).where(eq(evolutionApiConfig.id, id))
}

/** Releases quarantined bodies of an instance, now configured, into their lanes. */
export async function releaseQuarantine(db: Db, config: ConfigRow): Promise<void> {
  await db.execute(
    sql`update webhook_inbox set instance_id = ${config.id}
         where instance_id is null and instance_name = ${config.instanceName} and processed_at is null`,
  )
}

/** What of a number is still under way: it cannot be deleted before. */
export async function whatIsOpen(db: Db, id: number): Promise<{ conversations: number; isUnsent: boolean }> {
  const [row] = await rows<{ conversations: number; isUnsent: boolean }>(
    db,
    sql`select (select count(*)::int from conversations c
                 where c.instance_id = ${id} and c.status <> 'completed') as conversations,
               exists (select from outbox o
                        where o.instance_id = ${id} and o.state in ('pending', 'sending', 'unknown'))
               or exists (select from webhook_inbox i
                           where i.instance_id = ${id} and i.processed_at is null
                             and i.dead_reason is null) as "isUnsent"`,
  )
  return row ?? { conversations: 0, isUnsent: false }
}

/** The numbers of open conversations, by number. */
export async function countOpen(db: Db): Promise<Map<number, number>> {
  const found = await rows<{ id: number; count: number }>(
    db,
    sql`select instance_id as id, count(*)::int as count from conversations
         where status <> 'completed' group by instance_id`,
  )
  return new Map(found.map(({ id, count }) => [id, count]))
}
