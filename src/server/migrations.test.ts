import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Database, migrateDatabase, openDatabase, rows } from './platform/database/db.ts'
import { createLog } from './platform/log.ts'
import { schema } from './schema/schema.ts'

const folder = join(import.meta.dirname, 'migrations')
const log = createLog('silent')
const name = `test_${randomBytes(8).toString('hex')}`
const copies = mkdtempSync(join(tmpdir(), 'balcao-migrations-'))

let admin: Database
let database: Database
beforeAll(async () => {
  const { host, port, user, superuser } = inject('postgres')
  admin = openDatabase({
    connection: { host, port, user: superuser, database: 'postgres' },
    log,
    poolSize: 1,
  })
  await admin.pool.query(`create database ${name} owner "${user}"`)
  database = openDatabase({ connection: { host, port, user, database: name }, log, poolSize: 2 })
})
afterAll(async () => {
  await database.close()
  await admin.pool.query(`drop database ${name}`)
  await admin.close()
  rmSync(copies, { recursive: true, force: true })
})

/** A folder with the migrations before the one whose name begins with the number. */
function migrationsBefore(number: string): string {
  const before = join(copies, number)
  cpSync(folder, before, { recursive: true })
  const file = join(before, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { tag: string }[] }
  const end = journal.entries.findIndex(({ tag }) => tag.startsWith(`${number}_`))
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }))
  return before
}

test('no table differs from what the migrations make of it', async () => {
  const last = readdirSync(join(folder, 'meta'))
    .filter((file) => file.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1)
  const migrated = JSON.parse(readFileSync(join(folder, 'meta', last ?? ''), 'utf8')) as ReturnType<
    typeof generateDrizzleJson
  >
  const missing = await generateMigration(migrated, generateDrizzleJson(schema))
  expect(missing, 'npm run db:generate writes the missing migration').toEqual([])
})

test('0011 gives the files of pictures and quick responses their owners', async () => {
  await migrateDatabase(database, { folder: migrationsBefore('0011') })
  const file = (named: string) => sql`(${named}, 1, 'image/png', 'x')`
  await database.execute(sql`insert into files (name, size_bytes, mime_type, sha256) values
    ${sql.join([file('retrato.png'), file('antigo.png'), file('tabela.png'), file('solto.png')], sql`, `)}`)
  await database.execute(sql`insert into contacts (name, avatar_url) values
    ('Rita', '/api/contacts/1/avatar?v=retrato.png'), ('Sem Retrato', null),
    ('De Fora', 'https://exemplo.com.br/solto.png')`)
  const responses = { quickResponses: [{ shortcut: 'pix', text: 'Pix' }, { file: { name: 'tabela.png' } }] }
  await database.execute(sql`insert into system_settings (values) values (${JSON.stringify(responses)}::jsonb)
    on conflict (id) do update set values = excluded.values`)
  await migrateDatabase(database)
  const owners = await rows(
    database,
    sql`select f.name, k.name as contact, f.is_quick_response as "isQuickResponse"
          from files f left join contacts k on k.id = f.contact_id order by f.id`,
  )
  expect(owners).toEqual([
    { name: 'retrato.png', contact: 'Rita', isQuickResponse: false },
    { name: 'antigo.png', contact: null, isQuickResponse: false },
    { name: 'tabela.png', contact: null, isQuickResponse: true },
    { name: 'solto.png', contact: null, isQuickResponse: false },
  ])
})

test('0016 tells who was blocked by wrong passwords from who was blocked by an administrator', async () => {
  const { host, port, user } = inject('postgres')
  const second = `test_${randomBytes(8).toString('hex')}`
  await admin.pool.query(`create database ${second} owner "${user}"`)
  const older = openDatabase({ connection: { host, port, user, database: second }, log, poolSize: 2 })
  try {
    await migrateDatabase(older, { folder: migrationsBefore('0016') })
    await older.execute(sql`insert into users
      (username, email, name, password_hash, is_blocked, failed_login_attempts, last_login_attempt_at) values
      ('chutada', 'a@x', 'Chutada', '', true, 3, '2026-03-01T12:00:00Z'),
      ('bloqueado', 'b@x', 'Bloqueado', '', true, 0, null),
      ('livre', 'c@x', 'Livre', '', false, 2, null)`)
    await migrateDatabase(older)
    const found = await rows(
      older,
      sql`select username, is_blocked as "isBlocked",
                 login_locked_at = '2026-03-01T12:00:00Z' as "isLocked" from users order by id`,
    )
    expect(found).toEqual([
      { username: 'chutada', isBlocked: false, isLocked: true },
      { username: 'bloqueado', isBlocked: true, isLocked: null },
      { username: 'livre', isBlocked: false, isLocked: null },
    ])
  } finally {
    await older.close()
    await admin.pool.query(`drop database ${second}`)
  }
})
