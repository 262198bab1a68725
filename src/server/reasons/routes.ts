import {
  createReason,
  deleteReason,
  listManagedReasons,
  orderReasons,
  updateReason,
} from '#shared/reasons/managed-reasons.ts'
import { listReasons } from '#shared/reasons/reasons.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { listLivingSectors } from '#server/sectors/sectors.ts'
import { getSettings } from '#server/settings/settings.ts'
import { addReason, changeReason, removeReason, setOrder } from './change.ts'
import { listAskingNumbers, listManaged, listReasonRows, toReasons } from './queries.ts'

export function routes({ route }: Http, { database }: { database: Database }): void {
  route(listReasons, async ({ who }) => {
    const [all, settings, sectors, numbers] = await Promise.all([
      listReasonRows(database),
      getSettings(database),
      listLivingSectors(database),
      listAskingNumbers(database, who),
    ])
    return {
      reasons: toReasons(all),
      ask: settings.askReason,
      ofNumbers: numbers,
      ofSectors: sectors.flatMap(({ id, ownSettings: { askReason } }) =>
        askReason === undefined ? [] : [{ sectorId: id, ask: askReason }],
      ),
    }
  })

  route(listManagedReasons, () => listManaged(database))

  route(createReason, ({ body, who }) =>
    inTransaction(database, async (db) => ({ id: await addReason(db, who, body) })),
  )

  route(updateReason, async ({ params, body, who }) => {
    await inTransaction(database, (db) => changeReason(db, who, params.id, body))
    return undefined
  })

  route(orderReasons, async ({ body, who }) => {
    await inTransaction(database, (db) => setOrder(db, who, body))
    return undefined
  })

  route(deleteReason, async ({ params, who }) => {
    await inTransaction(database, (db) => removeReason(db, who, params.id))
    return undefined
  })
}
