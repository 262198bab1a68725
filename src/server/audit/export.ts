import { fieldName, valueText } from '#shared/text/audit/field-texts.ts'
import { erasedValues, outcomeNames } from '#shared/text/audit/csv-texts.ts'
import { resourceTexts } from '#shared/audit/audit-actions.ts'
import { sentenceOf, subjectOf } from '#shared/text/audit/sentences.ts'
import { type AuditLog, auditLog } from '#shared/audit/audit-logs.ts'
import { changesIn } from '#shared/audit/audit-changes.ts'
import { roleLabels } from '#shared/text/text.ts'
import type { SQL } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { maskFor } from '#server/platform/phones/hidden-phones.ts'
import { listRows, type Place } from './list.ts'

const batchSize = 1000

/** The rows of a filter before a place, newest first, as cells; read from the database a batch at a time. */
export async function* csvRows(
  database: Database,
  where: SQL,
  who: Who,
  { upTo, timezone, nameOf }: { upTo: Place; timezone: string; nameOf: (userId: unknown) => string },
): AsyncGenerator<(string | number | null)[]> {
  const time = new Intl.DateTimeFormat('pt-BR', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const mask = maskFor(who, auditLog)
  let before: Place | undefined = upTo
  while (before) {
    const batch: Awaited<ReturnType<typeof listRows>> = await listRows(database, where, {
      limit: batchSize,
      before,
    })
    for (const row of batch.rows) yield cellsOf(mask(row), time, nameOf)
    before = batch.rows.length === batchSize ? batch.last : undefined
  }
}

function cellsOf(
  row: AuditLog,
  time: Intl.DateTimeFormat,
  nameOf: (userId: unknown) => string,
): (string | number | null)[] {
  const changes = changesIn(row).map(
    ({ field, before, after }) =>
      `${fieldName(field)}: ${valueText(field, before)} → ${valueText(field, after)}`,
  )
  return [
    row.id,
    time.format(Date.parse(row.createdAt)).replace(', ', ' '),
    subjectOf(row, nameOf),
    row.actor.role && roleLabels[row.actor.role],
    sentenceOf(row, nameOf),
    outcomeNames[row.outcome],
    row.repeats,
    row.isErased ? erasedValues : changes.join('; '),
    resourceTexts[row.resource.type].name,
    row.resource.id,
    row.address,
    row.device,
    row.action,
    row.position,
    row.hash,
  ]
}
