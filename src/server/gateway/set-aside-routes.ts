import { listSetAside, retrySetAside } from '#shared/gateway/set-aside.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { readSetAside, retryAll } from '#server/gateway/inbox/set-aside.ts'

/** The calls about events that could not be read. */
export function setAsideRoutes(http: Http, { database }: { database: Database }): void {
  http.route(listSetAside, () => readSetAside(database))

  http.route(retrySetAside, ({ who }) =>
    inTransaction(database, async (db) => {
      const count = await retryAll(db)
      await record(db, who, { action: 'gateway.retry', details: { count } })
      return { count }
    }),
  )
}
