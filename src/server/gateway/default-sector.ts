import { AppError } from '#shared/errors.ts'
import type { Changes } from '#shared/text/audit/telling.ts'
import { record } from '#server/audit/audit.ts'
import type { Db } from '#server/platform/database/db.ts'
import { expectReceiving, sectorNames, shareSector, type TakeNumbers } from '#server/sectors/sectors.ts'
import { type ConfigRow, listNumbersOf, lockConfig, updateConfig } from '#server/gateway/instances/queries.ts'
import { destinationsOf } from './destinations.ts'

type WithDefault = Pick<ConfigRow, 'id' | 'defaultSectorId'>

/**
 * Lets the new conversations of these numbers, and of no others, go to a sector, which serves them, and is
 * there to stay.
 */
export const takeNumbers: TakeNumbers = async (db, who, numberIds, sectorId) => {
  const held = (await listNumbersOf(db, sectorId)).map(({ id }) => id)
  // In one order, so that two who take the same numbers do not wait for each other.
  for (const id of [...new Set([...numberIds, ...held])].toSorted((a, b) => a - b)) {
    const wanted = numberIds.includes(id) ? sectorId : null
    const before = await lockConfig(db, id)
    if (!before && !wanted) continue
    if (!before) throw new AppError('sectors.unknown_number')
    // What a colleague has given to another sector meanwhile is not taken from that one.
    if (before.defaultSectorId === wanted || (!wanted && before.defaultSectorId !== sectorId)) continue
    if (wanted) await expectReceiving(db, wanted, id)
    const config = await updateConfig(db, id, { defaultSectorId: wanted })
    if (!config) throw new Error('default sector not written')
    const changes = await defaultChanges(db, before, config)
    const details = { ...destinationsOf(config), isKeyChanged: false, changes }
    await record(db, who, { action: 'gateway.update', resourceId: id, details })
    db.emit({ type: 'gateway_state' })
  }
}

/** A sector is locked before its number, since whoever deletes it does so too. */
export async function lockDefault(db: Db, wanted: number | null | undefined): Promise<void> {
  if (wanted) await shareSector(db, wanted)
}

/** One that was chosen before may stay. @throws AppError 422 */
export async function expectDefault(
  db: Db,
  before: WithDefault | undefined,
  wanted: number | null | undefined,
): Promise<void> {
  if (before && wanted && wanted !== before.defaultSectorId) await expectReceiving(db, wanted, before.id)
}

/** For the audit: from which sector to which, by their names. */
export async function defaultChanges(
  db: Db,
  before: WithDefault,
  after: WithDefault,
): Promise<Changes<'defaultSectorId'>> {
  if (before.defaultSectorId === after.defaultSectorId) return {}
  return { defaultSectorId: await sectorNames(db, [before.defaultSectorId, after.defaultSectorId]) }
}
