import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateIdentity } from 'age-encryption'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cipherOf } from '#server/maintenance/maintenance.ts'
import { noProgress } from '#server/maintenance/archive/progress.ts'
import { rows } from '#server/platform/database/db.ts'
import {
  firstVersion,
  migrateDatabase,
  readSchemaState,
  schemaVersion,
  tagOf,
} from '#server/platform/database/migrate.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { createLog } from '#server/platform/log.ts'
import { StartRefused } from '#server/platform/start-refused.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import { emptyDatabase, type EmptyDatabase, migrateToFirst } from '#server/testing/database/empty-database.ts'
import { copyBeforeUpgrade, type UpgradeParts } from './before-upgrade.ts'
import { listCopies, removeOldCopies } from './copies.ts'
import { findUndo, undoUpgrade } from './undo.ts'

let t: EmptyDatabase
let dataDir: string
beforeEach(async () => {
  t = await emptyDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-upgrade-'))
})
afterEach(async () => {
  await t.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const partsOf = (more: Partial<UpgradeParts> & { isOff?: boolean } = {}): UpgradeParts => ({
  config: { dataDir, databaseUrl: t.url, isCopiedBeforeUpgrade: more.isOff !== true },
  database: t.database,
  cipher: undefined,
  log: createLog('silent'),
  ...more,
})
const upgrade = (more: Parameters<typeof partsOf>[0] = {}) =>
  migrateDatabase(t.database, { beforeUpgrade: copyBeforeUpgrade(partsOf(more)) })
const copies = () => listCopies({ dataDir })
const execute = (...statements: string[]) => t.database.execute(sql.raw(statements.join(';\n')))

/** Makes the database as version 0.1.0 had it, with a message that waits to be sent. */
async function installed(): Promise<void> {
  await migrateToFirst(t.database)
  await execute(
    `insert into installation (epoch) values ('first')`,
    `insert into users (username, email, password_hash, name) values ('ana', 'a@x', 'x', 'Ana')`,
    `insert into sessions (token_hash, user_id) values ('x', 1)`,
    `insert into contacts (name, tags) values ('Rita\t\\N', array['a', null, '"'])`,
    `insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url)
       values ('loja', '', '', '')`,
    `insert into conversations (contact_id, instance_id, protocol, assigned_user_id)
       values (1, 1, '20260101000001', 1)`,
    `insert into messages (conversation_id, instance_id, sender_id, sender_type, content, sort_at, sent_at,
         delivery_status, metadata)
       values (1, 1, 1, 'user', 'olá', now(), now(), 'pending', 'null')`,
    `insert into outbox (instance_id, conversation_id, message_id) values (1, 1, 1)`,
    `select setval('conversation_protocol', 4711)`,
    `analyze`,
  )
}

/** Every row of every table, by the names of the tables. */
async function everyRow(): Promise<Map<string, string[]>> {
  const tables = await t.sql<{ name: string }>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`
  const found = new Map<string, string[]>()
  for (const { name } of tables) {
    const all = await rows<{ row: string }>(
      t.database,
      sql.raw(`select to_jsonb(r)::text as row from ${name} r order by 1`),
    )
    found.set(
      name,
      all.map(({ row }) => row),
    )
  }
  return found
}

const undo = async (path?: string) => {
  const parts = partsOf()
  return undoUpgrade(parts, await findUndo(parts, path), noProgress)
}

test('an upgrade from version 0.1.0 is undone completely', async () => {
  await installed()
  const before = await everyRow()
  await upgrade()
  expect((await readSchemaState(t.database.pool)).version).toBe(schemaVersion)
  const [path = ''] = await copies()
  expect(path).toMatch(new RegExp(`/upgrades/2\\d{3}-\\d\\d-\\d\\dT[\\d-]+Z-${tagOf(firstVersion)}$`))
  await execute(
    `insert into companies (name) values ('de depois')`,
    `update contacts set name = 'Outra'`,
    `insert into conversations (contact_id, instance_id, protocol, status, completed_at)
       values (1, 1, '20260101000002', 'completed', now())`,
    `select nextval('conversation_protocol')`,
  )
  const found = await findUndo(partsOf(), undefined)
  expect(found).toMatchObject({ path, since: { conversations: 1, messages: 0, anonymized: 0 } })

  const undone = await undo()
  expect((await copies()).toReversed()).toEqual([path, undone.kept])
  const after = await everyRow()
  expect([...after.keys()]).toEqual([...before.keys()])
  const changed = [...after].filter(([name, all]) => all.join('\n') !== before.get(name)?.join('\n'))
  // What was waiting may have been sent, and everybody signs in anew.
  expect(changed.map(([name]) => name)).toEqual([
    'audit_logs',
    'installation',
    'messages',
    'outbox',
    'sessions',
  ])
  expect(after.get('messages')?.[0]).toContain('"delivery_status": "unknown"')
  expect(after.get('sessions')).toEqual([])
  const numbers = await t.sql`select nextval('conversation_protocol')::int as n`
  expect(numbers).toEqual([{ n: 4713 }])
  const [next] = await t.sql`
    insert into conversations (contact_id, instance_id, protocol, status, completed_at)
    values (1, 1, '20260101000003', 'completed', now()) returning id`
  expect(next).toEqual({ id: 3 })

  // And forward again.
  await upgrade()
  expect((await readSchemaState(t.database.pool)).isPending).toBe(false)
  await expect(t.database.execute(sql`delete from contacts`)).rejects.toThrow()
})

describe('the copy before an upgrade', () => {
  beforeEach(installed)

  testAtNight('the upgrade copy is encrypted with BACKUP_KEY, and undone with it alone', async () => {
    const cipher = cipherOf(await generateIdentity())
    await upgrade({ cipher })
    await expect(findUndo(partsOf(), undefined)).rejects.toThrow('ponha a sua chave em BACKUP_KEY')
    const parts = partsOf({ cipher })
    await undoUpgrade(parts, await findUndo(parts, undefined), noProgress)
    expect(tagOf((await readSchemaState(t.database.pool)).version)).toBe('0037_numbers')
  })

  testAtNight('no copy is made before an upgrade without need', async () => {
    await upgrade({ isOff: true })
    await upgrade()
    expect(existsSync(join(dataDir, 'upgrades'))).toBe(false)
    await expect(findUndo(partsOf(), undefined)).rejects.toThrow('não há cópia de antes de uma atualização')
  })

  test('the upgrade copy that the disk cannot hold refuses the start, and nothing is changed', async () => {
    const before = await everyRow()
    const error: unknown = await upgrade({ reserve: 1e15 }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StartRefused)
    expect((error as Error).message).toMatch(
      /não pôde ser feita\. Em \/.* há [\d.,]+ GB livres, e a cópia precisa de até 931\.322,6 GB\. Nada /,
    )
    expect(await everyRow()).toEqual(before)
    expect(await copies()).toEqual([])
    await upgrade()
    expect(await copies()).toHaveLength(1)
  })

  testAtNight('an interrupted copy before an upgrade leaves nothing', async () => {
    const left = join(dataDir, 'upgrades', '2026-01-01T00-00-00Z-0037_numbers.unfinished')
    mkdirSync(left, { recursive: true })
    await expect(upgrade({ stopRequested: () => true })).rejects.toThrow('cancelled')
    expect(readdirSync(join(dataDir, 'upgrades'))).toEqual([])
    const disarm = armFailpoints('upgrade.written=throw')
    await expect(upgrade()).rejects.toThrow('upgrade.written')
    disarm()
    expect(readdirSync(join(dataDir, 'upgrades'))).toEqual([])
    expect((await readSchemaState(t.database.pool)).isPending).toBe(true)
  })

  testAtNight('the upgrade copy is removed when the upgrade fails', async () => {
    const disarm = armFailpoints('upgrade.migrated=throw')
    await expect(upgrade()).rejects.toThrow('upgrade.migrated')
    disarm()
    expect(await copies()).toEqual([])
    expect((await readSchemaState(t.database.pool)).isPending).toBe(true)
  })

  test('the upgrade copy that is damaged, or is none, undoes nothing', async () => {
    await upgrade()
    await execute(`insert into companies (name) values ('de depois')`)
    const [path = ''] = await copies()
    const before = await everyRow()
    appendFileSync(join(path, 'tables', 'contacts-0001.jsonl.zst'), 'x')
    await expect(undo()).rejects.toThrow('Uma parte do backup mudou de tamanho')
    await expect(undo(join(dataDir, 'nothing'))).rejects.toThrow('Não há uma cópia em')
    expect(await everyRow()).toEqual(before)
  })

  testAtNight('an undo that fails in its end changes nothing', async () => {
    await upgrade()
    await execute(`insert into companies (name) values ('de depois')`)
    const before = await everyRow()
    const disarm = armFailpoints('copy.loaded=throw')
    await expect(undo()).rejects.toThrow('copy.loaded')
    disarm()
    expect(await everyRow()).toEqual(before)
    await undo()
    expect((await everyRow()).get('companies')).toEqual([])
  })

  testAtNight('the upgrade copy goes after a month, and when there are two newer ones', async () => {
    const make = (name: string) => {
      mkdirSync(join(dataDir, 'upgrades', name), { recursive: true })
      writeFileSync(join(dataDir, 'upgrades', name, 'manifest.json'), '{}')
    }
    const names = ['2026-01-01', '2026-01-20', '2026-02-10'].map((day) => `${day}T00-00-00Z-0037_numbers`)
    names.forEach(make)
    make('of-somebody-else')
    const left = () => readdirSync(join(dataDir, 'upgrades')).toSorted()
    await removeOldCopies({ dataDir }, new Date('2026-02-11T00:00:00Z'))
    expect(left()).toEqual([names[1], names[2], 'of-somebody-else'])
    await removeOldCopies({ dataDir }, new Date('2026-02-19T00:00:01Z'))
    expect(left()).toEqual([names[2], 'of-somebody-else'])
    await removeOldCopies({ dataDir }, new Date('2026-04-01T00:00:00Z'))
    expect(left()).toEqual(['of-somebody-else'])
  })
})

testAtNight('an undo keeps the backups: new ones stay, and deleted ones do not come back', async () => {
  await installed()
  const backup = (name: string) =>
    `insert into maintenance_backups (name, file_path, status, size, completed_at)
       values ('${name}', '${name}', 'completed', 1, now())`
  await execute(backup('kept'), backup('deleted'))
  // As if the next version were about to upgrade it.
  await copyBeforeUpgrade(partsOf())(schemaVersion)
  await execute(backup('new'), `delete from maintenance_backups where name = 'deleted'`)
  const [path] = await copies()
  const [{ uid }] = (await t.sql`select uid from installation`) as [{ uid: string }]
  await execute(`update installation set uid = gen_random_uuid()`)
  await expect(undo(path)).rejects.toThrow('A cópia é de outra instalação')
  await execute(`update installation set uid = '${uid}'`)
  await undo(path)
  const names = await t.sql`select name from maintenance_backups order by name`
  expect(names).toEqual([{ name: 'kept' }, { name: 'new' }])
})
