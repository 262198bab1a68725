import type pg from 'pg'
import type { Database } from '#server/platform/database/db.ts'
import { listOurTables, migrateSchema, schemaVersion } from '#server/platform/database/migrate.ts'
import { BackupError } from './backup-error.ts'
import type { TableEntry } from './manifest.ts'
import { copyLines, deleteRows, rowsQuery } from './rows.ts'

// A schema of its own beside `public`, with all tables of the product as they were in the version that made
// the backup. Its rows are compared with their source, or brought up to date and merged.

const prefix = 'balcao_scratch_'
export interface Scratch {
  readonly name: string
  /**
   * Fills a table with lines, some at a time, in place of what its migrations gave it.
   * @throws BackupError when one is not a row of the table
   */
  load(
    table: TableEntry,
    batches: AsyncIterable<readonly string[]>,
    onRows: (count: number) => Promise<void>,
  ): Promise<void>
  /** Number of rows, and the sum of their hashes as in the manifest. */
  measure(table: Pick<TableEntry, 'name' | 'columns'>): Promise<{ rows: number; hash: string }>
  /**
   * Ends the loading: adds the keys, and brings the tables to their last version.
   * @throws BackupError when a row refers to one that is not there
   */
  complete(): Promise<void>
}

/** Rows have the same text, and so the same hash, on every server, whatever its owner has set. */
const sameTexts = `set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set timezone = 'UTC'; set extra_float_digits = 1`

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

/**
 * Does work with such a connection, after what a run that died has left was dropped.
 * @throws BackupError when there is another one
 */
export async function withClient<Result>(
  database: Database,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(database)
  try {
    await dropScratches(client)
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
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

/**
 * @param version of the schema of the rows that will be loaded
 * @param upTo the version of the database, and of the scratch in the end
 */
export async function createScratch(
  client: pg.ClientBase,
  id: string,
  version: number,
  upTo: number = schemaVersion,
): Promise<Scratch> {
  const name = `${prefix}${id.replaceAll('-', '').slice(0, 20)}`
  const quoted = client.escapeIdentifier(name)
  await client.query(`set search_path = ${quoted}, public`)
  // In one transaction, which spares hundreds of commits.
  await client.query('begin')
  await client.query(`create schema ${quoted}`)
  const constraints =
    version === upTo ? await copyTables(client, name) : await makeEarlierTables(client, name, version)
  await client.query('commit')
  return {
    name,
    async load(table, batches, onRows) {
      await allowMissing(client, name, table)
      await deleteRows(client, name, table)
      await copyLines(client, name, table, batches, onRows)
    },
    measure: (table) => measureRows(client, rowsQuery(client, table, name)),
    async complete() {
      await addConstraints(client, constraints)
      await migrateSchema(client, name, { after: version, upTo })
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

interface Constraint {
  table: string
  name: string
  definition: string
}

/**
 * Makes tables like those in `public`, without indexes and keys: that loads fast, and in any order.
 * @returns the primary and foreign keys, to be added to them. What is unique was so where it comes from
 */
async function copyTables(client: pg.ClientBase, name: string): Promise<Constraint[]> {
  const quoted = client.escapeIdentifier(name)
  const columns = 'including defaults including constraints including generated'
  const ours = await listOurTables(client)
  await client.query(
    ours
      .map((table) => client.escapeIdentifier(table))
      .map((table) => `create unlogged table ${quoted}.${table} (like public.${table} ${columns})`)
      .join(';\n'),
  )
  // Read so that a definition names its tables without a schema: they are those of the scratch then.
  await client.query('set local search_path = public')
  const { rows } = await client.query<Constraint>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
            pg_get_constraintdef(oid) as definition
       from pg_constraint c
      where conrelid = any($1::regclass[])
        and (contype in ('p', 'f')
             or contype = 'u' and exists (
                  select from pg_constraint k where k.contype = 'f' and k.conindid = c.conindid))
      order by contype = 'f'`,
    [ours],
  )
  await client.query(`set local search_path = ${quoted}, public`)
  return rows
}

/**
 * Makes the tables of an earlier version, as its migrations made them: later ones may name the indexes and
 * constraints, and the tables that they add may refer to logged ones only.
 * @returns the foreign keys that were taken from them
 */
async function makeEarlierTables(
  client: pg.ClientBase,
  name: string,
  version: number,
): Promise<Constraint[]> {
  await migrateSchema(client, name, { upTo: version })
  const inSchema = [client.escapeIdentifier(name)]
  const { rows: keys } = await client.query<Constraint>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
            pg_get_constraintdef(oid) as definition
       from pg_constraint where connamespace = to_regnamespace($1) and contype = 'f'`,
    inSchema,
  )
  const { rows: tables } = await client.query<{ table: string }>(
    `select oid::regclass::text as table from pg_class
      where relnamespace = to_regnamespace($1) and relkind = 'r'`,
    inSchema,
  )
  await client.query(
    [
      ...keys.map((key) => `alter table ${key.table} drop constraint ${key.name}`),
      ...tables.map(({ table }) => `alter table ${table} disable trigger user`),
    ].join(';\n'),
  )
  return keys
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

async function addConstraints(client: pg.ClientBase, constraints: readonly Constraint[]): Promise<void> {
  for (const { table, name, definition } of constraints)
    await client
      .query(`alter table ${table} add constraint ${name} ${definition}`)
      .catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === '23503')
          throw new BackupError('O backup tem linhas que citam outras que não estão nele')
        throw error
      })
}
