import { eq, sql } from 'drizzle-orm'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import type { GivenNumber } from '#shared/gateway/given-numbers.ts'
import { ownerPhone } from '#shared/gateway/owner-phone.ts'
import type { Db } from '#server/platform/database/db.ts'
import { isSealedEmpty } from '#server/platform/secrets.ts'
import { hasNumber, type Who } from '#server/platform/http/access.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { type ConfigRow, listConfigs, listDeletedConfigs } from './queries.ts'

/** The numbers from which the person may write, the main one first. */
export async function listNumbers(db: Db, who: Pick<Who, 'numberIds'>): Promise<ConfigRow[]> {
  return (await listConfigs(db)).filter(({ id, isActive }) => isActive && hasNumber(who, id))
}

/** The numbers whose conversations the person sees, those that were deleted last. */
export async function listGiven(db: Db, who: Pick<Who, 'numberIds'>): Promise<ConfigRow[]> {
  const all = [...(await listConfigs(db)), ...(await listDeletedConfigs(db))]
  return all.filter(({ id }) => hasNumber(who, id))
}

export const toGiven = ({
  id,
  instanceName: name,
  ownerJid,
  isActive,
  status,
  deletedAt,
}: ConfigRow): GivenNumber => ({
  id,
  name,
  phone: ownerPhone(ownerJid),
  isActive,
  isConnected: isActive && status === 'open',
  isDeleted: deletedAt !== null,
})

/** A number without its secrets. */
export function toWire(config: ConfigRow): EvolutionConfig {
  const { id, instanceName, apiKeyHint, baseUrl, webhookUrl, isActive, status } = config
  const lastConnectedAt = config.lastConnectedAt?.toISOString() ?? null
  const webhookSetAt = config.webhookSetAt?.toISOString() ?? null
  const { defaultSectorId } = config
  const stored = { id, instanceName, apiKeyHint, baseUrl, webhookUrl, isActive, status, defaultSectorId }
  const isKeyMissing = isSealedEmpty(config.apiKeyEncrypted)
  return { ...stored, lastConnectedAt, webhookSetAt, ...(isKeyMissing && { isKeyMissing }) }
}

/** Lets the new conversations of numbers go to another sector, or to none where that serves others only. */
export async function leaveNumbersOf(
  db: Db,
  sectorId: number,
  target: { id: number; numberIds: number[] | null } | null,
): Promise<void> {
  const served = target?.numberIds ?? null
  const isServed = sql`(${sql.param(served)}::int[] is null or id = any(${sql.param(served)}::int[]))`
  await db
    .update(evolutionApiConfig)
    .set({ defaultSectorId: sql`case when ${isServed} then ${target?.id ?? null}::int end` })
    .where(eq(evolutionApiConfig.defaultSectorId, sectorId))
}
