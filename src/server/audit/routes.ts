import { sql } from 'drizzle-orm'
import { csvHead } from '#shared/text/audit/csv-texts.ts'
import { resourceTexts } from '#shared/audit/audit-actions.ts'
import { exportAuditLogs, listAuditLogs, mostAuditRows } from '#shared/audit/audit-logs.ts'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import { csvAnswer } from '#server/platform/http/answers/csv-answer.ts'
import type { Http } from '#server/platform/http/http.ts'
import { csvRows } from './export.ts'
import {
  countAll,
  countSome,
  inScope,
  listPeople,
  listRows,
  matching,
  type Place,
  readChain,
} from './list.ts'
import { record } from './record.ts'

export interface AuditRoutesContext {
  database: Database
  /** The time zone of the settings: a parameter, because their room comes after this one. */
  timezone(): Promise<string>
}

/** The calls of the audit's screen. */
export function routes({ route }: Http, { database, timezone }: AuditRoutesContext): void {
  route(listAuditLogs, async ({ query: { page = 1, limit = 20, ...filter }, who }) => {
    const zone = await timezone()
    const where = sql`${matching(filter, zone)} and ${inScope(who)}`
    // What is not counted cannot be reached.
    const offset = Math.min((page - 1) * limit, mostAuditRows)
    const [found, counted, people, chain] = await Promise.all([
      listRows(database, where, { limit: Math.min(limit, mostAuditRows - offset), offset }),
      countSome(database, where),
      listPeople(database),
      readChain(database),
    ])
    const total = Math.min(counted, mostAuditRows)
    const totalPages = Math.max(1, Math.ceil(total / limit))
    return {
      rows: found.rows,
      pagination: { page, limit, total, totalPages, hasMore: counted > total },
      people,
      timezone: zone,
      chain,
    }
  })

  route(exportAuditLogs, async ({ query: filter, who, reply }) => {
    const zone = await timezone()
    const where = sql`${matching(filter, zone)} and ${inScope(who)}`
    const [upTo, people] = await Promise.all([placeOfNow(database), listPeople(database)])
    const names = new Map(people.map(({ id, name }) => [id, name]))
    const nameOf = (userId: unknown) => names.get(Number(userId)) ?? resourceTexts.user.gone
    const count = await countAll(database, where, upTo)
    // Before the first row leaves: also one who breaks it off has taken something.
    await record(database, who, { action: 'audit.export', details: { filter, rows: count } })
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(Date.parse(upTo.createdAt))
    const lines = csvRows(database, where, who, { upTo, timezone: zone, nameOf })
    return csvAnswer(reply, `auditoria-${day}.csv`, csvHead, lines)
  })
}

/** Before everything that is recorded from now on. */
async function placeOfNow(db: Db): Promise<Place> {
  const [now] = await rows<{ createdAt: string }>(db, sql`select app_now()::text as "createdAt"`)
  if (!now) throw new Error('the database has no clock')
  return { createdAt: now.createdAt, id: 2_147_483_647 }
}
