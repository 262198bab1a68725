import { sql } from 'drizzle-orm'
import type { MaintenanceStats, StorageKind } from '#shared/maintenance/maintenance.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { listRuns } from '#server/maintenance/runs/views.ts'

/** As specified: shown as 1 GB. */
const quotaBytes = 1024 ** 3
/** Counting takes a while in a large installation, and nobody looks for single messages here. */
const countedForMs = 30_000

type Counted = Omit<MaintenanceStats, 'lastBackup' | 'lastProof' | 'runs'>

/**
 * Reads the figures of the screen. What must be counted is counted again after half a minute, and as soon as
 * a run has ended, which may have deleted or brought something.
 */
export function createStats(
  database: Database,
  files: Pick<FileStore, 'freeBytes'>,
): () => Promise<MaintenanceStats> {
  let counted: { stats: Promise<Counted>; atMs: number; ended: string } | undefined
  return async () => {
    const runs = await listRuns(database)
    const ended = runs.map(({ finishedAt }) => finishedAt ?? '').join()
    const isFresh = counted?.ended === ended && performance.now() - counted.atMs < countedForMs
    if (!counted || !isFresh) {
      const stats = count(database, files)
      counted = { stats, atMs: performance.now(), ended }
      stats.catch(() => (counted = undefined))
    }
    return { ...(await counted.stats), ...(await readBackups(database)), runs }
  }
}

interface Figures extends Record<string, unknown> {
  databaseSize: number
  conversations: number
  messages: number
  contacts: number
  companies: number
  texts: number
  textBytes: number
  weekRows: number
  weekFiles: number
  backups: number
}

async function count(database: Database, files: Pick<FileStore, 'freeBytes'>): Promise<Counted> {
  const [[figures], kinds, freeBytes] = await Promise.all([
    rows<Figures>(
      database,
      sql`select pg_database_size(current_database())::float8 as "databaseSize",
                 (select count(*) from conversations)::int as conversations,
                 (select count(*) from messages)::int as messages,
                 (select count(*) from contacts where deleted_at is null)::int as contacts,
                 (select count(*) from companies)::int as companies,
                 pg_total_relation_size('messages')::float8 as "textBytes",
                 (select count(*) from messages
                   where created_at > app_now() - interval '7 days')::int as "weekRows",
                 (select coalesce(sum(size_bytes), 0) from files
                   where created_at > app_now() - interval '7 days')::float8 as "weekFiles",
                 (select coalesce(sum(size), 0) from maintenance_backups)::float8 as backups`,
    ),
    rows<{ kind: StorageKind; count: number; sizeBytes: number; ofMessages: number }>(
      database,
      sql`select case when mime_type like 'image/%' then 'image' when mime_type like 'audio/%' then 'audio'
                      when mime_type like 'video/%' then 'video' else 'document' end as kind,
                 count(*)::int as count, sum(size_bytes)::float8 as "sizeBytes",
                 count(message_id)::int as "ofMessages"
            from files group by 1 order by 1`,
    ),
    files.freeBytes(),
  ])
  if (!figures) throw new Error('no figures')
  const fileBytes = kinds.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const totalSize = figures.databaseSize + fileBytes + figures.backups
  // The database grows by its messages.
  const perMessage = figures.messages === 0 ? 0 : figures.databaseSize / figures.messages
  const weekGrowth = Math.round(figures.weekFiles + perMessage * figures.weekRows)
  return {
    diskUsage: {
      totalSize,
      percentage: Math.round((totalSize / quotaBytes) * 1000) / 10,
      mediaFiles: kinds.reduce((sum, { ofMessages }) => sum + ofMessages, 0),
      totalFiles: kinds.reduce((sum, one) => sum + one.count, 0),
    },
    database: {
      size: figures.databaseSize,
      conversations: figures.conversations,
      messages: figures.messages,
      contacts: figures.contacts,
      companies: figures.companies,
    },
    kinds: [
      { kind: 'text' as const, count: figures.messages, sizeBytes: figures.textBytes },
      ...kinds.map(({ kind, count: of, sizeBytes }) => ({ kind, count: of, sizeBytes })),
    ],
    weekGrowth,
    freeBytes: freeBytes ?? null,
    daysLeft: freeBytes === undefined || weekGrowth === 0 ? null : Math.floor((freeBytes / weekGrowth) * 7),
  }
}

async function readBackups(database: Database): Promise<Pick<MaintenanceStats, 'lastBackup' | 'lastProof'>> {
  const [last] = await rows<{ date: string; size: number; status: 'processing' | 'completed' | 'failed' }>(
    database,
    sql`select coalesce(completed_at, created_at)::text as date, coalesce(size, 0)::float8 as size, status
          from maintenance_backups order by created_at desc, id desc limit 1`,
  )
  const [proven] = await rows<{ at: string; rows: number; files: number; name: string }>(
    database,
    sql`select proof ->> 'at' as at, (proof ->> 'rows')::int as rows, (proof ->> 'files')::int as files, name
          from maintenance_backups where status = 'completed' and proof is not null
         order by completed_at desc limit 1`,
  )
  return {
    lastBackup: last ? { ...last, date: new Date(last.date).toISOString() } : null,
    lastProof: proven ?? null,
  }
}
