import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { type BackupStore, createFolderStore } from '#server/maintenance/archive/store.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { defineJob } from '#server/platform/jobs/job-definition.ts'
import { createLog } from '#server/platform/log.ts'
import { beginRun, type MaintenanceWork } from '#server/maintenance/runs/begin.ts'
import { givenSession } from '#server/testing/database/given-session.ts'
import { someone } from '#server/testing/plain-who.ts'
import { forAllTests, testDatabase, testPassword } from '#server/testing/test-app.ts'
import { deleteBackup } from './acts.ts'
import { findBackup, insertBackup } from './backups.ts'

let who: Who

const t = forAllTests(testDatabase)
beforeAll(async () => {
  const account = { role: 'admin', username: 'chefe', password: testPassword } as const
  const { userId } = await givenSession(t.database, account)
  who = { ...someone, id: userId, role: 'admin' }
})

test.each(['queued', 'running'])('a backup is not deleted while a run of it is %s', async (state) => {
  const { database } = t
  const folder = randomUUID()
  const completed = { status: 'completed', completedAt: new Date(), size: 1 } as const
  const id = await insertBackup(database, { name: 'Diário', filePath: folder, ...completed })
  const job = defineJob<MaintenanceWork>({
    name: 'maintenance',
    afterCrash: 'again',
    work: () => Promise.resolve(),
  })
  const choice = { restoreComplete: true, restoreSettings: false }
  const runId = await inTransaction(database, (db) =>
    beginRun(db, undefined, job, { kind: 'restore', backupId: id, choice, actor: 'system' }, who.id),
  )
  await database.execute(sql`update job_runs set state = ${state} where id = ${runId}`)
  const removed: string[] = []
  const store: BackupStore = {
    ...createFolderStore(join(tmpdir(), randomUUID())),
    remove: async (name) => void removed.push(name),
  }
  const remove = () => deleteBackup({ database, store, log: createLog('silent') }, who, id)
  await expect(remove()).rejects.toMatchObject({ code: 'maintenance.busy' })
  expect([await findBackup(database, id), removed]).toMatchObject([{ id }, []])
  await database.execute(sql`update job_runs set state = 'done' where id = ${runId}`)
  await remove()
  expect([await findBackup(database, id), removed]).toEqual([undefined, [folder]])
})
