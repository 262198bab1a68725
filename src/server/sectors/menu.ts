import type { MenuOffered } from '#shared/choice.ts'
import { type MenuOption, mostOptions } from '#shared/sectors/sector-menu.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { isOpen, nextChange } from '#shared/settings/working-hours.ts'
import type { Db } from '#server/platform/database/db.ts'
import { listSectorRows, type SectorRow } from './queries.ts'

/** The menu of a number now. */
export interface Menu extends MenuOffered {
  /** Whether any of its sectors is. */
  isOpen: boolean
}

/**
 * The menu of the sectors that serve a number, in their order; without options where fewer than two do, or it
 * is switched off.
 * @param settings those of the number
 */
export async function readMenu(
  db: Db,
  instanceId: number,
  settings: SystemSettings,
  now: Date,
): Promise<Menu> {
  const all = await listSectorRows(db)
  const serving = all
    .filter(
      ({ isActive, deletedAt, numberIds }) =>
        isActive && deletedAt === null && (numberIds?.includes(instanceId) ?? true),
    )
    .slice(0, mostOptions)
  const offered = settings.sectorMenuEnabled && serving.length >= 2 ? serving : []
  const option = (row: SectorRow): MenuOption => ({
    sectorId: row.id,
    name: row.name,
    description: row.description,
    opensAt: opensAt({ ...settings, ...row.ownSettings }, now),
  })
  return {
    options: offered.map(option),
    known: all.map(option),
    hasCancel: settings.sectorMenuCancel,
    isOpen: offered.some(({ ownSettings }) => isOpen({ ...settings, ...ownSettings }, now)),
  }
}

/** '08:00' of today, '08:00 de 02/12' of another day; null: it is open, or nobody knows when it opens. */
function opensAt(settings: SystemSettings, now: Date): string | null {
  const next = isOpen(settings, now) ? null : nextChange(settings, now)
  if (next === null) return null
  const { timezone: timeZone } = settings
  const time = next.toLocaleTimeString('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })
  const day = (at: Date) => at.toLocaleDateString('pt-BR', { timeZone, day: '2-digit', month: '2-digit' })
  return day(next) === day(now) ? time : `${time} de ${day(next)}`
}
