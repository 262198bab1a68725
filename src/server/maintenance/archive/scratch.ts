import type pg from 'pg'
import type { Database } from '#server/platform/database/db.ts'
import { collectGarbage } from '#server/platform/memory.ts'
import { migrateSchema, schemaVersion } from '#server/platform/database/migrate.ts'
import { BackupError } from './backup-error.ts'
import type { TableEntry } from './manifest.ts'

// A schema of its own beside `public`, with all tables of the product as they were in the version that made
// the backup. Its rows are compared with their source, or brought up to date and merged.

const prefix = 'balcao_scratch_'
/** Text of rows that is sent to the database at once. */
const batchChars = 1_000_000
const batchRows = 2000
/** What was sent outlives the young generation, and the heap would grow to several times what is in use. */
const charsBetweenCollections = 8_000_000

export interface Scratch {
  readonly name: string
  /** Adds rows, each as JSON. */
  load(
    table: TableEntry,
    lines: AsyncIterable<string>,
    onRows: (count: number) => Promise<void>,
  ): Promise<void>
  /** Number of rows, and the sum of their hashes as in the manifest. */
  measure(table: Pick<TableEntry, 'name' | 'columns'>): Promise<{ rows: number; hash: string }>
  /**
   * Ends the loading: adds the foreign keys, and brings the tables to the version of this program.
   * @throws BackupError when a row refers to one that is not there
   */
  complete(): Promise<void>
}

/** Rows have the same text, and so the same hash, on every server, whatever its owner has set. */
const sameTexts = `set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1`

/** The session of a program that died keeps its locks until the server notices. */
const longestWait = '60s'

/**
 * Opens a connection of its own, without limits of time, which excludes all others of this kind: in other
 * processes and in commands as well. Call `end` on it.
 * @throws BackupError when there is another one
 */
export async function openClient(database: Database): Promise<pg.Client> {
  const { default: driver } = await import('pg')
  const client = new driver.Client(database.pool.options)
  // What it is doing at that moment fails as well.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('set statement_timeout = 0')
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query(sameTexts)
  try {
    await client.query(`set lock_timeout = '${longestWait}'`)
    await client.query(`select pg_advisory_lock(hashtextextended('maintenance', 0))`)
    await client.query('set lock_timeout = 0')
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    const isBusy = error instanceof Error && 'code' in error && error.code === '55P03'
    throw isBusy ? new BackupError('Já há outro trabalho de manutenção em andamento') : error
  }
}

/** Drops what a run that died has left. Call it while no other run works. */
export async function dropScratches(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname like '${prefix.replaceAll('_', '\\_')}%'`,
  )
  for (const { name } of rows) await dropScratch(client, name)
}

export async function dropScratch(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('set search_path = public')
  await client.query(`drop schema if exists ${client.escapeIdentifier(name)} cascade`)
}

/** @param version of the schema of the rows that will be loaded */
export async function createScratch(client: pg.ClientBase, id: string, version: number): Promise<Scratch> {
  const name = `${prefix}${id.replaceAll('-', '').slice(0, 20)}`
  const quoted = client.escapeIdentifier(name)
  await client.query(`set search_path = ${quoted}, public`)
  // In one transaction, which spares hundreds of commits.
  await client.query('begin')
  await client.query(`create schema ${quoted}`)
  await migrateSchema(client, name, { upTo: version })
  const foreignKeys = await prepareTables(client, name, version)
  await client.query('commit')
  const tableOf = (table: Pick<TableEntry, 'name'>) => `${quoted}.${client.escapeIdentifier(table.name)}`
  const columnsOf = (table: Pick<TableEntry, 'columns'>) =>
    table.columns.map((column) => client.escapeIdentifier(column)).join(', ')
  return {
    name,
    async load(table, lines, onRows) {
      await allowMissing(client, name, table)
      const columns = columnsOf(table)
      const insert = `insert into ${tableOf(table)} (${columns}) overriding system value
        select ${columns} from json_populate_recordset(null::${tableOf(table)}, $1::json)`
      let batch: string[] = []
      let chars = 0
      let collected = 0
      const write = async () => {
        if (batch.length === 0) return
        await client.query(insert, [`[${batch.join(',')}]`])
        collected += chars
        if (collected > charsBetweenCollections) {
          collectGarbage()
          collected = 0
        }
        await onRows(batch.length)
        batch = []
        chars = 0
      }
      for await (const line of lines) {
        batch.push(line)
        chars += line.length
        if (batch.length >= batchRows || chars >= batchChars) await write()
      }
      await write()
    },
    measure: (table) => measureRows(client, `select ${columnsOf(table)} from ${tableOf(table)}`),
    async complete() {
      await refer(client, foreignKeys)
      await migrateSchema(client, name, { after: version, upTo: schemaVersion })
    },
  }
}

/** Number of rows of a query, and the sum of their hashes as in the manifest. */
export async function measureRows(
  client: pg.ClientBase,
  query: string,
): Promise<{ rows: number; hash: string }> {
  const { rows } = await client.query<{ rows: string; hash: string }>(
    `select count(*) as rows,
            mod(coalesce(sum(hashtextextended(r::text, 0)::numeric), 0), 2::numeric ^ 64)::text as hash
       from (${query}) r`,
  )
  return { rows: Number(rows[0]?.rows), hash: wrapped(BigInt((rows[0]?.hash ?? '0').split('.')[0] ?? 0)) }
}

const modulus = 2n ** 64n
/** A sum of hashes as it is written: from 0 to before 2 to the 64. */
export const wrapped = (sum: bigint): string => String(((sum % modulus) + modulus) % modulus)

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Makes loading fast, and in any order. @returns the foreign keys that were taken away */
async function prepareTables(client: pg.ClientBase, name: string, version: number): Promise<ForeignKey[]> {
  const inSchema = [client.escapeIdentifier(name)]
  const keys = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
            pg_get_constraintdef(oid) as definition
       from pg_constraint where connamespace = to_regnamespace($1) and contype = 'f'`,
    inSchema,
  )
  const tables = await client.query<{ table: string }>(
    `select oid::regclass::text as table from pg_class
      where relnamespace = to_regnamespace($1) and relkind = 'r'`,
    inSchema,
  )
  // Later migrations may name the indexes and the constraints of an earlier version, and the tables that they
  // add may refer to logged ones only.
  const isCurrent = version === schemaVersion
  const indexes = isCurrent ? await listPlainIndexes(client, name) : []
  const uniques = isCurrent ? await listUniques(client, name) : []
  await client.query(
    [
      ...[...keys.rows, ...uniques].map((key) => `alter table ${key.table} drop constraint ${key.name}`),
      ...(isCurrent ? tables.rows.map(({ table }) => `alter table ${table} set unlogged`) : []),
      ...tables.rows.map(({ table }) => `alter table ${table} disable trigger user`),
      ...indexes.map((index) => `drop index ${index}`),
    ].join(';\n'),
  )
  return keys.rows
}

/** Unique constraints to which no foreign key refers: the rows were unique where they come from. */
async function listUniques(client: pg.ClientBase, name: string): Promise<Omit<ForeignKey, 'definition'>[]> {
  const { rows } = await client.query<Omit<ForeignKey, 'definition'>>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name
       from pg_constraint where connamespace = to_regnamespace($1) and contype = 'u'`,
    [client.escapeIdentifier(name)],
  )
  return rows
}

async function listPlainIndexes(client: pg.ClientBase, name: string): Promise<string[]> {
  const { rows } = await client.query<{ index: string }>(
    `select i.indexrelid::regclass::text as index from pg_index i
       join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = to_regnamespace($1)
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
    [client.escapeIdentifier(name)],
  )
  return rows.map(({ index }) => index)
}

/** Columns that the backup leaves out may be empty. */
async function allowMissing(client: pg.ClientBase, name: string, table: TableEntry): Promise<void> {
  const { rows } = await client.query<{ column: string }>(
    `select quote_ident(attname) as column from pg_attribute a
       join pg_class c on c.oid = a.attrelid
      where c.relnamespace = to_regnamespace($1) and c.relname = $2 and attnum > 0 and not attisdropped
        and attnotnull and not atthasdef and attidentity = '' and not attname = any($3)`,
    [client.escapeIdentifier(name), table.name, table.columns],
  )
  for (const { column } of rows)
    await client.query(
      `alter table ${client.escapeIdentifier(name)}.${client.escapeIdentifier(table.name)}
         alter column ${column} drop not null`,
    )
}

async function refer(client: pg.ClientBase, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys)
    await client
      .query(`alter table ${table} add constraint ${name} ${definition}`)
      .catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === '23503')
          throw new BackupError('O backup tem linhas que citam outras que não estão nele')
        throw error
      })
}
