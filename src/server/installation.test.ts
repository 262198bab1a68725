import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import { type App, startApp } from './app.ts'
import { StartRefused } from './installation.ts'
import { openConfiguredDatabase, type OpenedDatabase } from './open-database.ts'
import { readConfig } from './platform/config.ts'
import { createLog } from './platform/log.ts'
import { firstVersion, migrateDatabase, migrateInTransaction } from '#server/platform/database/migrate.ts'
import { type OwnServer, startOwnServer } from './testing/servers/own-server.ts'
import { requestTo } from './testing/test-app.ts'
import { ensureFirstAdmin } from './users/users.ts'
import { version } from '#shared/version.ts'

const log = createLog('silent')
const folder = folderForTests()
let server: OwnServer

beforeAll(async () => {
  server = await startOwnServer()
  await server.query('create role dona login')
})
afterAll(() => server.close())

interface Instance {
  app: App
  /** The first administrator, when this start created them; main would print them. */
  admin: Awaited<ReturnType<typeof ensureFirstAdmin>>
  stop(): Promise<void>
}

const configOf = (database: string, isDemo = false) => ({
  ...readConfig({ DATA_DIR: folder, DATABASE_URL: server.url('dona', database) }, isDemo),
  port: 0,
})

/** Starts like `npm start`, from DATABASE_URL to the first request. */
async function start(database: string): Promise<Instance> {
  const config = { ...configOf(database), secretKey: 'one key that all the instances share' }
  const opened = await openConfiguredDatabase(config, log)
  let admin: Instance['admin']
  const app = await startApp({
    config,
    database: opened.database,
    log,
    prepare: async () => void (admin = await ensureFirstAdmin(opened.database, config.admin)),
  })
  const stop = async () => {
    await app.stop()
    await opened.close()
  }
  return { app, admin, stop }
}

/** Expects every instance to serve, and one of everything in the database. */
async function expectOne(database: string, instances: Instance[]): Promise<void> {
  const admins = instances.flatMap(({ admin }) => (admin ? [admin] : []))
  expect(admins).toHaveLength(1)
  const counts = await server.query(
    `select (select count(*)::int from installation) as installations,
            (select count(*)::int from users) as users,
            (select count(*) - count(distinct hash) from drizzle.__drizzle_migrations)::int as doubled,
            (select count(distinct name) = count(*) and count(*) > 0 from contact_categories) as categories`,
    database,
  )
  expect(counts).toEqual([{ installations: 1, users: 1, doubled: 0, categories: true }])
  const form = { username: 'admin', password: admins[0]?.password }
  // One after the other: parallel logins of one account count as guessing.
  for (const { app } of instances) {
    expect((await requestTo(app.url, 'POST', '/api/auth/login', form)).status).toBe(200)
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
    expect(await (await fetch(`${app.url}/healthz`)).json()).toEqual({ status: 'ok', version })
  }
}

/** Makes the tables of version 0.1.0. */
async function migrateToFirst({ database }: OpenedDatabase): Promise<void> {
  const client = await database.pool.connect()
  await client.query('begin')
  await migrateInTransaction(client, { upTo: firstVersion })
  await client.query('commit')
  client.release()
}

async function closing(opened: OpenedDatabase, work: (opened: OpenedDatabase) => Promise<void>) {
  try {
    await work(opened)
  } finally {
    await opened.close()
  }
}

test('eight instances that start at once create one schema and one administrator', async () => {
  await server.query('create database vazio owner dona')
  const instances = await Promise.all(Array.from({ length: 8 }, () => start('vazio')))
  await expectOne('vazio', instances)
  await Promise.all(instances.map((instance) => instance.stop()))
})

test('eight instances that start at once bring the version before up to date once', async () => {
  await server.query('create database anterior owner dona')
  await closing(await openConfiguredDatabase(configOf('anterior'), log), migrateToFirst)
  const instances = await Promise.all(Array.from({ length: 8 }, () => start('anterior')))
  await expectOne('anterior', instances)
  await Promise.all(instances.map((instance) => instance.stop()))
})

test('an installation of a demonstration is not started for real, nor the other way round', async () => {
  await server.query('create database demonstra owner dona')
  await closing(await openConfiguredDatabase(configOf('demonstra', true), log), async ({ database }) => {
    const app = await startApp({ config: configOf('demonstra', true), database, log })
    await app.stop()
    const real = startApp({ config: configOf('demonstra'), database, log })
    await expect(real).rejects.toThrow(StartRefused)
    await expect(real).rejects.toThrow(/é de demonstração: use npm run demo/)
  })
  await server.query('create database real owner dona')
  await (await start('real')).stop()
  await closing(await openConfiguredDatabase(configOf('real', true), log), async ({ database }) => {
    await expect(startApp({ config: configOf('real', true), database, log })).rejects.toThrow(/é de uso real/)
  })
})

testAtNight('an embedded database of a newer version is refused', async () => {
  const dataDir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'balcao-newer-'))
  chmodSync(dataDir, 0o755)
  const config = readConfig({ DATA_DIR: dataDir }, false)
  await closing(await openConfiguredDatabase(config, log), async ({ database }) => {
    await migrateDatabase(database)
    await database.pool.query(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
    )
  })
  await expect(openConfiguredDatabase(config, log)).rejects.toThrow(/versão mais nova do Balcão/)
  // The lock of the data folder was released.
  await expect(openConfiguredDatabase(config, log)).rejects.toThrow(/versão mais nova do Balcão/)
  rmSync(dataDir, { recursive: true, force: true })
})
