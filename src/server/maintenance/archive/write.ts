import type pg from 'pg'
import type { FileStore } from '#server/platform/file-store.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { type Archive, openArchive, type Place, writeManifest } from './archive.ts'
import { seal } from './cipher.ts'
import { copyFiles, type FileToCopy, noFiles } from './copy-files.ts'
import {
  type Contents,
  formatVersion,
  type Kind,
  type Manifest,
  type ManifestOf,
  type StoredMember,
  type TableEntry,
} from './manifest.ts'
import type { Progress } from './progress.ts'
import { linesQuery, type RowSource } from './rows.ts'
import { wrapped } from './scratch.ts'

/** Rows of one member: a reader needs no more of a table at once. */
const rowsOfMember = 50_000
/** Rows are fetched so many at once, and fewer where they are long. */
const mostRowsAtOnce = 1000
const charsAtOnce = 4_000_000

/** A table of which rows are taken; with a query only those that it gives. */
export interface TakenTable extends RowSource {
  columns: string[]
  query?: string
}

/** What an archive of a kind has. All of it is read in one snapshot. */
export interface Profile<K extends Kind> {
  kind: K
  /** Of the tables in the database. */
  version: number
  tables(client: pg.ClientBase): Promise<readonly TakenTable[]>
  /** The number of all rows, for the progress; absent: it is not counted. */
  countRows?(client: pg.ClientBase): Promise<number>
  /** What only the manifest of this kind says. */
  own(client: pg.ClientBase): Promise<Omit<ManifestOf<K>, keyof Contents>>
  /** Absent: files stay where they are. */
  files?: {
    from: FileStore
    list(client: pg.ClientBase): Promise<readonly FileToCopy[]>
    /** From which files are taken that it has. */
    earlier?: Archive<Manifest> | undefined
  }
}

export interface Written<K extends Kind> {
  archive: Archive<ManifestOf<K>>
  /** Files that were taken from the earlier one. */
  reused: number
}

/**
 * Writes the database as it is at one moment, and the files beside it, into an empty place.
 * @returns the archive as its readers will open it
 * @throws BackupError, or what the disk or the database threw; what was written is the caller's to remove
 */
export async function writeArchive<K extends Kind>(
  client: pg.ClientBase,
  place: Place,
  { kind, version, tables, countRows, own, files }: Profile<K>,
  progress: Progress,
): Promise<Written<K>> {
  const { wanted, ...read } = await inSnapshot(client, async () => {
    const { rows } = await client.query<{ uid: string; now: Date }>(
      'select uid, app_now() as now from installation',
    )
    const [row] = rows
    if (!row) throw new Error('no installation')
    await progress.begin('tables', await countRows?.(client))
    const entries: TableEntry[] = []
    for (const table of await tables(client)) entries.push(await writeTable(client, table, place, progress))
    return {
      madeAt: row.now.toISOString(),
      installation: row.uid,
      tables: entries,
      ...(await own(client)),
      wanted: (await files?.list(client)) ?? [],
    }
  })
  await failpoint(`${kind}.tables`)
  const copied = files && (await copyFiles(files.from, place, wanted, files.earlier, progress))
  await failpoint(`${kind}.files`)
  await writeManifest(place, {
    product: 'balcao',
    format: formatVersion,
    schema: version,
    isEncrypted: place.cipher !== undefined,
    ...read,
    files: copied?.files ?? noFiles,
  })
  return { archive: await openArchive(place, kind), reused: copied?.reused ?? 0 }
}

/** What `work` reads is of one moment. */
export async function inSnapshot<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin isolation level repeatable read read only')
  try {
    return await work()
  } finally {
    await client.query('rollback').catch(() => undefined)
  }
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

/** Writes the rows of a table, and says how many there are and what their hashes are together. */
async function writeTable(
  client: pg.ClientBase,
  table: TakenTable,
  { store, folder, cipher }: Place,
  progress: Progress,
): Promise<TableEntry> {
  const { name, columns, query } = table
  const batches = fetchRows(client, linesQuery(client, table, query))
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
      for (const row of batch.value) hash += BigInt(row.hash)
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
