import { sql } from 'drizzle-orm'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { Log } from '#server/platform/log.ts'
import type { Figures } from '#server/platform/metrics.ts'
import { type Break, verifyChain } from './verify.ts'

/** Checks the whole chain every hour; the screen shows what the last check has found. */
export function checkAuditJob(database: Database, log: Log): JobDefinition {
  return defineJob({
    name: 'check-audit',
    schedule: '41 * * * *',
    afterCrash: 'again',
    work: () => checkAudit(database, log),
  })
}

export async function checkAudit(database: Database, log: Log): Promise<void> {
  let first: Break | undefined
  const { head, sealed, breaks } = await verifyChain(database, (found) => void (first ??= found))
  if (first) log.error({ ...first, breaks }, 'the audit log was changed by hand')
  await database.execute(
    sql`insert into audit_checks (position, breaks, first_position, first_fault)
         values (${head?.position ?? sealed}, ${breaks}, ${first?.position ?? null}, ${first?.kind ?? null})
        on conflict (id) do update
           set checked_at = excluded.checked_at, position = excluded.position, breaks = excluded.breaks,
               first_position = excluded.first_position, first_fault = excluded.first_fault`,
  )
}

export async function auditFigures(db: Db): Promise<Figures> {
  const [found] = await rows<{ breaks: number; waiting: number }>(
    db,
    sql`select coalesce((select breaks from audit_checks where id = 1), 0) as breaks,
               coalesce((select extract(epoch from app_now() - min(created_at)) from audit_logs
                          where position is null and repeat_key is null), 0)::float8 as waiting`,
  )
  return {
    balcao_audit_breaks: {
      help: 'Breaks of the chain of the audit log, found by the last check',
      value: found?.breaks ?? 0,
    },
    balcao_audit_unsealed_seconds: {
      help: 'How long the oldest row of the audit log waits to be sealed',
      value: Math.max(0, found?.waiting ?? 0),
    },
  }
}
