import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { countOverdue, growth } from '#server/maintenance/growth.ts'
import { rows } from '#server/platform/database/db.ts'
import type { Company } from './company.ts'

export interface TableSize {
  rows: number
  /** With indexes, in bytes. */
  bytes: number
  /** Dead rows that no vacuum has taken yet. */
  dead: number
}

export interface FolderSize {
  files: number
  bytes: number
}

/** What there is at the end of a day. */
export interface Measured {
  /** By name, those of the job queue with its schema. */
  tables: Record<string, TableSize>
  /** Rows that should have been trimmed, by the table's name in the register. */
  overdue: Record<string, number>
  /** Of the data folder. A file that several backups have counts once. */
  folders: Record<string, FolderSize>
  /** After a collection of garbage, in MiB. */
  rss: number
  heap: number
  /** Of messages, in bytes. */
  texts: number
  /** Files that messages have. */
  messageFiles: number
  /** Files that the database names. */
  named: number
  /** Finished runs of the job that has most of them. */
  runsOfJob: number
}

/** What a company measured: each evening of the month, and after the quiet time that follows. */
export interface Month {
  name: string
  hasRetention: boolean
  days: Measured[]
  quiet: Measured
  /** What the program logged as errors. */
  errors: string[]
}

/** The name of an import whose file was erased with a person. */
const erasedImport = 'arquivo'

/** The table of the proof's clock. */
const notOurs = ['test_clock']

export async function measure(company: Company): Promise<Measured> {
  const { database, program, dataDir } = company
  const { rss, heap } = await program.memory()
  await untilVacuumed(company)
  const found = await rows<{ name: string; bytes: number; dead: number }>(
    database,
    sql`select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as name,
               pg_total_relation_size(c.oid)::float8 as bytes,
               coalesce(pg_stat_get_dead_tuples(c.oid), 0)::float8 as dead
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and n.nspname in ('public', 'pgboss')`,
  )
  const tables: Record<string, TableSize> = {}
  for (const { name, bytes, dead } of found) {
    if (notOurs.includes(name)) continue
    const [row] = await rows<{ count: number }>(
      database,
      sql.raw(`select count(*)::int as count from ${name}`),
    )
    tables[name] = { rows: row?.count ?? 0, bytes, dead }
  }
  const overdue: Record<string, number> = {}
  for (const name of Object.keys(growth) as (keyof typeof growth)[])
    overdue[name] = await countOverdue(database, name, '1 hour')
  const [counted] = await rows<Pick<Measured, 'texts' | 'messageFiles' | 'named' | 'runsOfJob'>>(
    database,
    sql`select (select coalesce(sum(octet_length(content)), 0) from messages)::float8 as texts,
               (select count(*)::int from files where message_id is not null) as "messageFiles",
               (select count(*)::int
                  from (select name from files
                        union select stored_name from contact_imports where file_name <> ${erasedImport}) f)
                 as named,
               (select coalesce(max(runs), 0)::int
                  from (select count(*) as runs from job_runs where finished_at is not null
                         group by name) r) as "runsOfJob"`,
  )
  if (!counted) throw new Error('nothing was counted')
  return {
    tables,
    overdue,
    folders: await foldersOf(dataDir),
    rss,
    heap,
    ...counted,
  }
}

/**
 * Until autovacuum has nothing to do, or a second: a day of the proof is shorter than the pauses that it
 * makes on a real one.
 */
async function untilVacuumed({ database }: Company): Promise<void> {
  for (let n = 0; n < 5; n++) {
    const due = await rows(
      database,
      sql`select 1 from pg_stat_user_tables where n_dead_tup > 50 + 0.2 * n_live_tup limit 1`,
    )
    if (due.length === 0) return
    await sleep(200)
  }
}

async function foldersOf(dataDir: string): Promise<Record<string, FolderSize>> {
  const sizes: Record<string, FolderSize> = { '.': { files: 0, bytes: 0 } }
  const seen = new Set<number>()
  for (const entry of await readdir(dataDir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const found = await lstat(path).catch(() => undefined)
    if (!found || seen.has(found.ino)) continue
    seen.add(found.ino)
    const [first = '.', second] = path.slice(dataDir.length + 1).split('/')
    const folder = second === undefined ? '.' : second === 'cache' ? `${first}/cache` : first
    const size = (sizes[folder] ??= { files: 0, bytes: 0 })
    size.files++
    size.bytes += found.size
  }
  return sizes
}
