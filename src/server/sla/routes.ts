import { listSlaTargets, setSlaTargets } from '#shared/sla/sla.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { listTargets, setTargets } from './targets.ts'

/** The calls of targets. */
export function routes({ route }: Http, { database }: { database: Database }): void {
  route(listSlaTargets, () => listTargets(database))

  route(setSlaTargets, ({ who, body: { targets, version } }) =>
    inTransaction(database, async (db) => {
      await setTargets(db, who, targets, version)
      return listTargets(db)
    }),
  )
}
