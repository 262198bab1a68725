import { chmodSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import type { Examination } from '#shared/doctor/doctor.ts'
import { insertFile } from '#server/media/queries.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, openDatabase, rows } from '#server/platform/database/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createFileStore, newFileName } from '#server/platform/file-store.ts'
import { createLog } from '#server/platform/log.ts'
import { type BucketServer, startBucketServer } from '#server/testing/servers/bucket-server.ts'
import { beginInstallation, runAdmin } from './test-command.ts'

// The commands as somebody types them, on an embedded database of their own.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const dataDir = folderForTests()
// When run as root, the embedded server runs under another account, which must be able to enter this folder.
chmodSync(dataDir, 0o755)
let bucket: BucketServer
let postgres: EmbeddedPostgres
let database: Database
/** Of 40 kB each, which quick responses name. */
const names: string[] = []

const admin = (args: string[], env: Record<string, string> = bucket.env) =>
  runAdmin(args, { DATA_DIR: dataDir, ...env })

async function* piece(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(40_000, 'x')
}

beforeAll(async () => {
  bucket = await startBucketServer()
  await beginInstallation({ DATA_DIR: dataDir })
  await admin(['create', '--username', 'chefe', '--role', 'admin', '--password-stdin'], {})
  postgres = await startEmbeddedPostgres({ dataDir })
  database = openDatabase({ connection: postgres.connection, log: createLog('silent') })
  const files = await createFileStore(readConfig({ DATA_DIR: dataDir }, false), { database })
  for (let n = 0; n < 30; n++) {
    const name = newFileName()
    const spooled = await files.spool(piece(), 100_000)
    const { sha256, sizeBytes } = spooled
    await insertFile(database, { name, sizeBytes, mimeType: 'text/plain', sha256, isQuickResponse: true })
    await files.keep(name, spooled)
    names.push(name)
  }
})
afterAll(async () => {
  await database.close()
  await postgres.stop()
  await bucket.close()
})

test('files are moved to the bucket and back, and the audit log says so', async () => {
  const there = await admin(['media', 'move'])
  expect(there).toMatchObject({
    code: 0,
    stdout:
      'Arquivos mudados: 30 arquivos, 1,1 MB. Cada um foi lido de volta. Os novos também ficam no bucket.\n',
    stderr: expect.stringContaining('Mudando os arquivos para o bucket balcao…'),
  })
  expect(bucket.keys()).toEqual(names.toSorted())
  expect((await admin(['media', 'move'])).stdout).toContain('Nada a mudar')
  const back = await admin(['media', 'move', '--to', 'disk'])
  expect(back.stdout).toContain('30 arquivos')
  expect(bucket.keys()).toEqual([])
  const [last] = await rows<{ details: unknown }>(
    database,
    sql`select details from audit_logs where action = 'maintenance.media_move' order by id desc limit 1`,
  )
  expect(last?.details).toMatchObject({ to: 'disk' })
})

test('a move without a bucket, or with one that is away, says what to do and changes nothing', async () => {
  expect(await admin(['media', 'move', '--to', 's3'], {})).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Não há para onde mudar: defina S3_…'),
  })
  bucket.refuse = () => 'cut'
  expect(await admin(['media', 'move'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('O bucket S3 não responde: tente de novo mais tarde.'),
  })
  bucket.refuse = (line) => (line.startsWith('PUT') ? 403 : undefined)
  expect((await admin(['media', 'move'])).stderr).toContain('O bucket S3 recusou um pedido (403)')
  // The files are on the disk since, whatever the environment says.
  const { findings } = JSON.parse((await admin(['doctor', '--json'])).stdout) as Examination
  expect(findings.find(({ check }) => check === 'files')?.cause).toBe('files_right')
  bucket.refuse = undefined
  const [row] = await rows<{ place: string }>(database, sql`select file_place as place from installation`)
  expect(row?.place).toBe('disk')
})

test('the scan names what has no row and what has no file, and removes the first after a day', async () => {
  expect(await admin(['media', 'scan'])).toMatchObject({
    code: 0,
    stdout: '30 arquivos no disco; 0 arquivos sem registro; 0 registros sem arquivo.\n',
  })
  const files = await createFileStore(readConfig({ DATA_DIR: dataDir }, false))
  const [young, old] = [newFileName(), newFileName()]
  for (const name of [young, old]) await files.keep(name, await files.spool(piece(), 100_000))
  const dayAgo = Date.now() / 1000 - 25 * 60 * 60
  utimesSync(join(dataDir, 'uploads', old.slice(0, 2), old), dayAgo, dayAgo)
  const lost = names.pop() ?? ''
  await files.remove(lost)
  await database.execute(
    sql`update files set created_at = app_now() - interval '1 hour' where name = ${lost}`,
  )
  const { code, stdout, stderr } = await admin(['media', 'scan', '--remove'])
  expect(code).toBe(1)
  expect(stdout).toMatch(new RegExp(`sem registro: ${young} \\(no disco, 0,0 MB, .* de menos de um dia\\)`))
  expect(stdout).toMatch(new RegExp(`sem registro: ${old} \\(no disco, 0,0 MB, .* removido\\)`))
  expect(stdout).toMatch(new RegExp(`sem arquivo: ${lost} \\(resposta rápida, 0,0 MB, `))
  expect(stdout).toContain('2 arquivos sem registro (1 removido); 1 registro sem arquivo.')
  expect(stderr).toContain('1 registro não tem arquivo.')
  const again = JSON.parse((await admin(['media', 'scan', '--json'])).stdout) as Record<string, unknown>
  expect(again).toMatchObject({
    known: { disk: 29, s3: 0 },
    orphans: [{ name: young, place: 'disk' }],
    danglers: [{ name: lost }],
    removed: [],
  })
})
