import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase, migrateDatabase } from '#server/platform/database/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the tests' server, the role of the product, and the role that creates databases. */
    postgres: { host: string; port: number; user: string; superuser: string }
  }
}

/**
 * Starts one private server for all tests, in memory if possible, with a migrated template database. With
 * TEST_DATABASE_URL the tests run on that server instead, with its role: a superuser, or one that may create
 * databases.
 */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return prepareServer(project, new URL(given))
  const dataDir = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'balcao-test-'))
  // The server's account must be able to enter its folder.
  chmodSync(dataDir, 0o755)
  const embedded = await startEmbeddedPostgres({ dataDir, durable: false })
  const log = createLog('silent')
  const admin = openDatabase({ connection: embedded.superuser, log, poolSize: 1 })
  await admin.pool.query(`create database template_balcao owner "${embedded.connection.user}"`)
  const template = openDatabase({
    connection: { ...embedded.connection, database: 'template_balcao' },
    log,
    poolSize: 2,
  })
  await migrateDatabase(template)
  await resetSettings(template)
  await template.close()
  await admin.close()
  const { host, port, user } = embedded.connection
  project.provide('postgres', { host, port, user, superuser: embedded.superuser.user })
  end = async () => {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Prepares a server that is already running; everything created on it is removed at the end. */
async function prepareServer(project: TestProject, url: URL): Promise<void> {
  const log = createLog('silent')
  const user = decodeURIComponent(url.username)
  // The tests' own connections read the password as libpq does; the workers inherit it.
  if (url.password) process.env['PGPASSWORD'] = decodeURIComponent(url.password)
  const where = { host: url.searchParams.get('host') ?? url.hostname, port: Number(url.port || 5432) }
  const admin = openDatabase({ connection: { ...where, user, database: 'postgres' }, log, poolSize: 1 })
  await admin.pool.query('drop database if exists template_balcao with (force)')
  await admin.pool.query(`create database template_balcao encoding 'UTF8' template template0`)
  const template = openDatabase({ connection: { ...where, user, database: 'template_balcao' }, log })
  await migrateDatabase(template)
  await resetSettings(template)
  await template.close()
  await admin.close()
  project.provide('postgres', { ...where, user, superuser: user })
  end = () => removeTemplate(where, user)
}

/** Removes the template; each test removes its own database. */
async function removeTemplate(where: { host: string; port: number }, user: string): Promise<void> {
  const admin = openDatabase({
    connection: { ...where, user, database: 'postgres' },
    log: createLog('silent'),
    poolSize: 1,
  })
  await admin.pool.query('drop database if exists template_balcao with (force)')
  await admin.close()
}

let end: () => Promise<void> = () => Promise.resolve()

export function teardown(): Promise<void> {
  return end()
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 1_073_741_824
  } catch {
    // This system has no such folder: use the ordinary temporary one.
    return false
  }
}
