import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EmbeddedPostgresError } from './errors.ts'
import { maintenanceDatabase } from './connect.ts'

const mostWaitMs = 5000

/** Creates the plain role and its database, both called `name`, if they are missing. */
export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const role = await client.query('select 1 from pg_roles where rolname = $1', [name])
  if (role.rowCount === 0)
    await client.query(
      `create role "${name}" login nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
    )
  if (!(await hasDatabase(client, name))) await client.query(`create database "${name}" owner "${name}"`)
}

/** Whether the database exists, and with it the role, which is created first. */
export async function hasDatabase(client: pg.Client, name: string): Promise<boolean> {
  return (await client.query('select 1 from pg_database where datname = $1', [name])).rowCount === 1
}

/**
 * Ends the sessions of a dead program: its statements may hold row locks for seconds. Call it only with the
 * lock; programs that wait for the lock are connected to the maintenance database and not affected.
 */
export async function endPredecessor(client: pg.Client): Promise<void> {
  const others = `from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() and datname <> $1`
  const deadline = performance.now() + mostWaitMs
  while (performance.now() < deadline) {
    const { rowCount } = await client.query(`select pg_terminate_backend(pid) ${others}`, [
      maintenanceDatabase,
    ])
    if (rowCount === 0) return
    await sleep(5)
  }
  throw new EmbeddedPostgresError(
    'As sessões do programa anterior no banco de dados não terminam: tente de novo ou defina DATABASE_URL',
  )
}

/** Whether the running server keeps acknowledged commits; a killed test may have left one that does not. */
export async function keepsCommits(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ fsync: string }>('show fsync')
  return rows[0]?.fsync === 'on'
}
