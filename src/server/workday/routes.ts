import {
  createPauseReasons,
  deletePauseReason,
  listPauseReasons,
  orderPauseReasons,
  setPresence,
  updatePauseReason,
} from '#shared/workday/pauses.ts'
import {
  correctWorkPeriod,
  exportTimesheets,
  listTimesheets,
  listWorkedConversations,
  listWorkPeriods,
} from '#shared/workday/timesheets.ts'
import { timesheetHead } from '#shared/text/reports/timesheet-texts.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inSnapshot, inTransaction } from '#server/platform/database/db.ts'
import { csvAnswer } from '#server/platform/http/answers/csv-answer.ts'
import { xlsxAnswer } from '#server/platform/http/answers/xlsx-answer.ts'
import type { Http } from '#server/platform/http/http.ts'
import { getSettings } from '#server/settings/settings.ts'
import { meOf, refreshSessions } from '#server/users/users.ts'
import { correctPeriod } from './corrections.ts'
import {
  addReasons,
  changeReason,
  choosePresence,
  deleteReason,
  listReasons,
  orderReasons,
} from './pauses.ts'
import { timesheetCells } from './timesheet-file.ts'
import { readPeriods, readTimesheets, sees } from './timesheets.ts'
import { listWorked } from './worked.ts'

/** The calls of pauses and of working days. */
export function routes({ route, routeByRow }: Http, { database }: { database: Database }): void {
  const zone = async () => (await getSettings(database)).timezone

  route(setPresence, async ({ who, body, request }) => {
    await inTransaction(database, (db) =>
      choosePresence(db, who.id, body, request.headers['user-agent'] ?? ''),
    )
    database.signals.send('presence')
    const now = (await refreshSessions(database, [who.sessionId])).get(who.sessionId)
    return { user: meOf(now ?? who) }
  })

  route(listPauseReasons, () => listReasons(database))

  route(createPauseReasons, ({ who, body: { reasons } }) =>
    inTransaction(database, async (db) => ({ ids: await addReasons(db, who, reasons) })),
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

  routeByRow(listTimesheets, async ({ who, query, permit }) => {
    permit(query.userId === who.id ? 'GET /api/timesheets (own)' : 'GET /api/timesheets (team)')
    const timezone = await zone()
    return inSnapshot(database, (db) => readTimesheets(db, who, query, timezone))
  })

  routeByRow(listWorkPeriods, async ({ who, query, permit }) => {
    permit(
      query.userId === who.id ? 'GET /api/timesheets/periods (own)' : 'GET /api/timesheets/periods (team)',
    )
    return { periods: await readPeriods(database, who, query, await zone()) }
  })

  routeByRow(listWorkedConversations, async ({ who, query, permit }) => {
    permit(
      query.userId === who.id
        ? 'GET /api/timesheets/conversations (own)'
        : 'GET /api/timesheets/conversations (team)',
    )
    if (!(await sees(database, who, query.userId))) return { conversations: [], total: 0 }
    return listWorked(database, who, query, await zone())
  })

  route(correctWorkPeriod, ({ who, params: { id }, body }) =>
    inTransaction(database, async (db) => ({ id: await correctPeriod(db, who, id, body) })),
  )

  route(exportTimesheets, async ({ who, query: { format, ...filter }, reply }) => {
    const timezone = await zone()
    const found = await inSnapshot(database, (db) => readTimesheets(db, who, filter, timezone))
    const { startDate, endDate } = filter
    const details = { format, startDate, endDate, people: found.people.length }
    await record(database, who, { action: 'timesheet.export', details })
    const name = `jornada-${startDate}-a-${endDate}`
    return format === 'csv'
      ? csvAnswer(reply, `${name}.csv`, timesheetHead, timesheetCells(found))
      : xlsxAnswer(
          reply,
          { fileName: `${name}.xlsx`, sheet: 'Jornada', times: ['Entrou', 'Saiu'] },
          timesheetHead,
          timesheetCells(found),
        )
  })
}
