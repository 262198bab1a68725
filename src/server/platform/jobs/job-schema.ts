import type pg from 'pg'
import bossPackage from 'pg-boss/package.json' with { type: 'json' }
import { StartRefused } from '../start-refused.ts'

/** The tables of pg-boss are created by its own statements; our migrations leave them alone. */
export const jobSchema = 'pgboss'

/**
 * The version of the tables that the installed pg-boss expects. Read without loading it, which takes a while.
 */
const { pgboss } = bossPackage

/**
 * Whether the tables of the job queue must be created or updated. Writes nothing.
 * @throws StartRefused when they are of a newer version
 */
export async function isJobSchemaPending(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const version = await readVersion(client)
  return version !== pgboss.schema && version !== 'unreadable'
}

/**
 * The message for tables that another role owns, as after a restore by the superuser; undefined when they are
 * fine.
 */
export async function jobSchemaFault(client: pg.ClientBase): Promise<string | undefined> {
  if ((await readVersion(client)) !== 'unreadable') return undefined
  return (
    'A fila de trabalhos em segundo plano é de outro dono: no banco do Balcão, como superusuário, ' +
    `DROP SCHEMA ${jobSchema} CASCADE; (ela é criada de novo na próxima partida).`
  )
}

/**
 * Creates or updates the tables of the job queue, as a part of the open transaction. The caller holds the
 * lock of the migrations.
 */
export async function migrateJobSchema(client: pg.ClientBase): Promise<void> {
  const version = await readVersion(client)
  if (version === pgboss.schema || version === 'unreadable') return
  const { getConstructionPlans, getMigrationPlans } = await import('pg-boss')
  const plan = version === undefined ? getConstructionPlans(jobSchema) : getMigrationPlans(jobSchema, version)
  await client.query(withoutTransaction(plan))
}

/** Removes the tables of the job queue, with what waits there. */
export async function dropJobSchema(client: pg.ClientBase): Promise<void> {
  await client.query(`drop schema if exists ${jobSchema} cascade`)
}

/**
 * The statements of pg-boss, which brings a transaction of its own. Behind that it builds indexes beside
 * those who work: nobody does, and they belong to the same whole.
 */
export function withoutTransaction(plan: string): string {
  const lines = plan.split('\n')
  const placesOf = (statement: string) =>
    lines.flatMap((line, n) => (line.trim().toLowerCase() === statement ? [n] : []))
  const [begins, commits] = [placesOf('begin;'), placesOf('commit;')]
  const [begin = -1, commit = -1] = [begins[0], commits[0]]
  if (begins.length !== 1 || commits.length !== 1 || commit < begin)
    throw new Error('the plan of pg-boss has another form')
  const behind = lines.slice(commit + 1).join('\n')
  return [...lines.slice(begin + 1, commit), behind.replaceAll(/\bindex concurrently\b/gi, 'index')].join(
    '\n',
  )
}

/** @returns undefined when there are no tables */
async function readVersion(client: pg.ClientBase | pg.Pool): Promise<number | 'unreadable' | undefined> {
  const there = await client.query<{ isReadable: boolean }>(
    `select has_schema_privilege(n.oid, 'USAGE') and has_table_privilege(c.oid, 'SELECT')
            and has_table_privilege(c.oid, 'UPDATE') as "isReadable"
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relname = 'version'`,
    [jobSchema],
  )
  const [table] = there.rows
  if (!table) return undefined
  if (!table.isReadable) return 'unreadable'
  const { rows } = await client.query<{ version: number }>(`select version from ${jobSchema}.version`)
  const version = rows[0]?.version
  if (version !== undefined && version > pgboss.schema)
    throw new StartRefused(
      'Este banco foi usado por uma versão mais nova do Balcão: use essa versão ou uma posterior, ou ' +
        'restaure o backup de antes dela.',
    )
  return version
}
