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
import { addReason, changeReason, removeReason, setOrder } from './change.ts'
import { listAsking, listManaged, listReasonRows, toReasons } from './queries.ts'

export function routes({ route }: Http, { database }: { database: Database }): void {
  route(listReasons, async ({ who }) => {
    const [all, asking] = await Promise.all([
      listReasonRows(database),
      listAsking(database, who, 'askReason'),
    ])
    return { reasons: toReasons(all), ...asking }
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
