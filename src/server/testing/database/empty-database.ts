import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Database, openDatabase, rows } from '#server/platform/database/db.ts'
import { firstVersion, migrateInTransaction } from '#server/platform/database/migrate.ts'
import { createLog } from '#server/platform/log.ts'

export interface EmptyDatabase {
  database: Database
  /** Runs a statement, as that of a `TestDatabase` does. */
  sql<Row extends Record<string, unknown>>(text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  /** For DATABASE_URL. */
  url: string
  close(): Promise<void>
}

/** Creates a database on the tests' server in which nothing is. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const { host, port, user, superuser } = inject('postgres')
  const log = createLog('silent')
  const name = `empty_${randomBytes(8).toString('hex')}`
  const connection = { host, port, user: superuser, database: 'postgres' }
  const admin = openDatabase({ connection, log, poolSize: 1 })
  await admin.pool.query(`create database ${name} owner "${user}" encoding 'UTF8' template template0`)
  const database = openDatabase({ connection: { host, port, user, database: name }, log, poolSize: 3 })
  return {
    database,
    sql: (text, ...values) => rows(database, sql(text, ...values)),
    url: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    async close() {
      await database.close()
      // By force only when a connection remains, as for a test's other databases.
      await admin.pool
        .query(`drop database if exists ${name}`)
        .catch(() => admin.pool.query(`drop database if exists ${name} with (force)`))
      await admin.close()
    },
  }
}

/** Makes the tables as version 0.1.0 had them. */
export async function migrateToFirst({ pool }: Database): Promise<void> {
  const client = await pool.connect()
  await client.query('begin')
  await migrateInTransaction(client, { upTo: firstVersion })
  await client.query('commit')
  client.release()
}
