import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#shared/errors.ts'
import {
  createSector,
  deleteSector,
  listManagedSectors,
  orderSectors,
  updateSector,
  wholeFields,
} from '#shared/sectors/managed-sectors.ts'
import { listSectorQueues } from '#shared/sectors/sector-queues.ts'
import { listSectors } from '#shared/sectors/sectors.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, isPermitted, type Who } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { getSettings } from '#server/settings/settings.ts'
import { addSector, changeSector, endSector, sectorNotFound, setOrder, type TakeNumbers } from './change.ts'
import {
  countBySector,
  isLiving,
  listCandidates,
  listPeopleRows,
  listPointers,
  listSectorRows,
  lockSector,
  readInherited,
  type SectorRow,
  toManaged,
  toSector,
} from './queries.ts'

/** Moves what a sector has to another one, or to none. @returns how many of each it had */
export type LeaveSector = (
  db: Tx,
  sectorId: number,
  target: SectorRow | null,
) => Promise<{ conversations: number; contacts: number; quickReplies: number }>

interface SectorsGiven {
  database: Database
  leaveSector: LeaveSector
  takeNumbers: TakeNumbers
  /** What else follows from hours and texts that are others. */
  onSectorSettings: (db: Tx, before: SectorRow, after: SectorRow) => Promise<void>
  /** What follows from sectors that clients may choose no longer, or only later. */
  onMenuChange: (db: Tx) => Promise<void>
}

const whole = 'PATCH /api/sectors/{id} (whole)'
const led = 'PATCH /api/sectors/{id} (led)'

export function routes(
  { route, routeByRow }: Http,
  { database, leaveSector, takeNumbers, onSectorSettings, onMenuChange }: SectorsGiven,
): void {
  const readFacts = async () => {
    const [settings, now, people] = await Promise.all([
      getSettings(database),
      appNow(database),
      listPeopleRows(database),
    ])
    return { settings, now, people }
  }

  route(listSectors, async () => {
    const found = await listSectorRows(database)
    if (found.length === 0) return []
    const { people, ...facts } = await readFacts()
    return found.map((row) => toSector(row, people, facts))
  })

  route(listSectorQueues, async () => {
    const counts = await countBySector(database)
    return counts.map(({ sectorId, waiting, waitingSince }) => ({ sectorId, waiting, waitingSince }))
  })

  route(listManagedSectors, async ({ who }) => {
    const isWhole = managesAll(who)
    const { people, ...facts } = await readFacts()
    const [found, counts, pointers, candidates, inherited] = await Promise.all([
      listSectorRows(database, isLiving),
      countBySector(database),
      listPointers(database),
      listCandidates(database),
      // Who manages sectors says which numbers they serve; a lead is told of their own numbers alone.
      readInherited(database, facts.settings, { numberIds: isWhole ? null : who.numberIds }),
    ])
    const none = counts.find(({ sectorId }) => sectorId === null)
    return {
      sectors: found
        .filter(({ id }) => isWhole || leads(who, id))
        .map((row) => toManaged(row, people, { ...facts, isWhole, counts, pointers })),
      none: { waiting: none?.waiting ?? 0, waitingSince: none?.waitingSince ?? null },
      candidates,
      inherited,
    }
  })

  route(createSector, async ({ body: { defaultOf = [], ...form }, who }) =>
    inTransaction(database, async (db) => {
      const id = await addSector(db, who, form)
      await takeNumbers(db, who, defaultOf, id)
      return { id }
    }),
  )

  routeByRow(updateSector, async ({ params: { id }, body, who, permit }) => {
    if (wholeFields.some((field) => body[field] !== undefined)) permit(whole)
    else permit(led)
    if (!managesAll(who) && !leads(who, id)) throw sectorNotFound()
    await inTransaction(database, async (db) => {
      const { before, after } = await changeSector(db, who, id, body, takeNumbers)
      // Meanwhile they may lead it no longer.
      if (!managesAll(who) && !leads(who, id)) throw sectorNotFound()
      if (before === after) return
      await onSectorSettings(db, before, after)
      if (!isDeepStrictEqual(menuFacts(before), menuFacts(after))) await onMenuChange(db)
    })
    return undefined
  })

  route(orderSectors, async ({ body: { ids }, who }) => {
    await inTransaction(database, (db) => setOrder(db, who, ids))
    return undefined
  })

  route(deleteSector, async ({ params: { id }, query: { targetId }, who }) => {
    if (targetId === id) throw new AppError('sectors.unknown')
    await inTransaction(database, async (db) => {
      // In one order, so that two who delete each other's target do not wait for each other.
      const both = typeof targetId === 'number' ? [id, targetId] : [id]
      const locked = new Map<number, SectorRow>()
      for (const each of both.toSorted((a, b) => a - b)) {
        const row = await lockSector(db, each)
        if (row) locked.set(each, row)
      }
      await confirmRights(who, db)
      const sector = locked.get(id)
      if (!sector) throw sectorNotFound()
      const target = typeof targetId === 'number' ? locked.get(targetId) : null
      if (target === undefined) throw new AppError('sectors.unknown')
      if (target && !target.isActive)
        throw new AppError('sectors.inactive', { values: { name: target.name } })
      const moved = await leaveSector(db, id, target)
      // Whoever names no target has seen that there is nothing to move.
      if (targetId === undefined && moved.conversations + moved.contacts + moved.quickReplies > 0)
        throw new AppError('sectors.needs_target')
      await endSector(db, who, sector, { targetId: target?.id ?? null, ...moved })
      await onMenuChange(db)
    })
    return undefined
  })
}

/** What decides whether clients are asked for a sector. */
const menuFacts = ({ isActive, numberIds, ownSettings }: SectorRow) => [isActive, numberIds, ownSettings]

const managesAll = (who: Who) => isPermitted(who, { act: 'manageSectors' })
const leads = ({ sectors }: Who, id: number) => sectors.some((one) => one.id === id && one.isLead)
