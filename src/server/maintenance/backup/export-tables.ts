import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { type BackedTable, backedList, backedRows } from '#server/maintenance/archive/tables.ts'
import { type BackupCipher, seal } from '#server/maintenance/archive/cipher.ts'
import type { StoredMember, TableEntry } from '#server/maintenance/archive/manifest.ts'
import { linesQuery, parseLine } from '#server/maintenance/archive/rows.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { wrapped } from '#server/maintenance/archive/scratch.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'

/** Rows of one member: a reader needs no more of a table at once. */
const rowsOfMember = 50_000
/** Rows are fetched so many at once, and fewer where they are long. */
const mostRowsAtOnce = 1000
const charsAtOnce = 4_000_000

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
      const fileOf = table.name === 'files' ? fileReader(table) : undefined
      const onLine = fileOf && ((line: string) => void files.push(fileOf(line)))
      const query = linesQuery(client, table, rowsOf(table))
      tables.push(await exportTable(client, { ...table, query }, target, progress, onLine))
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

/** Reads lines of the table of files. */
function fileReader({ columns }: BackedTable): (line: string) => FileToCopy {
  const places = ['name', 'size_bytes', 'sha256'].map((column) => columns.indexOf(column))
  return (line) => {
    const values = parseLine(line)
    const [name, size, sha256] = places.map((place) => values?.[place] ?? '')
    if (!name || !size || !sha256) throw new Error('a file without a name, a size or a hash')
    return { name, size: Number(size), sha256 }
  }
}

const dialect = new PgDialect()
/** The rules of the tables have no parameters. */
export const rowsOf = (table: BackedTable): string => dialect.sqlToQuery(sql`${backedRows(table)}`).sql

async function countRows(client: pg.ClientBase, table: BackedTable): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from (${rowsOf(table)}) r`)
  return Number(rows[0]?.count)
}

/** A row as it is written, and its hash, which is a number of 64 bits. */
export interface ExportedRow {
  line: string
  hash: string
}

/** Reads the rows of a query bit by bit, in the open transaction; one query at a time. */
export async function* fetchRows(client: pg.ClientBase, query: string): AsyncGenerator<ExportedRow[]> {
  await client.query(`declare exported no scroll cursor for ${query}`)
  for (let count = 10; ;) {
    const { rows } = await client.query<ExportedRow>(`fetch ${count} from exported`)
    if (rows.length > 0) yield rows
    if (rows.length < count) break
    const chars = rows.reduce((sum, { line }) => sum + line.length, 0)
    const fitting = Math.floor((count * charsAtOnce) / chars)
    count = Math.max(1, Math.min(mostRowsAtOnce, 10 * count, fitting))
  }
  await client.query('close exported')
}

/** Writes the lines of a query, and says how many there are and what their hashes are together. */
export async function exportTable(
  client: pg.ClientBase,
  { name, columns, query }: Pick<BackedTable, 'name' | 'columns'> & { query: string },
  { store, folder, cipher }: Target,
  progress: Progress,
  onLine: ((line: string) => void) | undefined,
): Promise<TableEntry> {
  const batches = fetchRows(client, query)
  let rows = 0
  let hash = 0n
  let isOver = false
  async function* lines(): AsyncGenerator<string> {
    for (let written = 0; written < rowsOfMember;) {
      const batch = await batches.next()
      if (batch.done) {
        isOver = true
        return
      }
      for (const row of batch.value) {
        hash += BigInt(row.hash)
        onLine?.(row.line)
      }
      written += batch.value.length
      rows += batch.value.length
      yield batch.value.map(({ line }) => `${line}\n`).join('')
      await progress.add(batch.value.length)
    }
  }
  const members: StoredMember[] = []
  while (!isOver) {
    const member = `tables/${name}-${String(members.length + 1).padStart(4, '0')}.jsonl.zst`
    members.push({ name: member, ...(await store.write(folder, member, await seal(lines(), cipher))) })
  }
  return { name, columns, rows, hash: wrapped(hash), members }
}
