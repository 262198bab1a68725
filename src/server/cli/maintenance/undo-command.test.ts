import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { copyBeforeUpgrade } from '#server/maintenance/maintenance.ts'
import { type Database, openDatabase } from '#server/platform/database/db.ts'
import { firstVersion, migrateDatabase, tagOf } from '#server/platform/database/migrate.ts'
import { createLog } from '#server/platform/log.ts'
import { forAllTests } from '#server/testing/for-all-tests.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import { migrateToFirst } from '#server/testing/database/empty-database.ts'
import { runAdmin } from './test-command.ts'

const log = createLog('silent')
let database: Database
let url: string
let dataDir: string
let made = 0

const server = forAllTests(startOwnServer)

beforeAll(() => server.query('create role balcao login'))

/** An installation of version 0.1.0. */
beforeEach(async () => {
  const name = `n${++made}`
  await server.query(`create database ${name} owner balcao encoding 'UTF8' template template0`)
  url = server.url('balcao', name)
  database = openDatabase({ connection: { connectionString: url }, log, poolSize: 2 })
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-undo-'))
  await migrateToFirst(database)
  await database.execute(sql`insert into installation (epoch) values ('first')`)
})
afterEach(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const admin = (...args: string[]) => runAdmin(args, { DATA_DIR: dataDir, DATABASE_URL: url })

const upgrade = () => {
  const config = { dataDir, databaseUrl: url, isCopiedBeforeUpgrade: true }
  const parts = { config, database, cipher: undefined, log }
  return migrateDatabase(database, { beforeUpgrade: copyBeforeUpgrade(parts) })
}

test('no command upgrades an installation', async () => {
  const refusal = {
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(
        `^Este banco ainda é da versão ${tagOf(firstVersion)}: inicie o servidor desta versão, .*\\n$`,
      ),
    ),
  }
  for (const command of [['list'], ['copy', join(dataDir, 'copy')], ['undo-upgrade', '--yes'], ['create']])
    expect(await admin(...command)).toEqual(refusal)
  await upgrade()
  expect((await admin('list')).code).toBe(0)
})

test('an upgrade is undone when it is confirmed, after what that costs was said', async () => {
  await upgrade()
  await database.execute(sql`insert into contacts (name) values ('Rita')`)
  await database.execute(
    sql`insert into users (username, email, password_hash, name) values ('ana', 'a@x', 'x', 'Ana')`,
  )
  await database.execute(
    sql`insert into privacy_requests (kind, contact_id, user_id, proof) values ('anonymize', 1, 1, '{}')`,
  )
  const shown = await admin('undo-upgrade')
  expect(shown).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      new RegExp(
        `^Volta à cópia de \\d\\d/.*, da versão ${tagOf(firstVersion)} \\(.*\\)\\.\\n` +
          '.* 0 conversas e 0 mensagens, .*desde então\\. ' +
          '1 pessoa anonimizada voltaria ao banco\\.\\nNada foi mudado\\. .*--yes\\.\\n$',
      ),
    ),
  })
  expect((await admin('list')).stdout).toContain('ana')
  const undone = await admin('undo-upgrade', '--yes')
  expect(undone).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^O banco voltou à cópia .*: \d+ tabelas, \d+ linhas\. Tudo confere\.\nO que havia .* está em .*\n/,
    ),
    stderr: expect.stringMatching(/^Copiando o que .*\nAtenção: 1 pessoa anonimizada desde então voltou/s),
  })
  const { rows } = await database.pool.query('select from users')
  expect(rows).toEqual([])
  expect((await admin('list')).stderr).toContain(`Este banco ainda é da versão ${tagOf(firstVersion)}`)
  await upgrade()
  expect((await admin('list')).stdout).not.toContain('ana')
})

test('an upgrade without a copy cannot be undone', async () => {
  await migrateDatabase(database)
  expect(await admin('undo-upgrade', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Em .*upgrades não há cópia de antes de uma atualização\.\n$/),
  })
})

test('nothing is undone while a server runs', async () => {
  await upgrade()
  const other = new pg.Client({ ...database.pool.options, application_name: 'balcao 77 casa' })
  await other.connect()
  const refused = await admin('undo-upgrade', '--yes')
  await other.end()
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('O banco está em uso por balcao, processo 77, máquina casa'),
  })
  expect((await admin('list')).code).toBe(0)
})
