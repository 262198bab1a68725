import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { schema } from '#server/schema/schema.ts'
import { StartRefused } from '#server/platform/start-refused.ts'
import { isJobSchemaPending, migrateJobSchema } from '#server/platform/jobs/job-schema.ts'

const ourMigrations = join(import.meta.dirname, '..', '..', 'migrations')
const migrationLock = 7_415_001

/** The product's tables, by their names in the database. */
export const ourTables: readonly string[] = Object.values(schema)
  .filter((entry) => is(entry, PgTable))
  .map((table) => getTableName(table))

interface Migration {
  /** Milliseconds since 1970; identifies the migration in the database. */
  when: number
  tag: string
  /** SHA-256 of the file, hexadecimal. */
  hash: string
  sql: string
}

/** How far a database has been migrated. */
export interface SchemaState {
  /** No migration was ever applied. */
  isEmpty: boolean
  isPending: boolean
}

/**
 * Brings the schema up to date. Instances that start at the same time wait for each other. The role needs the
 * right to create only when migrations are pending.
 * @param folder of the migrations; the product's own by default
 * @throws StartRefused for a database of a newer version or of another program
 */
export async function migrateDatabase(
  database: { pool: pg.Pool },
  folder: string = ourMigrations,
): Promise<void> {
  // A separate connection: it changes its settings, and must not prepare statements on tables that change.
  const client = new pg.Client(database.pool.options)
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('set statement_timeout = 0')
    await lockMigrations(client)
    const { isPending } = await readSchemaState(client, folder)
    if (!isPending) return
    await migrate(drizzle(client), { migrationsFolder: folder })
    await migrateJobSchema(client)
    // Drizzle goes by dates alone, and passes over a migration that is older than the last applied one.
    if ((await readSchemaState(client, folder)).isPending) throw new Error('a migration was passed over')
  } finally {
    // Ends the session, which releases the lock.
    await client.end()
  }
}

/** Until the session ends, every start on this database waits before its migrations. */
export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock])
}

/**
 * Compares the database with the migrations of this program. Writes nothing.
 * @throws StartRefused for a database with an unknown migration, or with another program's tables under our
 * names
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
    const ours = known.find((migration) => migration.when === row.when)
    if (ours?.hash === row.hash) continue
    if (!ours && row.when > (known.at(-1)?.when ?? 0))
      throw new StartRefused(
        'Este banco foi usado por uma versão mais nova do Balcão: ' +
          'use essa versão ou uma posterior, ou restaure o backup de antes dela.',
      )
    throw new StartRefused(
      `Este banco foi feito por outra edição do Balcão (${ours?.tag ?? 'migração desconhecida'}): ` +
        'use a mesma, ou outro DATA_DIR ou DATABASE_URL.',
    )
  }
  if (applied.length === 0 && tables.length > 0)
    throw new StartRefused(
      `O banco já tem tabelas de outro programa (${tables.join(', ')}): ` +
        'crie um banco só para o Balcão e ponha o nome dele em DATABASE_URL.',
    )
  const isPending = applied.length < known.length || (await isJobSchemaPending(client))
  return { isEmpty: applied.length === 0, isPending }
}

/** The time of the newest migration of this program, in milliseconds: the version of the schema. */
export const schemaVersion: number = Math.max(...readMigrations(ourMigrations).map(({ when }) => when))

/** @returns whether this program has a migration of that time, so that it knows the schema of that version */
export const knowsSchema = (version: number): boolean =>
  readMigrations(ourMigrations).some(({ when }) => when === version)

/**
 * Makes the tables of the product in a schema of another name, or brings those there up to date. Extensions
 * are those of the database.
 * @param client whose search path begins with that schema
 * @param versions the migrations after `after`, up to and with `upTo`
 */
export async function migrateSchema(
  client: pg.ClientBase,
  schemaName: string,
  { after = 0, upTo }: { after?: number; upTo: number },
): Promise<void> {
  const here = `${client.escapeIdentifier(schemaName)}.`
  for (const { when, sql } of readMigrations(ourMigrations)) {
    if (when <= after || when > upTo) continue
    // The generated statements name the schema of what they refer to. Sent at once, they are one transaction.
    await client.query(sql.replaceAll('"public".', here))
  }
}

/**
 * Makes the tables of the product in `public`, or brings those there up to date, as a part of the open
 * transaction. But for the tables of the job queue, which the next start makes.
 * @param versions as of `migrateSchema`
 */
export async function migrateInTransaction(
  client: pg.ClientBase,
  versions: { after?: number; upTo: number },
): Promise<void> {
  await migrateSchema(client, 'public', versions)
  // The history as Drizzle keeps it, which goes on from here.
  await client.query('create schema if not exists drizzle')
  await client.query(
    `create table if not exists drizzle.__drizzle_migrations
       (id serial primary key, hash text not null, created_at bigint)`,
  )
  const { after = 0, upTo } = versions
  for (const { when, hash } of readMigrations(ourMigrations))
    if (when > after && when <= upTo)
      await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
        hash,
        when,
      ])
}

/** The extensions that the migrations create with CREATE EXTENSION. */
export function neededExtensions(folder: string = ourMigrations): string[] {
  const texts = readMigrations(folder).map((migration) => migration.sql.replaceAll(/--.*$/gm, ''))
  const found = texts.flatMap((text) => [
    ...text.matchAll(/create\s+extension\s+(?:if\s+not\s+exists\s+)?"?([\w-]+)"?/gi),
  ])
  return [...new Set(found.map((match) => match[1] ?? ''))]
}

function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: { when: number; tag: string }[]
  }
  return journal.entries.map(({ when, tag }) => {
    const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return { when, tag, sql, hash: createHash('sha256').update(sql).digest('hex') }
  })
}

async function readApplied(client: pg.ClientBase | pg.Pool): Promise<{ when: number; hash: string }[]> {
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

/** Tables under other names are allowed, since some providers put their own into every database. */
async function tablesUnderOurNames(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = to_regnamespace('public') and relname = any($1) order by relname`,
    [ourTables],
  )
  return rows.map((row) => row.name)
}
