import { createView, deleteView, orderViews, updateView } from '#shared/views/managed-views.ts'
import { listViews } from '#shared/views/views.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { addView, changeView, mayChange, removeView, setOrder } from './change.ts'
import { listSeen } from './queries.ts'

export function routes({ route }: Http, { database }: { database: Database }): void {
  route(listViews, ({ who }) => listSeen(database, who, (row) => mayChange(who, row)))

  route(createView, ({ body, who }) =>
    inTransaction(database, async (db) => ({ id: await addView(db, who, body) })),
  )

  route(updateView, async ({ params, body, who }) => {
    await inTransaction(database, (db) => changeView(db, who, params.id, body))
    return undefined
  })

  route(orderViews, async ({ body, who }) => {
    await setOrder(database, who, body.ids)
    return undefined
  })

  route(deleteView, async ({ params, who }) => {
    await inTransaction(database, (db) => removeView(db, who, params.id))
    return undefined
  })
}
