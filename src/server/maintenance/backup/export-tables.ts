import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { type BackedTable, backedList, backedRows } from '#server/maintenance/archive/tables.ts'
import { type BackupCipher, seal } from '#server/maintenance/archive/cipher.ts'
import type { StoredMember, TableEntry } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { wrapped } from '#server/maintenance/archive/scratch.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'

/** Rows of one member: a reader needs no more of a table at once. */
const rowsOfMember = 50_000
const rowsAtOnce = 1000

/** A file of the file store, as its row knows it. */
export interface FileToCopy {
  name: string
  size: number
  sha256: string
}

export interface Exported {
  tables: TableEntry[]
  files: FileToCopy[]
  installation: string
  protocolSequence: number
  counts: { conversations: number; messages: number }
}

interface Target {
  store: BackupStore
  folder: string
  cipher: BackupCipher | undefined
}

/** Writes the tables as they are at one moment. */
export async function exportTables(
  client: pg.ClientBase,
  target: Target,
  progress: Progress,
): Promise<Exported> {
  await client.query('begin isolation level repeatable read read only')
  try {
    const totals = new Map<string, number>()
    for (const table of backedList) totals.set(table.name, await countRows(client, table))
    await progress.begin(
      'tables',
      [...totals.values()].reduce((sum, count) => sum + count, 0),
    )
    const files: FileToCopy[] = []
    const tables: TableEntry[] = []
    for (const table of backedList) {
      const onLine = table.name === 'files' ? (line: string) => void files.push(toFile(line)) : undefined
      tables.push(await exportTable(client, table, target, progress, onLine))
    }
    const { rows } = await client.query<{ uid: string; sequence: string }>(
      'select i.uid, s.last_value as sequence from installation i, conversation_protocol s',
    )
    const [row] = rows
    if (!row) throw new Error('no installation')
    return {
      tables,
      files,
      installation: row.uid,
      protocolSequence: Number(row.sequence),
      counts: { conversations: totals.get('conversations') ?? 0, messages: totals.get('messages') ?? 0 },
    }
  } finally {
    await client.query('rollback').catch(() => undefined)
  }
}

function toFile(line: string): FileToCopy {
  const row = JSON.parse(line) as { name: string; size_bytes: number; sha256: string }
  return { name: row.name, size: row.size_bytes, sha256: row.sha256 }
}

const dialect = new PgDialect()
/** The rules of the tables have no parameters. */
export const rowsOf = (table: BackedTable): string => dialect.sqlToQuery(sql`${backedRows(table)}`).sql

async function countRows(client: pg.ClientBase, table: BackedTable): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from (${rowsOf(table)}) r`)
  return Number(rows[0]?.count)
}

async function exportTable(
  client: pg.ClientBase,
  table: BackedTable,
  { store, folder, cipher }: Target,
  progress: Progress,
  onLine: ((line: string) => void) | undefined,
): Promise<TableEntry> {
  await client.query(
    `declare exported no scroll cursor for
       select row_to_json(r)::text as line, hashtextextended(r::text, 0)::text as hash
         from (${rowsOf(table)}) r`,
  )
  let rows = 0
  let hash = 0n
  let isOver = false
  async function* lines(): AsyncGenerator<string> {
    for (let written = 0; written < rowsOfMember;) {
      const fetched = await client.query<{ line: string; hash: string }>(`fetch ${rowsAtOnce} from exported`)
      for (const row of fetched.rows) {
        hash += BigInt(row.hash)
        onLine?.(row.line)
      }
      written += fetched.rows.length
      rows += fetched.rows.length
      if (fetched.rows.length > 0) yield fetched.rows.map(({ line }) => `${line}\n`).join('')
      await progress.add(fetched.rows.length)
      if (fetched.rows.length < rowsAtOnce) {
        isOver = true
        return
      }
    }
  }
  const members: StoredMember[] = []
  while (!isOver) {
    const name = `tables/${table.name}-${String(members.length + 1).padStart(4, '0')}.jsonl.zst`
    members.push({ name, ...(await store.write(folder, name, await seal(lines(), cipher))) })
  }
  await client.query('close exported')
  return { name: table.name, columns: table.columns, rows, hash: wrapped(hash), members }
}
