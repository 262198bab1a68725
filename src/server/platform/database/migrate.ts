import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { schema } from '#server/schema/schema.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { StartRefused } from '#server/platform/start-refused.ts'
import { dropJobSchema, isJobSchemaPending, migrateJobSchema } from '#server/platform/jobs/job-schema.ts'
import { type Applied, firstHistory, firstVersion } from './first-history.ts'
import { createdObjects, migrationsOf, ourMigrations, readMigrations, type Step } from './migrations.ts'

export { firstVersion } from './first-history.ts'
export { knowsSchema, neededExtensions, schemaVersion, tagOf } from './migrations.ts'

const migrationLock = 7_415_001

/** The product's tables, by their names in the database. */
export const ourTables: readonly string[] = Object.values(schema)
  .filter((entry) => is(entry, PgTable))
  .map((table) => getTableName(table))

/** How far a database has been migrated. */
export interface SchemaState {
  /** No migration was ever applied. */
  isEmpty: boolean
  isPending: boolean
  /** Our tables are of an earlier version; otherwise only those of the job queue may be pending. */
  isUpgrade: boolean
  /** The newest applied migration; 0 when there is none. */
  version: number
}

/** What a start does before it changes a database of an earlier version. */
export type BeforeUpgrade = (version: number) => Promise<Upgrade | undefined>

export interface Upgrade {
  /** Called when the migrations have failed, and the database is as it was. */
  failed(): Promise<void>
}

/**
 * Brings the schema up to date, all of it in one transaction. Instances that start at the same time wait for
 * each other. The role needs the right to create only when migrations are pending.
 * @param options.beforeUpgrade called under the lock; what it throws ends the start
 * @param options.folder of the migrations; the product's own by default
 * @throws StartRefused for a database of a newer version or of another program, and for a failed upgrade
 */
export async function migrateDatabase(
  database: { pool: pg.Pool },
  { beforeUpgrade, folder = ourMigrations }: { beforeUpgrade?: BeforeUpgrade; folder?: string } = {},
): Promise<void> {
  // A separate connection: it changes its settings, and must not prepare statements on tables that change.
  const client = new pg.Client(database.pool.options)
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('set statement_timeout = 0')
    // It only holds the lock while a large database is copied.
    await client.query('set idle_session_timeout = 0')
    await lockMigrations(client)
    const state = await readSchemaState(client, folder)
    if (!state.isPending) return
    const upgrade = state.isUpgrade ? await beforeUpgrade?.(state.version) : undefined
    await failpoint('upgrade.copied')
    await client.query('begin')
    try {
      const newest = readMigrations(folder).at(-1)?.when ?? 0
      await applyMigrations(client, { after: state.version, upTo: newest }, folder)
      await migrateJobSchema(client)
      // Only what is newer than the last applied migration is applied.
      if ((await readSchemaState(client, folder)).isPending) throw new Error('a migration was passed over')
      await failpoint('upgrade.migrated')
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      await upgrade?.failed()
      throw wordsFor(error, state)
    }
    await client.query('commit')
    await failpoint('upgrade.committed')
  } finally {
    // Ends the session, which releases the lock.
    await client.end()
  }
}

/** A migration that the database refused. */
class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
  readonly tag: string
  constructor(tag: string, cause: unknown) {
    super(tag, { cause })
    this.tag = tag
  }
}

/** One line for an upgrade that the database refused; every other error as it is. */
function wordsFor(error: unknown, { isUpgrade }: SchemaState): unknown {
  if (!(error instanceof MigrationFailed)) return error
  const { tag, cause } = error
  if (!isUpgrade || !(cause instanceof pg.DatabaseError)) return cause
  return new StartRefused(
    `A atualização do banco falhou em ${tag} (${cause.message}). Nada foi mudado: a versão anterior do ` +
      'Balcão inicia como antes.',
    { cause },
  )
}

/** Until the session ends, every start on this database waits before its migrations. */
export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock])
}

/**
 * Compares the database with the migrations of this program. Writes nothing.
 * @throws StartRefused for a database with an unknown migration, in the middle of the history of 0.1.0, or
 * with another program's tables under our names
 */
export async function readSchemaState(
  client: pg.ClientBase | pg.Pool,
  folder: string = ourMigrations,
): Promise<SchemaState> {
  const known = readMigrations(folder)
  // The tables are read before the history, since another instance may be creating both at this moment.
  const tables = await tablesUnderOurNames(client)
  const applied = await readApplied(client)
  for (const row of applied) {
    const ours = [...firstHistory, ...known].find((migration) => migration.when === row.when)
    if (ours?.hash === row.hash) continue
    if (!ours && row.when > (known.at(-1)?.when ?? 0))
      throw new StartRefused(
        'Este banco foi usado por uma versão mais nova do Balcão: ' +
          'use essa versão ou uma posterior, ou restaure o backup de antes dela.',
      )
    throw otherEdition(ours?.tag)
  }
  const isFirst = isFirstHistory(applied)
  if (applied.length === 0 && tables.length > 0)
    throw new StartRefused(
      `O banco já tem tabelas de outro programa (${tables.join(', ')}): ` +
        'crie um banco só para o Balcão e ponha o nome dele em DATABASE_URL.',
    )
  const isPending = isFirst || applied.length < known.length
  return {
    isEmpty: applied.length === 0,
    isPending: isPending || (await isJobSchemaPending(client)),
    isUpgrade: isPending && applied.length > 0,
    version: applied.at(-1)?.when ?? 0,
  }
}

/**
 * @returns whether the database is of version 0.1.0: only its history is to be brought to the baseline
 * @throws StartRefused for a database of which that version has not applied all migrations
 */
function isFirstHistory(applied: readonly Applied[]): boolean {
  const ofFirst = applied.filter(({ when }) => when <= firstVersion).length
  if (ofFirst === 0) return false
  if (applied.length > ofFirst) throw otherEdition(firstHistory.at(-1)?.tag)
  if (ofFirst === firstHistory.length) return true
  throw new StartRefused(
    `Este banco é de antes da versão 0.1.0 do Balcão (${firstHistory[ofFirst - 1]?.tag}): ` +
      'inicie-o uma vez com a versão 0.1.0 (commit c1155a5a) e depois com esta. Nada foi mudado.',
  )
}

const otherEdition = (tag = 'migração desconhecida') =>
  new StartRefused(
    `Este banco foi feito por outra edição do Balcão (${tag}): ` +
      'use a mesma, ou outro DATA_DIR ou DATABASE_URL.',
  )

/**
 * Makes the tables of the product in a schema of another name, or brings those there up to date. Extensions
 * are those of the database.
 * @param client whose search path begins with that schema
 */
export async function migrateSchema(client: pg.ClientBase, schemaName: string, step: Step): Promise<void> {
  const here = `${client.escapeIdentifier(schemaName)}.`
  for (const { sql } of migrationsOf(step))
    // The generated statements name the schema of what they refer to. Sent at once, they are one transaction.
    await client.query(sql.replaceAll('"public".', here))
}

/**
 * Makes the tables of the product in `public`, or brings those there up to date, as a part of the open
 * transaction. But for the tables of the job queue, which the next start makes.
 */
export const migrateInTransaction = (client: pg.ClientBase, step: Step): Promise<void> =>
  applyMigrations(client, step)

/** Applies the migrations of a step as a part of the open transaction. @throws MigrationFailed */
async function applyMigrations(client: pg.ClientBase, step: Step, folder = ourMigrations): Promise<void> {
  if (step.after === step.upTo) return
  // The history as drizzle-kit keeps it.
  await client.query('create schema if not exists drizzle')
  await client.query(
    `create table if not exists drizzle.__drizzle_migrations
       (id serial primary key, hash text not null, created_at bigint)`,
  )
  if (step.after === firstVersion) {
    await failpoint('upgrade.migration')
    await replaceHistory(client, readMigrations(folder).slice(0, 1))
  }
  for (const { tag, when, hash, sql } of migrationsOf(step, folder)) {
    await failpoint('upgrade.migration')
    try {
      await client.query(sql)
    } catch (error) {
      throw new MigrationFailed(tag, error)
    }
    await addToHistory(client, { when, hash })
  }
  // So that version 0.1.0 takes it for its own again.
  if (step.upTo === firstVersion) await replaceHistory(client, firstHistory)
}

async function replaceHistory(client: pg.ClientBase, history: readonly Applied[]): Promise<void> {
  await client.query('delete from drizzle.__drizzle_migrations')
  for (const applied of history) await addToHistory(client, applied)
}

const addToHistory = (client: pg.ClientBase, { when, hash }: Applied) =>
  client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when])

/** The names of the product's tables in the database, of whatever version they are. */
export async function listOurTables(client: pg.ClientBase): Promise<string[]> {
  const ours = createdObjects().filter(({ kind }) => kind === 'table')
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any($1) order by relname`,
    [ours.map(({ name }) => name)],
  )
  return rows.map(({ name }) => name)
}

/**
 * Takes everything of the product from the database, as a part of the open transaction: it is as before the
 * first start, but for extensions.
 */
export async function dropSchema(client: pg.ClientBase): Promise<void> {
  for (const { kind, name } of createdObjects())
    await client.query(`drop ${kind} if exists public.${client.escapeIdentifier(name)} cascade`)
  await client.query('drop table drizzle.__drizzle_migrations')
  await dropJobSchema(client)
}

async function readApplied(client: pg.ClientBase | pg.Pool): Promise<Applied[]> {
  const history = await client.query<{ role: string; isReadable: boolean }>(
    `select quote_ident(current_user) as role,
            has_schema_privilege(n.oid, 'USAGE') and has_table_privilege(c.oid, 'SELECT') as "isReadable"
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'drizzle' and c.relname = '__drizzle_migrations'`,
  )
  const [table] = history.rows
  if (!table) return []
  if (!table.isReadable)
    throw new StartRefused(
      'O histórico do esquema é de outro dono: no banco do Balcão, como superusuário, ' +
        `ALTER SCHEMA drizzle OWNER TO ${table.role}; ` +
        `ALTER TABLE drizzle.__drizzle_migrations OWNER TO ${table.role};`,
    )
  const applied = await client.query<{ when: string; hash: string }>(
    'select created_at::text as when, hash from drizzle.__drizzle_migrations order by created_at',
  )
  return applied.rows.map(({ when, hash }) => ({ when: Number(when), hash }))
}

/** Those under other names: `refuseForeignTables`. */
async function tablesUnderOurNames(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = to_regnamespace('public') and relname = any($1) order by relname`,
    [ourTables],
  )
  return rows.map((row) => row.name)
}
