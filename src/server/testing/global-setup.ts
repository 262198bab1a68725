import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase, migrateDatabase } from '#server/platform/database/db.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { createLog } from '../platform/log.ts'
import { resetSettings } from './quiet-settings.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the tests' own server listens, as whom the product works, and as whom databases are made. */
    postgres: { host: string; port: number; user: string; superuser: string }
  }
}

/**
 * One private server for all tests, in memory when there is room, with a migrated template to copy. With
 * TEST_DATABASE_URL the tests run on that server instead, as its role: a superuser, or one that may create databases.
 */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return prepareServer(project, new URL(given))
  const dataDir = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'balcao-test-'))
  // The account that the server runs as must reach its folder.
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

/** A server that somebody else started; what was made on it goes at the end. */
async function prepareServer(project: TestProject, url: URL): Promise<void> {
  const log = createLog('silent')
  const user = decodeURIComponent(url.username)
  // The tests' own connections ask for it as libpq does; the workers inherit it.
  if (url.password) process.env['PGPASSWORD'] = decodeURIComponent(url.password)
  const where = { host: url.searchParams.get('host') ?? url.hostname, port: Number(url.port || 5432) }
  const admin = openDatabase({
    connection: { ...where, user, database: 'postgres' },
    log,
    poolSize: 1,
  })
  await admin.pool.query('drop database if exists template_balcao with (force)')
  await admin.pool.query(`create database template_balcao encoding 'UTF8' template template0`)
  const template = openDatabase({
    connection: { ...where, user, database: 'template_balcao' },
    log,
  })
  await migrateDatabase(template)
  await resetSettings(template)
  await template.close()
  await admin.close()
  project.provide('postgres', { ...where, user, superuser: user })
  end = () => removeTemplate(where, user)
}

/** The tests remove their own. */
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
    // No such folder on this system: the ordinary temporary one it is.
    return false
  }
}
