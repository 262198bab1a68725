import fastify from 'fastify'
import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { registerHealth } from './health.ts'

const db = forAllTests(testDatabase)
const folder = folderForTests()
/** A file system on which nothing can be stored. */
const full = '/proc'

/** What /readyz answers with the data in a folder. */
async function readiness(dataDir: string, database: Database = db.database) {
  const app = fastify()
  const metrics = createMetrics(app, database, { here: async () => ({}), stored: async () => ({}) })
  const config = { ...readConfig({ DATA_DIR: folder }, false), dataDir }
  registerHealth(app, { config, database, metrics, isStopping: () => false, troubles: async () => ['inbox'] })
  const { statusCode, json } = await app.inject('/readyz')
  await app.close()
  return { status: statusCode, troubles: json<{ troubles: string[] }>().troubles }
}

test('/readyz names the disk that is full, beside what the rooms say', async () => {
  expect(await readiness(folder)).toEqual({ status: 503, troubles: ['inbox'] })
  expect(await readiness(full)).toEqual({ status: 503, troubles: ['inbox', 'disk'] })
})

test('/readyz names the full disk before the database that is away because of it', async () => {
  const { database, cut } = await db.openCuttable()
  cut()
  expect(await readiness(full, database)).toEqual({ status: 503, troubles: ['disk', 'database'] })
  expect(await readiness(folder, database)).toEqual({ status: 503, troubles: ['database'] })
})
