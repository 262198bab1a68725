import {
  createPauseReason,
  deletePauseReason,
  listPauseReasons,
  orderPauseReasons,
  setPresence,
  suggestPauseReasons,
  updatePauseReason,
} from '#shared/workday/pauses.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { meOf, refreshSessions } from '#server/users/users.ts'
import {
  addReasons,
  addSuggested,
  changeReason,
  choosePresence,
  deleteReason,
  listReasons,
  orderReasons,
} from './pauses.ts'

/** The calls of pauses and of working days. */
export function routes({ route }: Http, { database }: { database: Database }): void {
  route(setPresence, async ({ who, body, request }) => {
    await inTransaction(database, (db) =>
      choosePresence(db, who.id, body, request.headers['user-agent'] ?? ''),
    )
    database.signals.send('presence')
    const now = (await refreshSessions(database, [who.sessionId])).get(who.sessionId)
    return { user: meOf(now ?? who) }
  })

  route(listPauseReasons, () => listReasons(database))

  route(createPauseReason, ({ who, body }) =>
    inTransaction(database, async (db) => {
      const [id] = await addReasons(db, who, [body])
      if (id === undefined) throw new Error('reason not written')
      return { id }
    }),
  )

  route(suggestPauseReasons, ({ who }) =>
    inTransaction(database, async (db) => ({ ids: await addSuggested(db, who) })),
  )

  route(updatePauseReason, async ({ who, params: { id }, body }) => {
    await inTransaction(database, (db) => changeReason(db, who, id, body))
    // Whoever is in such a pause is shown its name and limit.
    database.signals.send('presence')
    return undefined
  })

  route(orderPauseReasons, async ({ who, body: { ids } }) => {
    await inTransaction(database, (db) => orderReasons(db, who, ids))
    return undefined
  })

  route(deletePauseReason, async ({ who, params: { id } }) => {
    await inTransaction(database, (db) => deleteReason(db, who, id))
    return undefined
  })
}
