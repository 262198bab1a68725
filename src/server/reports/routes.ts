import {
  exportReport,
  listOperatorPerformance,
  listReportConversations,
  listReportGroups,
} from '#shared/reports/report-parts.ts'
import { getReportStats } from '#shared/reports/reports.ts'
import { getTeamStats } from '#shared/reports/team-stats.ts'
import { deleteSavedReport, listSavedReports, saveReport } from '#shared/reports/saved-reports.ts'
import { record, recordRepeated } from '#server/audit/audit.ts'
import { type Database, inSnapshot, inTransaction } from '#server/platform/database/db.ts'
import { csvAnswer } from '#server/platform/http/answers/csv-answer.ts'
import { xlsxAnswer } from '#server/platform/http/answers/xlsx-answer.ts'
import type { Http } from '#server/platform/http/http.ts'
import { areReasons } from '#server/reasons/reasons.ts'
import { areTags } from '#server/tags/tags.ts'
import { areSectors } from '#server/sectors/sectors.ts'
import { getSettings } from '#server/settings/settings.ts'
import { reportFile } from './export.ts'
import { expectOperator } from './filter.ts'
import { operatorPerformance, reportGroups } from './groups.ts'
import { endOfRows, reportPage } from './rows.ts'
import { deleteSaved, listSaved, saveOne } from './saved.ts'
import { reportStats } from './stats.ts'
import { teamStats } from './team-stats.ts'

/** The calls of the reports. */
export function routes({ route, routeByRow }: Http, { database }: { database: Database }): void {
  const zone = async () => (await getSettings(database)).timezone

  route(getReportStats, async ({ query, who }) => {
    await expectOperator(database, query.operatorId)
    const timezone = await zone()
    return inSnapshot(database, (db) => reportStats(db, { ...query, who }, timezone))
  })

  route(
    listReportConversations,
    async ({ query: { page = 1, limit = 10, order, asOf: asked, ...query }, who }) => {
      const filter = { ...query, who }
      await expectOperator(database, filter.operatorId)
      const timezone = await zone()
      const asOf = asked ?? (await endOfRows(database))
      const found = await inSnapshot(database, (db) =>
        reportPage(db, { filter, order, timezone }, { page, limit, asOf }),
      )
      const { conversations, total } = found
      const totalPages = Math.max(1, Math.ceil(total / limit))
      // They name clients. The pages of one list are one act.
      const opened = { action: 'report.rows', details: { filter: query } } as const
      await recordRepeated(database, who, opened, JSON.stringify(query))
      return { conversations, asOf, pagination: { page, limit, total, totalPages } }
    },
  )

  route(listOperatorPerformance, async ({ query, who }) => {
    await expectOperator(database, query.operatorId)
    return operatorPerformance(database, { ...query, who }, await zone())
  })

  route(listReportGroups, async ({ query: { by, ...filter }, who }) => {
    await expectOperator(database, filter.operatorId)
    return reportGroups(database, { ...filter, who }, by, await zone())
  })

  routeByRow(exportReport, async ({ query: { part, format, order, ...filter }, who, reply, permit }) => {
    permit(part === 'rows' ? 'GET /api/reports/export (rows)' : 'GET /api/reports/export')
    await expectOperator(database, filter.operatorId)
    const timezone = await zone()
    // Before the first row leaves: also one who breaks it off has taken something.
    await record(database, who, { action: 'report.export', details: { part, format, filter } })
    const { head, rows } = reportFile(database, {
      filter: { ...filter, who },
      order,
      part,
      timezone,
      with: {
        sector: await areSectors(database),
        reason: await areReasons(database),
        tags: await areTags(database),
      },
    })
    const name = `relatorio-${filter.startDate}-a-${filter.endDate}`
    return format === 'csv'
      ? csvAnswer(reply, `${name}.csv`, head, rows)
      : xlsxAnswer(
          reply,
          { fileName: `${name}.xlsx`, sheet: 'Relatório', times: ['Chegou', 'Finalizada'] },
          head,
          rows,
        )
  })

  route(getTeamStats, async ({ who }) => teamStats(database, who, await zone()))

  route(listSavedReports, ({ who }) => listSaved(database, who.id))

  route(saveReport, ({ who, body }) => inTransaction(database, (db) => saveOne(db, who.id, body)))

  route(deleteSavedReport, async ({ who, params }) => {
    await deleteSaved(database, who.id, params.id)
    return undefined
  })
}
